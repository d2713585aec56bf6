import TestSupport
import Testing

/// A month of calendar traffic through the real routers, clients, journal server and replicas, on a
/// network that drops, delays, doubles and reorders, between processes that crash and pause.
@Suite(.timeLimit(.minutes(30)))
struct SimulatedMonthTests {
    @Test("A month of 10 accounts and 200 events over a bad network", arguments: 1...6)
    func shortMonth(seed: Int) throws {
        try run(seed: UInt64(seed), accounts: 10, events: 200)
    }

    @Test("A month of 100 accounts and 20,000 events over a bad network", .enabled(if: Soak.isOn))
    func wholeMonth() throws {
        try run(seed: 7, accounts: 100, events: 20_000)
    }

    private func run(seed: UInt64, accounts: Int, events: Int) throws {
        try withMemoryDirectory { folder in
            let month = try SimulatedMonth(
                seed: seed, accounts: accounts, events: events, folder: folder)
            let simulation = Simulation(seed: seed, month: month)
            let violation = simulation.run()
            #expect(violation == nil)
            #expect(month.isSent)
            #expect(simulation.checker.acks > month.month.deliveries.count / 2)
        }
    }
}
