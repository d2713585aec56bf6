import Bytes
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
            request: (0..<Int.random(in: 0...4, using: &random)).map {
                SharedBytes(random.bytes($0 * 40))
            },
            reply: (0..<Int.random(in: 0...4, using: &random)).map {
                SharedBytes(random.bytes($0 * 9))
            },
            summary: RecordedExchange.Summary(
                position: number % 3 == 0
                    ? nil : Position(epoch: random.next(), sequence: UInt64(number)),
                isComplete: number % 2 == 0,
                attachments: [RecordedAttachments.full, .hash, .none][number % 3]))
    }

    private static func contents(_ reader: MessageLogReader) throws -> [MessageLogEntry.Content] {
        var contents: [MessageLogEntry.Content] = []
        try reader.forEach { contents.append($0.content) }
        return contents
    }

    @Test(arguments: 0..<10)
    func exchangesComeBackAsTheyWere(seed: UInt64) throws {
        try withTemporaryDirectory { path in
            var random = SeededRandom(seed: seed)
            let exchanges = (0..<20).map { Self.exchange($0, &random) }
            do {
                let writer = try MessageLogWriter(folder: path, newEpoch: 1)
                try writer.append(exchanges[..<8].map { .plain($0) })
                try writer.append([])
                try writer.sync()
            }
            let writer = try MessageLogWriter(folder: path, newEpoch: 2)
            #expect(writer.count == 8)
            #expect(try writer.last()?.content == .exchange(exchanges[7], nil))
            try writer.append(exchanges[8...].map { .plain($0) })
            let reader = try MessageLogReader(folder: path)
            #expect(try Self.contents(reader) == exchanges.map { .exchange($0, nil) })
            #expect(reader.count == 20)
            #expect(reader.damage == nil)
            #expect(try reader.entry(9)?.content == .exchange(exchanges[8], nil))
            #expect(try reader.entry(21) == nil)
        }
    }

    @Test func exchangesOfAnAccountAreErasedWithItsKey() throws {
        try withTemporaryDirectory { path in
            var random = SeededRandom(seed: 4)
            let key = AccountKey.random(for: "ada")
            let other = AccountKey.random(for: "ben")
            let exchanges = (0..<2).map { Self.exchange($0, &random) }
            let writer = try MessageLogWriter(folder: path, newEpoch: 1)
            try writer.append([.sealed(exchanges[0], key), .sealed(exchanges[1], other)])
            let whole = try MessageLogReader(folder: path, keys: Keyring([key, other]))
            #expect(
                try Self.contents(whole) == [
                    .exchange(exchanges[0], key.id), .exchange(exchanges[1], other.id),
                ])
            let erased = try MessageLogReader(folder: path, keys: Keyring([other]))
            #expect(
                try Self.contents(erased) == [
                    .erased(key.id, exchanges[0].summary), .exchange(exchanges[1], other.id),
                ])
            let file = try #require(
                FileManager.default.contents(
                    atPath: "\(path)/messages-00000000000000000001.segment"))
            let frames = exchanges.flatMap { $0.request + $0.reply }.filter { $0.count > 8 }
            #expect(!frames.isEmpty)
            for frame in frames { #expect(file.range(of: Data(frame.array)) == nil) }
        }
    }

    @Test func gapsComeBackWhereTheyStand() throws {
        try withTemporaryDirectory { path in
            var random = SeededRandom(seed: 5)
            let exchange = Self.exchange(1, &random)
            var gap = RecordingGap.none
            for offset: UInt64 in [70, 40, 60] { gap.add(offset: offset) }
            let writer = try MessageLogWriter(folder: path, newEpoch: 1)
            try writer.append([
                .plain(exchange), .gap(gap, Timestamp(milliseconds: 9)), .plain(exchange),
            ])
            let contents = try Self.contents(try MessageLogReader(folder: path))
            #expect(
                contents == [
                    .exchange(exchange, nil),
                    .gap(RecordingGap(count: 3, firstOffset: 40, lastOffset: 70)),
                    .exchange(exchange, nil),
                ])
        }
    }

    @Test func oldestFilesGoBySizeAndByAge() throws {
        try withTemporaryDirectory { path in
            var random = SeededRandom(seed: 6)
            let day: Int64 = 86_400_000
            let writer = try MessageLogWriter(
                folder: path, newEpoch: 1,
                retention: .init(bytesMax: 1 << 19, ageMillisecondsMax: day))
            for number in 0..<40 {
                var exchange = Self.exchange(number, &random)
                exchange.request = [SharedBytes(random.bytes(30_000))]
                exchange.recordedTime = Timestamp(milliseconds: Int64(number) * day / 40)
                try writer.append([.plain(exchange)])
                try writer.removeOldest(now: exchange.recordedTime)
                #expect(writer.byteCount <= 1 << 19)
            }
            let reader = try MessageLogReader(folder: path)
            #expect(reader.last == 40)
            #expect((2...30).contains(reader.first))
            #expect(try reader.read(after: 0, countMax: 1).first?.number == reader.first)
            // All but the last file is older than a day then.
            #expect(try writer.removeOldest(now: Timestamp(milliseconds: 3 * day)) > 0)
            let rest = try MessageLogReader(folder: path)
            #expect(rest.files == 1)
            #expect(rest.last == 40)
        }
    }

    @Test func readerFollowsTheWriter() throws {
        try withTemporaryDirectory { path in
            var random = SeededRandom(seed: 1)
            let writer = try MessageLogWriter(folder: path, newEpoch: 1)
            let reader = try MessageLogReader(folder: path)
            let exchange = Self.exchange(1, &random)
            try writer.append([.plain(exchange)])
            #expect(reader.count == 0)
            try reader.refresh()
            #expect(try reader.entry(1)?.content == .exchange(exchange, nil))
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
