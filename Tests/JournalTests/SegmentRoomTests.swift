import Foundation
import Journal
import TestSupport
import Testing

/// Zeros behind the last record, which keep a file at its size while records are added.
@Suite struct SegmentRoomTests {
    private func open(
        _ path: String, _ mode: SegmentLog.Mode = .readWrite
    ) throws -> SegmentLog {
        try SegmentLog(folder: path, prefix: "records", mode: mode, newEpoch: 7)
    }

    private func all(_ log: SegmentLog) throws -> [[UInt8]] {
        try log.read(after: 0, recordsMax: 100, bytesMax: 1 << 20)
    }

    private func onlyFile(_ path: String) throws -> URL {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        let name = try #require(names.first { $0.hasSuffix(".segment") })
        return URL(filePath: "\(path)/\(name)")
    }

    /// Calls `body` with a folder as a killed process leaves it: three records, and room.
    private func withKilledLog(_ body: (String) throws -> Void) throws {
        try withTemporaryDirectory { path in
            let (lives, killed) = ("\(path)/lives", "\(path)/killed")
            let log = try open(lives)
            try log.append([[1], [2, 2]])
            try log.append([[3]])
            try FileManager.default.copyItem(atPath: lives, toPath: killed)
            #expect(try Data(contentsOf: onlyFile(killed)).count > log.byteCount)
            try body(killed)
        }
    }

    @Test func roomOfAKilledProcessIsNoDamageAndIsUsed() throws {
        try withKilledLog { path in
            let size = try Data(contentsOf: onlyFile(path)).count
            let reader = try open(path, .readOnly)
            #expect(try all(reader) == [[1], [2, 2], [3]])
            let log = try open(path)
            #expect(log.cut == nil)
            #expect(log.damage == nil)
            #expect(try log.append([[4]]) == 4)
            #expect(try Data(contentsOf: onlyFile(path)).count == size)
            try reader.refresh()
            #expect(try all(reader) == [[1], [2, 2], [3], [4]])
            #expect(reader.damage == nil)
        }
    }

    @Test func closedLogKeepsNoRoom() throws {
        try withTemporaryDirectory { path in
            var bytes = 0
            do {
                let log = try open(path)
                try log.append([[1], [2]])
                bytes = log.byteCount
            }
            #expect(try Data(contentsOf: onlyFile(path)).count == bytes)
        }
    }

    @Test func whatIsNoRecordInTheRoomIsCut() throws {
        try withKilledLog { path in
            let file = try onlyFile(path)
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count - 9] = 1
            try bytes.write(to: file)
            let log = try open(path)
            #expect(try all(log) == [[1], [2, 2], [3]])
            #expect(log.cut?.offset == log.byteCount)
            #expect(try log.append([[4]]) == 4)
            #expect(try all(log) == [[1], [2, 2], [3], [4]])
        }
    }

    @Test func readerSeesTheNextFileBehindRoom() throws {
        try withTemporaryDirectory { path in
            let log = try SegmentLog(
                folder: path, prefix: "records", mode: .readWrite, newEpoch: 7,
                segmentBytesMax: 600)
            try log.append([[UInt8](repeating: 1, count: 300)])
            let reader = try open(path, .readOnly)
            try log.append([[UInt8](repeating: 2, count: 300)])
            try log.append([[UInt8](repeating: 3, count: 300)])
            try reader.refresh()
            #expect(try all(reader).map(\.first) == [1, 2, 3])
        }
    }
}
