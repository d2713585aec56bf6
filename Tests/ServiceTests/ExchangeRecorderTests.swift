import Bytes
import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

/// The recorder with its thread, on disks that are slow or that fail.
@Suite(.timeLimit(.minutes(2)))
struct ExchangeRecorderTests {
    private func record(_ number: UInt64, account: String? = nil, by recorder: ExchangeRecorder) {
        var request = Message(
            Header(.request, requestID: RequestID(high: 0, low: number)),
            body: [UInt8](repeating: 32, count: 10_000))
        request.fields.set(.account, text: account)
        recorder.record(
            request: request, reply: Message(Header(.final, flags: .complete)),
            client: Identity(high: 1, low: 1), arrival: SystemClock.monotonic())
    }

    private func entries(
        _ folder: String, keys: Keyring = Keyring()
    ) throws -> [MessageLogEntry] {
        var entries: [MessageLogEntry] = []
        try MessageLogReader(folder: folder, keys: keys).forEach { entries.append($0) }
        return entries
    }

    private func counts(_ entries: [MessageLogEntry]) -> (exchanges: Int, leftOut: UInt64) {
        entries.reduce(into: (0, 0)) { counts, entry in
            switch entry.content {
            case .gap(let gap): counts.leftOut += gap.count
            case .exchange, .erased: counts.exchanges += 1
            }
        }
    }

    @Test func aSlowDiskDelaysNobodyAndLeavesAGap() throws {
        try withTemporaryDirectory { folder in
            let slow = DiskProbe { operation, path in
                if operation == .write, path.hasSuffix(".segment") { usleep(300_000) }
                return 0
            }
            let recorder = try ExchangeRecorder(
                folder: folder, options: RecordingOptions(), keys: .asked { _ in },
                waitingBytesMax: 100_000, probe: slow, log: Log(threshold: .error))
            let begin = ContinuousClock().now
            for number: UInt64 in 0..<100 { record(number, by: recorder) }
            // Ten writes of this disk take longer than this.
            #expect(ContinuousClock().now - begin < .milliseconds(250))
            recorder.stop()
            let entries = try entries(folder)
            let counts = counts(entries)
            #expect((1...9).contains(counts.exchanges))
            #expect(counts.leftOut == 100 - UInt64(counts.exchanges))
            guard case .gap(let gap) = entries.last?.content else {
                Issue.record("no gap at the end")
                return
            }
            #expect(gap.firstOffset <= gap.lastOffset)
            #expect(gap.firstOffset >= entries[0].offsetNanoseconds)
        }
    }

    @Test func aFailedDiskIsTriedAgainAndWhatWasLostIsAGap() throws {
        try withTemporaryDirectory { folder in
            let failing = "\(folder)/fail"
            let probe = DiskProbe { operation, _ in
                operation == .write && FileManager.default.fileExists(atPath: failing) ? 28 : 0
            }
            let recorder = try ExchangeRecorder(
                folder: "\(folder)/log", options: RecordingOptions(), keys: .asked { _ in },
                probe: probe, log: Log(threshold: .error))
            record(1, by: recorder)
            usleep(200_000)
            _ = FileManager.default.createFile(atPath: failing, contents: nil)
            for number: UInt64 in 2...5 { record(number, by: recorder) }
            usleep(200_000)
            try FileManager.default.removeItem(atPath: failing)
            // Tried again after five seconds.
            usleep(6_500_000)
            record(6, by: recorder)
            recorder.stop()
            let counts = counts(try entries("\(folder)/log"))
            #expect(counts.exchanges == 2)
            #expect(counts.leftOut == 4)
        }
    }

    @Test func whatIsRecordedLaterStandsBehindWhatWasRecordedBefore() throws {
        try withTemporaryDirectory { folder in
            for number: UInt64 in 1...2 {
                let recorder = try ExchangeRecorder(
                    folder: folder, options: RecordingOptions(), keys: .asked { _ in },
                    log: Log(threshold: .error))
                record(number, by: recorder)
                recorder.stop()
            }
            let entries = try entries(folder)
            #expect(entries.count == 2)
            #expect(entries[0].offsetNanoseconds <= entries[1].offsetNanoseconds)
            #expect(entries[1].offsetNanoseconds < 60 * 1_000_000_000)
        }
    }

    @Test func keysAreAskedForAndSealWhatWaited() throws {
        try withTemporaryDirectory { folder in
            let asked = Asked()
            let recorder = try ExchangeRecorder(
                folder: folder, options: RecordingOptions(), keys: .asked { asked.add($0) },
                log: Log(threshold: .error))
            record(1, account: "ada", by: recorder)
            record(2, account: "ben", by: recorder)
            usleep(300_000)
            #expect(asked.accounts == ["ada", "ben"])
            let key = AccountKey.random(for: "ada")
            recorder.offer(key)
            usleep(200_000)
            recorder.stop()
            let sealed = try entries(folder, keys: Keyring([key]))
            #expect(counts(sealed).exchanges == 1)
            #expect(counts(sealed).leftOut == 1)
            guard case .exchange(let exchange, let id) = sealed[0].content else {
                Issue.record("not readable with its key")
                return
            }
            #expect(id == key.id)
            #expect(try Message(frames: exchange.request[...]).fields.text(.account) == "ada")
            guard case .erased = try entries(folder)[0].content else {
                Issue.record("readable without its key")
                return
            }
        }
    }

    @Test func anAccountWithoutAKeyReadsAsErased() throws {
        try withTemporaryDirectory { folder in
            let key = AccountKey.random(for: "ada")
            let recorder = try ExchangeRecorder(
                folder: folder, options: RecordingOptions(),
                keys: .lookedUp { account, store in
                    account == "ada" && store == .calendar ? key : nil
                }, log: Log(threshold: .error))
            record(1, account: "ada", by: recorder)
            record(2, account: "ben", by: recorder)
            recorder.stop()
            let entries = try entries(folder, keys: Keyring([key]))
            #expect(counts(entries).leftOut == 0)
            let erased = entries.filter {
                if case .erased(let id, _) = $0.content { id != key.id } else { false }
            }
            #expect(entries.count == 2)
            #expect(erased.count == 1)
        }
    }

    private final class Asked: @unchecked Sendable {
        private let lock = NSLock()
        private var names: Set<String> = []
        func add(_ name: String) { lock.withLock { _ = names.insert(name) } }
        var accounts: Set<String> { lock.withLock { names } }
    }
}
