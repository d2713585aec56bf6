import Foundation
import Locking
import Messages
import Service
import TestSupport
import Testing
import ZeroMQ

extension EndToEndTests {
    /// Peers that send anything but the protocol.
    @Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 60 : 5)))
    struct HostileTests {
        private static let messages = Soak.isOn ? 1_000_000 : 100_000
        private static let perConnection = 100
        private static let pauseMicroseconds: UInt32 = 20_000

        @Test("T9: a router outlives malformed messages and serves beside")
        func routerOutlivesMalformedMessagesAndServesBeside() async throws {
            try await withServedFolder { deployment, _ in
                let server = try deployment.process("serve")
                let client = try RouterConnection.open(deployment.client, name: "well-behaved")
                defer { client.close() }
                let undisturbed = await ask(client, seconds: Soak.isOn ? 20 : 2)
                let isFlooded = Locked(true)
                async let answered = askWhile(client) { isFlooded.withLock { $0 } }
                // The first part lets buffers and tables reach the size that they keep.
                try await flood(0..<Self.messages / 5, deployment.port)
                let before = server.residentKilobytes
                try await flood(Self.messages / 5..<Self.messages, deployment.port)
                let after = server.residentKilobytes
                isFlooded.withLock { $0 = false }
                let beside = await answered
                print(
                    "T9: memory \(before) → \(after) KB; p99",
                    percentile(0.99, undisturbed.milliseconds), "→",
                    percentile(0.99, beside.milliseconds), "ms, p50",
                    percentile(0.5, undisturbed.milliseconds), "→",
                    percentile(0.5, beside.milliseconds), "ms of", beside.milliseconds.count)
                #expect(server.isRunning)
                #expect(undisturbed.failures.isEmpty && beside.failures.isEmpty)
                #expect(after < before + 10_000, "memory went from \(before) to \(after) KB")
                guard Soak.isOn else { return }
                let (quiet, loud) = (undisturbed.milliseconds, beside.milliseconds)
                #expect(percentile(0.99, loud) < 2 * percentile(0.99, quiet))
            }
        }

        /// How long answers took, and what was none.
        private struct Answers: Sendable {
            var milliseconds: [Double] = []
            var failures: [String] = []
        }

        private func ask(_ client: RouterConnection, seconds: Double) async -> Answers {
            let end = ContinuousClock.now + .seconds(seconds)
            return await askWhile(client) { ContinuousClock.now < end }
        }

        /// Asks fifty times a second for as long as something is so.
        private func askWhile(
            _ client: RouterConnection, _ goesOn: @escaping @Sendable () -> Bool
        ) async -> Answers {
            var answers = Answers()
            let clock = ContinuousClock()
            while goesOn() {
                let start = clock.now
                do {
                    let reply = try await client.request(
                        .request(ServiceName.entityList, .object([:]), budgetMilliseconds: 2_000))
                    if !reply.isComplete { answers.failures.append("incomplete") }
                } catch {
                    answers.failures.append("\(error)")
                }
                let passed = (clock.now - start).components
                answers.milliseconds.append(
                    Double(passed.seconds) * 1_000 + Double(passed.attoseconds) / 1e15)
                try? await clock.sleep(until: start + .milliseconds(20))
            }
            return answers
        }

        /// Sends malformed messages of a seed each, a hundred to a connection, to clients',
        /// workers' and the journal's endpoints in turn; on a thread of its own, since it waits.
        private func flood(_ seeds: Range<Int>, _ port: Int) async throws {
            try await Task.detached {
                for start in stride(
                    from: seeds.lowerBound, to: seeds.upperBound, by: Self.perConnection)
                {
                    let end = min(start + Self.perConnection, seeds.upperBound)
                    try Self.send(start..<end, to: port + start / Self.perConnection % 3)
                    // Leaves the cores some time: it is the router that is judged, not the sender.
                    if Soak.isOn { usleep(Self.pauseMicroseconds) }
                }
            }.value
        }

        private static func send(_ seeds: Range<Int>, to port: Int) throws {
            let context = try Context()
            var options = SocketOptions()
            options.immediate = false
            options.lingerMilliseconds = 1_000
            var random = SeededRandom(seed: UInt64(seeds.lowerBound))
            // The longest id that there may be, of any bytes.
            if Bool.random(using: &random) { options.routingID = [0xFF] + random.bytes(254) }
            let socket = try Socket(context, .dealer, options: options)
            try socket.connect("tcp://127.0.0.1:\(port)")
            for seed in seeds {
                var random = SeededRandom(seed: UInt64(seed))
                _ = try socket.send(Malformed.frames(&random))
            }
            // Closed and terminated, the context waits until all is sent, at most the linger.
            socket.close()
            context.terminate()
        }

        @Test("T10: a thousand idle and babbling connections hold nobody up, with keys")
        func rawConnectionsHoldNobodyUp() async throws {
            try await withTemporaryDirectory { folder in
                OpenFiles.raiseLimit()
                let ring = try KeyRing(folder: folder, allowing: ["ada"])
                let deployment = Deployment(folder: folder)
                deployment.keys = try ring.connection("ada")
                // Less than there will be connections: a server raises it for itself.
                try await deployment.serve(
                    ring.server(),
                    wrapper: ["sh", "-c", "ulimit -Sn 256; exec \"$0\" \"$@\""])
                let server = try deployment.process("serve")
                let client = try RouterConnection.open(
                    deployment.client, name: "good", keys: deployment.keys)
                defer { client.close() }
                let before = await ask(client, seconds: 2)
                let files = server.openFiles
                let raw = (0..<1_000).compactMap { number in
                    RawConnection(port: deployment.port, babbles: number % 2 == 0)
                }
                defer { for one in raw { one.close() } }
                #expect(raw.count == 1_000)
                let during = await ask(client, seconds: 2)
                let late = try RouterConnection.open(
                    deployment.client, name: "late", keys: deployment.keys)
                defer { late.close() }
                let other = await ask(late, seconds: 1)
                #expect((before.failures + during.failures + other.failures).isEmpty)
                print(
                    "T10: p99", percentile(0.99, before.milliseconds), "→",
                    percentile(0.99, during.milliseconds), "ms; files \(files) →",
                    server.openFiles)
                #expect(server.openFiles > files + 400)
                guard Soak.isOn else { return }
                // Who says nothing is cut off once the time for a handshake is over.
                try await Task.sleep(for: .seconds(11))
                #expect(server.openFiles <= files + 8)
            }
        }
    }
}

