import Foundation
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// A month of calendar traffic under real processes that are killed on the way.
    @Suite(.serialized, .timeLimit(.minutes(15)))
    struct CalendarMonthProcessTests {
        @Test("A month of 8 accounts and 240 events, with kills")
        func shortMonth() async throws {
            try await run(accounts: 8, events: 240, kills: 6)
        }

        @Test("A month of 100 accounts and 20,000 events, with kills", .enabled(if: Soak.isOn))
        func wholeMonth() async throws {
            try await run(accounts: 100, events: 20_000, kills: 60)
        }

        private func run(accounts: Int, events: Int, kills: Int) async throws {
            let now = SystemClock.wall().milliseconds
            let month = CalendarMonth(
                seed: 11, accounts: accounts, events: events,
                start: now - CalendarMonth.milliseconds, storedAt: now)
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                let journal = ["--snapshot-every", "200"]
                try await deployment.startRoles(workers: 2, journal: journal)
                let connection = try RouterConnection.open(deployment.client, name: "month")
                let producers = Task { try await send(month, over: connection) }
                for number in 0..<kills {
                    try await Task.sleep(for: .milliseconds(400))
                    try kill(number, of: deployment, journal: journal)
                }
                try await producers.value
                connection.close()
                try await expectEachWorker(of: deployment, holds: month.expected)
            }
        }

        private func kill(_ number: Int, of deployment: Deployment, journal: [String]) throws {
            switch number % 4 {
            case 0:
                try deployment.process("worker-1").killNow()
                try deployment.startWorker("worker-1")
            case 1:
                try deployment.process("journal").killNow()
                try deployment.startJournal(journal)
            case 2:
                try deployment.process("worker-2").killNow()
                try deployment.startWorker("worker-2")
            default:
                try deployment.process("router").killNow()
                try deployment.startRouter()
            }
        }

        /// Each account's changes in their order, many accounts at a time.
        private func send(_ month: CalendarMonth, over connection: RouterConnection) async throws {
            let byAccount = Dictionary(grouping: month.deliveries, by: \.account)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for deliveries in byAccount.values {
                    group.addTask {
                        for delivery in deliveries { await Self.send(delivery, connection) }
                    }
                }
                try await group.waitForAll()
            }
        }

        /// Until it is stored, or refused for good.
        private static func send(
            _ delivery: CalendarMonth.Delivery, _ connection: RouterConnection
        ) async {
            while true {
                do {
                    try await connection.change(
                        .change(
                            delivery.kind, delivery.body, source: "month", id: delivery.id,
                            partitionKey: delivery.account, account: delivery.account,
                            budgetMilliseconds: 2_000))
                    #expect(delivery.isAllowed, "\(delivery.id) is stored")
                    return
                } catch {
                    if (error as? RequestFailure)?.code == .accessRequired {
                        #expect(!delivery.isAllowed, "\(delivery.id) is refused")
                        return
                    }
                    // Whatever was killed comes back.
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
        }

        /// One worker answers while the other is down, and then the other way round.
        private func expectEachWorker(
            of deployment: Deployment, holds expected: [String: CalendarMonth.Expected]
        ) async throws {
            for (asked, other) in [("worker-1", "worker-2"), ("worker-2", "worker-1")] {
                try deployment.process(other).killNow()
                try await deployment.untilWorkers(are: 1)
                let connection = try RouterConnection.open(deployment.client, name: "check")
                let head = try await connection.change(
                    .change(
                        .calendarAccess, CalendarAccess(status: .denied).json, source: "check",
                        id: asked, partitionKey: "last", account: "last",
                        budgetMilliseconds: 10_000))
                for (account, wanted) in expected {
                    var wanted = wanted
                    wanted.calendars = wanted.calendars.mapValues {
                        $0.mapValues(CalendarMonth.essence)
                    }
                    let held = try await export(account, connection, knowing: head)
                    #expect(held == wanted, "\(asked): \(account)")
                }
                connection.close()
                try deployment.startWorker(other)
                try await deployment.untilWorkers(are: 2)
            }
        }

        private func export(
            _ account: String, _ connection: RouterConnection, knowing head: Position
        ) async throws -> CalendarMonth.Expected {
            var held = CalendarMonth.Expected(access: .notDetermined, calendars: [:])
            var after: AccountExportRequest.Place?
            while true {
                var message = Message.accountExport(
                    account, after: after, budgetMilliseconds: 10_000)
                message.fields.leastPosition = head
                let reply: Reply
                do {
                    reply = try await connection.request(message)
                } catch {
                    guard (error as? RequestFailure)?.code == .notFound else { throw error }
                    return held
                }
                guard !reply.items.isEmpty else { return held }
                for row in reply.items {
                    if let status = row["status"]?.text.flatMap(AccessStatus.init) {
                        held.access = status
                    }
                    guard let calendar = row["calendar"]?.text else { continue }
                    after = .init(
                        store: .calendar, collection: calendar, id: row["uid"]?.text ?? "")
                    guard let uid = row["uid"]?.text, let text = row["ics"]?.text else { continue }
                    held.calendars[calendar, default: [:]][uid] = CalendarMonth.essence(of: text)
                }
                guard after != nil else { return held }
            }
        }
    }
}
