import Messages
import Queue
import Testing

/// When a router wakes for its peers.
@Suite struct PeerTimerTests {
    private static let ping = Message(Header(.ping))

    @Test func peersThatPingWakeItByTheirMessagesAlone() {
        var bench = RouterBench { $0.pingIntervalMilliseconds = 200 }
        let peers = [bench.joinClient(1), bench.joinClient(2), bench.joinWorker(1)]
        _ = bench.pass(1_000, living: peers)
        for _ in 0..<20 {
            for peer in peers { _ = bench.receive(Self.ping, from: peer) }
            bench.clock += 200
            let wake = bench.router.nextWake ?? MonotonicTime(nanoseconds: .max)
            #expect(wake.nanoseconds > bench.clock * 1_000_000)
        }
    }

    @Test func whoFallsSilentIsLostInItsTime() throws {
        var bench = RouterBench { $0.pingIntervalMilliseconds = 200 }
        let silent = [bench.joinClient(1), bench.joinWorker(1)]
        let living = bench.joinClient(2)
        _ = bench.pass(1_000, living: silent + [living])
        for peer in silent + [living] { _ = bench.receive(Self.ping, from: peer) }
        let patience = 200 * UInt64(Limits.missedPingsMax)
        func lost() -> Int {
            bench.facts.count {
                if case .lost = $0 { true } else { false }
            }
        }
        _ = bench.pass(patience - 1, living: [living])
        #expect(lost() == 0)
        _ = bench.pass(252, living: [living])
        #expect(lost() == 2)
    }
}
