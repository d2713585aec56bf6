import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// A journal that is killed again and again, behind a router and a producer that sends again.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct TotalQueueTests {
        /// What stood on the disk when the journal was killed.
        private struct Death {
            let head: UInt64
            let inFlight: Set<String>
            let acknowledged: Set<String>
        }

        private static let lanes = 64

        private func startJournal(_ deployment: Deployment, _ path: String) throws -> ServerProcess
        {
            try ServerProcess([
                "journal", "--listen", ":\(deployment.port + 2)", "--data", "\(path)/data",
            ])
        }

        private func records(_ path: String) throws -> [Record] {
            let journal = try SegmentJournal(
                folder: "\(path)/data/journal", mode: .readOnly, newEpoch: 0)
            #expect(journal.damage == nil)
            var records: [Record] = []
            while UInt64(records.count) < journal.head.sequence {
                records += try journal.read(
                    after: UInt64(records.count), recordsMax: 10_000,
                    bytesMax: Limits.segmentBytesMax)
            }
            return records
        }

        @Test("T1: total queue: the journal is killed every 2 s and loses nothing acknowledged")
        func killedJournalLosesNothing() async throws {
            try await withTemporaryDirectory { path in
                let (count, kills) = Soak.isOn ? (100_000, 30) : (40_000, 3)
                let deployment = Deployment(folder: path)
                var journal = try startJournal(deployment, path)
                let router = try ServerProcess([
                    "router", "--listen", ":\(deployment.port)", "--journal",
                    ":\(deployment.port + 2)",
                ])
                try await deployment.untilListening()
                let connection = try RouterConnection.open(deployment.client, name: "producer")
                defer { connection.close() }
                let producer = ResendingProducer(count: count)
                let sending = Task.detached {
                    await producer.run(
                        over: connection, lanes: Self.lanes,
                        pause: .milliseconds(Soak.isOn ? 36 : 10))
                }
                var deaths: [Death] = []
                for _ in 0..<kills {
                    try await Task.sleep(for: .seconds(2))
                    journal.killNow()
                    // What was acknowledged before the death may still be on its way.
                    try await Task.sleep(for: .milliseconds(100))
                    let stored = try SegmentJournal(
                        folder: "\(path)/data/journal", mode: .readOnly, newEpoch: 0)
                    deaths.append(
                        Death(
                            head: stored.head.sequence, inFlight: await producer.inFlight,
                            acknowledged: Set(await producer.positions.keys)))
                    journal = try startJournal(deployment, path)
                }
                if !Soak.isOn { await producer.stop() }
                await sending.value
                let positions = await producer.positions
                try check(positions, deaths, try records(path))
                try await checkResent(positions, connection, path)
                #expect(journal.isRunning && router.isRunning)
            }
        }

        private func check(
            _ positions: [String: Position], _ deaths: [Death], _ records: [Record]
        ) throws {
            let stored = Dictionary(
                records.map { ($0.fields.text(.changeID) ?? "", $0.position) },
                uniquingKeysWith: { first, _ in first })
            #expect(stored.count == records.count, "a change is stored twice")
            let lost = positions.filter { stored[$0.key] != $0.value }
            #expect(lost.isEmpty, "\(lost.count) acknowledged changes are lost or elsewhere")
            #expect(positions.count > 500)
            #expect(deaths.contains { !$0.inFlight.isEmpty }, "no change was under way at a kill")
            for death in deaths {
                // Stored before the death and acknowledged after it: duplicates when sent again.
                let duplicates = positions.filter {
                    $0.value.sequence <= death.head && !death.acknowledged.contains($0.key)
                }
                #expect(duplicates.count <= death.inFlight.count)
                #expect(duplicates.count <= Self.lanes)
                #expect(duplicates.keys.allSatisfy(death.inFlight.contains))
            }
        }

        /// Every change that comes again gets its first position, and is not stored again.
        private func checkResent(
            _ positions: [String: Position], _ connection: RouterConnection, _ path: String
        ) async throws {
            let before = try records(path).count
            for (id, position) in positions.sorted(by: { $0.key < $1.key }).prefix(200) {
                #expect(try await connection.change(ResendingProducer.message(id)) == position)
            }
            #expect(try records(path).count == before)
        }
    }
}
