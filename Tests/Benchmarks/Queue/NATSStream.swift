import Foundation

/// A connection to nats-server that does not block when it reads, and allocates nothing for a
/// message: it must not cost more than libzmq does for the other systems.
final class NATSStream {
    private let descriptor: Int32
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 22, alignment: 16)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    private var start = 0
    private var end = 0
    private var pending = 0
    /// Bodies of this size and more are sent from where they are.
    private static let copiedBytesMax = 1 << 15
    private static let carriageReturn = Int32(UInt8(ascii: "\r"))

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
        try write(text: #"CONNECT {"verbose":false,"pedantic":false,"lang":"bench"}"# + "\r\n")
        try flush()
    }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    func close() { Foundation.close(descriptor) }

    // MARK: Writing

    func write(text: String) throws(BenchError) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(BenchError) { try write(bytes, count: bytes.count) }

    /// The first bytes of an array.
    func write(_ bytes: [UInt8], count: Int) throws(BenchError) {
        var failure: BenchError?
        bytes.withUnsafeBytes { buffer in
            do throws(BenchError) {
                try write(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Gathers; `flush` sends. Without `isMoreComing` the last bytes never wait for further ones.
    func write(
        _ bytes: UnsafeRawBufferPointer, isMoreComing: Bool = false
    ) throws(BenchError) {
        if pending + bytes.count > output.count { try flush() }
        guard bytes.count < Self.copiedBytesMax else {
            try flush(isMoreComing: true)
            return try send(bytes, isMoreComing: isMoreComing)
        }
        guard let source = bytes.baseAddress, let target = output.baseAddress else { return }
        memcpy(target + pending, source, bytes.count)
        pending += bytes.count
    }

    func flush(isMoreComing: Bool = false) throws(BenchError) {
        guard pending > 0 else { return }
        try send(UnsafeRawBufferPointer(rebasing: output[0..<pending]), isMoreComing: isMoreComing)
        pending = 0
    }

    private func send(_ bytes: UnsafeRawBufferPointer, isMoreComing: Bool) throws(BenchError) {
        let flags = Int32(MSG_NOSIGNAL) | (isMoreComing ? Int32(MSG_MORE) : 0)
        var done = 0
        while done < bytes.count {
            let count = Foundation.send(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, flags)
            guard count > 0 else { throw BenchError(.answer, "nats-server closed") }
            done += count
        }
    }

    // MARK: Reading

    /// Waits until there is something to read.
    func wait(nanoseconds: Int) {
        ReadWait.wait(descriptor, nanoseconds: nanoseconds)
    }

    /// Gives the next MSG to `body`, with the subject to reply to; false if none is whole yet.
    /// What is gathered is sent before anything is waited for.
    func takeMessage(
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(BenchError) -> Void
    ) throws(BenchError) -> Bool {
        while true {
            if let line = lineEnd() {
                guard let message = try message(line) else {
                    start = line + 2
                    continue
                }
                if end - line >= message.size + 4 {
                    let first = line + 2
                    try body(
                        UnsafeRawBufferPointer(rebasing: input[message.reply]),
                        UnsafeRawBufferPointer(rebasing: input[first..<first + message.size]))
                    start = first + message.size + 2
                    return true
                }
            }
            try flush()
            guard try fill() else { return false }
        }
    }

    /// Where the CR of the next line stands.
    private func lineEnd() -> Int? {
        guard end - start >= 2, let base = input.baseAddress,
            let found = memchr(base + start, Self.carriageReturn, end - start - 1)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// What `MSG subject sid [reply] size` says; nil for another line.
    private func message(_ line: Int) throws(BenchError) -> (reply: Range<Int>, size: Int)? {
        guard input[start] == UInt8(ascii: "M") else {
            let text = String(decoding: input[start..<line], as: UTF8.self)
            if text == "PING" { try write(text: "PONG\r\n") }
            if text.hasPrefix("-ERR") { throw BenchError(.answer, text) }
            return nil
        }
        var words = 0
        var (wordStart, replyStart, replyEnd) = (start, start, start)
        for index in start..<line where input[index] == UInt8(ascii: " ") {
            words += 1
            if words == 4 { (replyStart, replyEnd) = (wordStart, index) }
            wordStart = index + 1
        }
        var size = 0
        for index in wordStart..<line { size = size * 10 + Int(input[index]) - 48 }
        return (replyStart..<replyEnd, size)
    }

    private func fill() throws(BenchError) -> Bool {
        if start == end { (start, end) = (0, 0) }
        guard let base = input.baseAddress else { return false }
        if start > input.count / 2 {
            memmove(base, base + start, end - start)
            (start, end) = (0, end - start)
        }
        let count = recv(descriptor, base + end, input.count - end, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        guard count > 0 else { throw BenchError(.answer, "nats-server closed") }
        end += count
        return true
    }
}
