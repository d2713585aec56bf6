import Foundation
import Journal
import Messages
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MessageLogTests {
    private static func exchange(
        _ number: Int, _ random: inout SeededRandom
    ) -> RecordedExchange {
        RecordedExchange(
            recordedTime: Timestamp(milliseconds: -5 + Int64(number)),
            offsetNanoseconds: UInt64(number) * 1_000,
            client: Identity(using: &random),
            request: (0..<Int.random(in: 0...4, using: &random)).map { random.bytes($0 * 40) },
            reply: (0..<Int.random(in: 0...4, using: &random)).map { random.bytes($0 * 9) })
    }

    @Test(arguments: 0..<10)
    func exchangesComeBackAsTheyWere(seed: UInt64) throws {
        try withTemporaryDirectory { path in
            var random = SeededRandom(seed: seed)
            let exchanges = (0..<20).map { Self.exchange($0, &random) }
            do {
                let writer = try MessageLogWriter(folder: path, newEpoch: 1)
                try writer.append(Array(exchanges[..<8]))
                try writer.append([])
                try writer.sync()
            }
            let writer = try MessageLogWriter(folder: path, newEpoch: 2)
            #expect(writer.count == 8)
            try writer.append(Array(exchanges[8...]))
            let reader = try MessageLogReader(folder: path)
            var read: [RecordedExchange] = []
            while true {
                let next = try reader.read(after: UInt64(read.count), countMax: 3)
                if next.isEmpty { break }
                read += next
            }
            #expect(read == exchanges)
            #expect(reader.count == 20)
            #expect(reader.damage == nil)
        }
    }

    @Test func readerFollowsTheWriter() throws {
        try withTemporaryDirectory { path in
            var random = SeededRandom(seed: 1)
            let writer = try MessageLogWriter(folder: path, newEpoch: 1)
            let reader = try MessageLogReader(folder: path)
            let exchange = Self.exchange(1, &random)
            try writer.append([exchange])
            #expect(reader.count == 0)
            try reader.refresh()
            #expect(try reader.read(after: 0, countMax: 9) == [exchange])
        }
    }

    @Test func secondRecorderIsRefusedAndMissingLogIsNotFound() throws {
        try withTemporaryDirectory { path in
            let error = #expect(throws: JournalError.self) {
                _ = try MessageLogReader(folder: path)
            }
            #expect(error?.code == .notFound)
            let writer = try MessageLogWriter(folder: path, newEpoch: 1)
            let second = #expect(throws: JournalError.self) {
                _ = try MessageLogWriter(folder: path, newEpoch: 1)
            }
            #expect(second?.code == .locked)
            #expect(writer.count == 0)
        }
    }

    @Test func recordingIsForItsOwnerOnly() throws {
        try withTemporaryDirectory { path in
            _ = try MessageLogWriter(folder: "\(path)/log", newEpoch: 1)
            let file = "\(path)/log/messages-00000000000000000001.segment"
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func exchangeOfAnotherSequenceIsDamage() throws {
        try withTemporaryDirectory { path in
            do {
                let log = try SegmentLog(
                    folder: path, prefix: "messages", mode: .readWrite, newEpoch: 1)
                try log.append([[1, 2, 3]])
            }
            let reader = try MessageLogReader(folder: path)
            let error = #expect(throws: JournalError.self) {
                _ = try reader.read(after: 0, countMax: 1)
            }
            #expect(error?.code == .damaged)
        }
    }
}
