import CZeroMQ
import Foundation
import Messages
import Service

/// Answers every request of our protocol with its own body, as a process of its own: what the
/// workers of `brk.c` are for the other systems.
enum EchoWorker: Benchmark {
    static let name = "echo-worker"
    static let summary = "answers requests with their own bodies"
    static let options = ["port", "credit", "key"]

    static func run(_ options: BenchOptions) throws {
        let worker = try Echo(
            port: options.count("port", default: 0), credit: options.count("credit", default: 64),
            keys: options["key"].map { try LoadKeys(file: $0) })
        try worker.run()
    }

    private final class Echo {
        private let socket: LoadSocket
        private let credit: Int
        private var first = zmq_msg_t()
        private var body = zmq_msg_t()
        private var answer: [UInt8]
        /// Where the item's length stands in the first frame of an answer.
        private let lengthOffset: Int

        init(port: Int, credit: Int, keys: LoadKeys?) throws {
            socket = try LoadSocket(port: port, keys: keys)
            self.credit = credit
            zmq_msg_init(&first)
            zmq_msg_init(&body)
            // The whole body is an array of one item, which begins behind its bracket.
            let item = MergeItem(sortKey: [0], unionKey: [0], json: [])
            var final = Message(Header(.final))
            final.fields.set(.items, MergeItem.encode([item]).list)
            answer = final.frames()[0]
            lengthOffset = answer.count - 5
            var hello = Message(Header(.hello))
            var random = SystemRandomNumberGenerator()
            hello.fields.identity = Identity(using: &random)
            hello.fields.set(.incarnation, integer: UInt64(SystemClock.wall().milliseconds))
            hello.fields.set(.name, text: "echo")
            hello.fields.set(.pingInterval, integer: Limits.pingIntervalMillisecondsMax)
            hello.fields.offers = [ServiceOffer(service: SightlineConnection.service)]
            try send(hello)
        }

        private func send(_ message: Message) throws {
            let frames = message.frames()
            for (index, bytes) in frames.enumerated() {
                try socket.send(bytes, more: index + 1 < frames.count)
            }
        }

        func run() throws {
            while try socket.receive(&first, waits: true) {
                let command = first.withBytes { $0.count > 31 ? Command(rawValue: $0[6]) : nil }
                switch command {
                case .request: try echo()
                case .welcome:
                    try skip()
                    var ready = Message(Header(.ready))
                    ready.fields.set(.credit, integer: UInt32(credit))
                    try send(ready)
                case .ping:
                    try skip()
                    try send(Message(Header(.pong)))
                default: try skip()
                }
            }
        }

        private func skip() throws {
            while zmq_msg_more(&first) != 0 { _ = try socket.receive(&first, waits: true) }
        }

        private func echo() throws {
            first.withBytes { request in
                answer.withUnsafeMutableBytes { $0[16..<32].copyBytes(from: request[16..<32]) }
            }
            _ = try socket.receive(&body, waits: true)
            let length = UInt32(zmq_msg_size(&body) - 2).bigEndian
            answer.withUnsafeMutableBytes {
                $0.storeBytes(of: length, toByteOffset: lengthOffset, as: UInt32.self)
            }
            try socket.send(answer, more: true)
            try socket.pass(&body, more: false)
        }
    }
}

/// The same for nats-server: a member of a queue group.
enum NATSWorker: Benchmark {
    static let name = "nats-worker"
    static let summary = "answers requests of a queue group with their own bodies"
    static let options = ["port"]

    static func run(_ options: BenchOptions) throws {
        let stream = try NATSStream(port: options.count("port", default: 0))
        try stream.write(text: "SUB \(NATSConnection.subject) workers 1\r\n")
        try stream.flush()
        var head = [UInt8](repeating: 0, count: headBytesMax)
        while true {
            while try stream.takeMessage({ (reply, body) throws(BenchError) in
                let count = publish(reply, body.count, into: &head)
                try stream.write(head, count: count)
                try stream.write(body, isMoreComing: true)
                try stream.write(lineEnd)
            }) {}
            stream.wait(nanoseconds: 1_000_000_000)
        }
    }

    private static let headBytesMax = 256
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
    private static let verb = Array("PUB ".utf8)

    /// Writes `PUB reply size` with its line end, and says how many bytes that are.
    private static func publish(
        _ reply: UnsafeRawBufferPointer, _ size: Int, into head: inout [UInt8]
    ) -> Int {
        precondition(reply.count + 32 <= headBytesMax, "a subject of this benchmark is short")
        return head.withUnsafeMutableBytes { bytes in
            var end = 0
            func add(_ byte: UInt8) {
                bytes[end] = byte
                end += 1
            }
            for byte in verb { add(byte) }
            for byte in reply { add(byte) }
            add(UInt8(ascii: " "))
            var power = 1
            while size / power >= 10 { power *= 10 }
            while power > 0 {
                add(UInt8(ascii: "0") + UInt8(size / power % 10))
                power /= 10
            }
            for byte in lineEnd { add(byte) }
            return end
        }
    }
}
