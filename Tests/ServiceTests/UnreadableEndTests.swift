import Bytes
import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

/// Recordings with entries that are none, and with ends that cannot be read.
@Suite(.timeLimit(.minutes(1)))
struct UnreadableEndTests {
    private func exchange(_ request: [SharedBytes]) -> RecordedExchange {
        RecordedExchange(
            recordedTime: Timestamp(milliseconds: 1), offsetNanoseconds: 1,
            client: Identity(high: 1, low: 1), request: request,
            reply: Message(Header(.final, flags: .complete)).sharedFrames())
    }

    /// Four exchanges, of which the third is none.
    private func write(_ folder: String) throws {
        let right = exchange(Message(Header(.request)).sharedFrames())
        let writer = try MessageLogWriter(folder: folder, newEpoch: 1)
        try writer.append([.plain(right), .plain(right), .plain(exchange([[1]])), .plain(right)])
        try writer.sync()
    }

    private func numbers(
        _ reader: MessageLogReader, _ range: ClosedRange<UInt64>
    ) throws -> (read: [UInt64], unreadable: [String]) {
        var (read, unreadable): ([UInt64], [String]) = ([], [])
        try reader.forEachReadable(in: range) {
            unreadable.append($0)
        } _: { entry in
            guard case .exchange(let recorded, let key) = entry.content else { return }
            read.append(try LoggedExchange(recorded, number: entry.number, keyID: key).number)
        }
        return (read, unreadable)
    }

    @Test func whatIsNoExchangeIsToldAndTheRestIsRead() throws {
        try withTemporaryDirectory { folder in
            try write(folder)
            let reader = try MessageLogReader(folder: folder)
            let all = try numbers(reader, 1...UInt64.max)
            #expect(all.read == [1, 2, 4])
            #expect(all.unreadable.count == 1)
            #expect(all.unreadable[0].hasPrefix("entry 3: "))
            let part = try numbers(reader, 2...2)
            #expect(part.read == [2])
            #expect(part.unreadable.isEmpty)
            #expect(try numbers(reader, 9...12).read.isEmpty)
        }
    }

    @Test func aTornEndIsToldFromAWholeOne() throws {
        try withTemporaryDirectory { folder in
            try write(folder)
            #expect(try MessageLogReader(folder: folder).unreadableEnd() == nil)
            let file = "\(folder)/messages-00000000000000000001.segment"
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            try bytes.dropLast(3).write(to: URL(fileURLWithPath: file))
            let reader = try MessageLogReader(folder: folder)
            #expect(reader.last == 3)
            guard case .torn(let damage) = try reader.unreadableEnd() else {
                Issue.record("the end is not torn")
                return
            }
            #expect(damage.file == file)
            #expect(damage.offset < bytes.count - 3)
        }
    }
}
