import Foundation

/// Speaks the client protocol of nats-server over a socket of its own, with what is read and what
/// is written gathered in buffers.
final class NATSConnection: LoadConnection {
    static let subject = "bench.work"
    private let stream: NATSStream
    private var message: [UInt8]
    private let bodyOffset: Int

    init(port: Int, size: Int) throws {
        stream = try NATSStream(port: port)
        let size = max(size, 16)
        let inbox = "_INBOX.\(UInt32.random(in: 0 ... .max))"
        try stream.write(Array("SUB \(inbox) 1\r\n".utf8))
        let head = Array("PUB \(Self.subject) \(inbox) \(size)\r\n".utf8)
        bodyOffset = head.count
        message =
            head + [UInt8](repeating: UInt8(ascii: "x"), count: size) + [0x0D, 0x0A]
        try stream.flush()
    }

    func send(_ number: UInt64) throws {
        BodyNumber.write(number, to: &message, at: bodyOffset)
        try stream.write(message)
    }

    func take() throws -> UInt64? {
        try stream.flush()
        var number: UInt64?
        _ = try stream.takeMessage { _, body in number = BodyNumber.read(body) }
        return number
    }

    func wait(milliseconds: Int) { stream.wait(milliseconds: milliseconds) }
    func close() { stream.close() }
}

/// A connection to nats-server that does not block when it reads.
final class NATSStream {
    private let descriptor: Int32
    private var input = [UInt8](repeating: 0, count: 1 << 21)
    private var start = 0
    private var end = 0
    private var output: [UInt8] = []

    init(port: Int) throws(BenchError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackAddress.of(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw BenchError(.program, "nothing listens on port \(port)") }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
        let greeting = #"CONNECT {"verbose":false,"pedantic":false,"lang":"bench"}"#
        try write(Array("\(greeting)\r\n".utf8))
        try flush()
    }

    func close() { Foundation.close(descriptor) }

    /// Gathers; `flush` sends.
    func write(_ bytes: [UInt8]) throws(BenchError) {
        output += bytes
        if output.count > 1 << 18 { try flush() }
    }
    func write(_ bytes: UnsafeRawBufferPointer) throws(BenchError) {
        output.append(contentsOf: bytes)
        if output.count > 1 << 18 { try flush() }
    }

    func flush() throws(BenchError) {
        var done = 0
        while done < output.count {
            let count = output.withUnsafeBytes {
                Foundation.send(
                    descriptor, $0.baseAddress.map { $0 + done }, $0.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchError(.answer, "nats-server closed") }
            done += count
        }
        output.removeAll(keepingCapacity: true)
    }

    /// Waits until there is something to read.
    func wait(milliseconds: Int) {
        guard start == end else { return }
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&item, 1, Int32(milliseconds))
    }

    /// Gives the next MSG to `body`, with the subject to reply to; false if none is whole yet.
    func takeMessage(
        _ body: (String, UnsafeRawBufferPointer) -> Void
    ) throws(BenchError) -> Bool {
        while true {
            if let line = lineEnd() {
                let text = String(decoding: input[start..<line], as: UTF8.self)
                guard text.hasPrefix("MSG ") else {
                    start = line + 2
                    if text == "PING" { try write(Array("PONG\r\n".utf8)) }
                    if text.hasPrefix("-ERR") { throw BenchError(.answer, text) }
                    continue
                }
                let words = text.split(separator: " ")
                guard let size = words.last.flatMap({ Int($0) }) else {
                    throw BenchError(.answer, "nats-server: \(text)")
                }
                if end - line >= size + 4 {
                    let reply = words.count == 5 ? String(words[3]) : ""
                    input.withUnsafeBytes {
                        body(
                            reply, UnsafeRawBufferPointer(rebasing: $0[line + 2..<line + 2 + size]))
                    }
                    start = line + 2 + size + 2
                    return true
                }
            }
            guard try fill() else { return false }
        }
    }

    /// Where the CR of the next line stands.
    private func lineEnd() -> Int? {
        var index = start
        while index + 1 < end {
            if input[index] == 0x0D, input[index + 1] == 0x0A { return index }
            index += 1
        }
        return nil
    }

    private func fill() throws(BenchError) -> Bool {
        if start == end { (start, end) = (0, 0) }
        if start > 1 << 20 {
            input.replaceSubrange(0..<end - start, with: input[start..<end])
            (start, end) = (0, end - start)
        }
        let room = input.count - end
        let count = input.withUnsafeMutableBytes {
            recv(descriptor, $0.baseAddress.map { $0 + end }, room, Int32(MSG_DONTWAIT))
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        guard count > 0 else { throw BenchError(.answer, "nats-server closed") }
        end += count
        return true
    }
}
