import Foundation
import Messages
import Service
import TestSupport
import Testing
import ZeroMQ

extension EndToEndTests {
    /// Peers that send anything but the protocol.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct HostileTests {
        private static let messages = Soak.isOn ? 1_000_000 : 100_000

        @Test("T9: a router outlives malformed messages and serves beside")
        func routerOutlivesMalformedMessagesAndServesBeside() async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                let server = try deployment.process("serve")
                let client = try RouterConnection.open(deployment.client, name: "well-behaved")
                defer { client.close() }
                // The first part lets buffers and tables reach the size that they keep.
                try await send(0..<Self.messages / 5, to: deployment.port, beside: client)
                let before = server.residentKilobytes
                try await send(
                    Self.messages / 5..<Self.messages, to: deployment.port, beside: client)
                let after = server.residentKilobytes
                #expect(server.isRunning)
                #expect(after < before + 16_384, "memory went from \(before) to \(after) KB")
            }
        }

        /// Sends malformed messages of a seed each, a hundred to a connection, and asks in between.
        private func send(
            _ seeds: Range<Int>, to port: Int, beside client: RouterConnection
        ) async throws {
            for start in stride(from: seeds.lowerBound, to: seeds.upperBound, by: 100) {
                try flood(start..<min(start + 100, seeds.upperBound), to: port + start / 100 % 3)
                guard start % 2_000 == 0 else { continue }
                let reply = try await client.request(
                    .request(ServiceName.entityList, .object([:]), budgetMilliseconds: 2_000))
                #expect(reply.isComplete)
            }
        }

        private func flood(_ seeds: Range<Int>, to port: Int) throws {
            let context = try Context()
            var options = SocketOptions()
            options.immediate = false
            options.lingerMilliseconds = 1_000
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
    }
}

/// Multipart messages that are wrong in one way or another.
enum Malformed {
    static func frames(_ random: inout SeededRandom) -> [[UInt8]] {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return noise(&random)
        case 1: return mutated(valid(&random), &random)
        case 2: return Array(valid(&random).prefix(1))
        case 3: return valid(&random) + noise(&random)
        case 4: return [[], []] + valid(&random)
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