/// Multipart messages that are wrong in one way or another.
enum Malformed {
    static func frames(_ random: inout SeededRandom) -> [[UInt8]] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return noise(&random)
        case 1: return mutated(valid(&random), &random)
        case 2: return Array(valid(&random).prefix(1))
        case 3: return valid(&random) + noise(&random)
        case 4: return [[], []] + valid(&random)
        case 5:
            // Another magic.
            var frames = valid(&random)
            frames[0].replaceSubrange(0..<4, with: random.bytes(4))
            return frames
        case 6:
            // Large, and seldom: what would be the body, or what would be the head.
            guard Int.random(in: 0..<20, using: &random) == 0 else { return [[]] }
            return [random.bytes(Int.random(in: 0...65_536, using: &random))] + valid(&random)
        default:
            var frames = valid(&random)
            frames[0][4] = UInt8.random(in: 0...255, using: &random)
            return frames
        }
    }

    private static func noise(_ random: inout SeededRandom) -> [[UInt8]] {
        (0..<Int.random(in: 1...20, using: &random)).map { _ in
            random.bytes(Int.random(in: 0...600, using: &random))
        }
    }

    private static func valid(_ random: inout SeededRandom) -> [[UInt8]] {
        let commands = Messages.Command.allCases
        let command = commands[Int.random(in: 0..<commands.count, using: &random)]
        var message = Message(
            Header(command, requestID: RequestID(high: random.next(), low: random.next())))
        message.header.budgetMilliseconds = UInt32.random(in: 0...2_000, using: &random)
        message.fields.set(.service, text: "image.search")
        if Bool.random(using: &random) {
            message.fields.set(.identity, random.bytes(16))
            message.fields.set(.incarnation, integer: random.next())
        }
        message.body = random.bytes(Int.random(in: 0...300, using: &random))
        return message.frames()
    }

    private static func mutated(
        _ frames: [[UInt8]], _ random: inout SeededRandom
    ) -> [[UInt8]] {
        var frames = frames
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let frame = Int.random(in: 0..<frames.count, using: &random)
            guard !frames[frame].isEmpty else { continue }
            let index = Int.random(in: 0..<frames[frame].count, using: &random)
            frames[frame][index] = UInt8.random(in: 0...255, using: &random)
        }
        return frames
    }
}
