import Foundation

/// A blocking connection to a peer on this machine, with a buffer for what it says.
final class TCPConnection {
    private let descriptor: Int32
    private var isOpen = true
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var start = 0
    private var end = 0
    private static let answerSeconds = 60

    /// Connects to a port of 127.0.0.1.
    init(port: Int) throws(BenchError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError(.system, "no socket") }
        var address = LoopbackAddress.of(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Foundation.close(descriptor)
            isOpen = false
            throw BenchError(.program, "nothing listens on port \(port)")
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
        var limit = timeval(tv_sec: Self.answerSeconds, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        Foundation.close(descriptor)
    }

    func write(_ bytes: [UInt8]) throws(BenchError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(
                    descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchError(.answer, "the peer closed the connection") }
            done += count
        }
    }

    /// The next line, without its CR LF.
    func line() throws(BenchError) -> String {
        var bytes: [UInt8] = []
        while true {
            if let index = buffer[start..<end].firstIndex(of: UInt8(ascii: "\n")) {
                bytes += buffer[start..<index]
                start = index + 1
                if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
                return String(decoding: bytes, as: UTF8.self)
            }
            bytes += buffer[start..<end]
            start = end
            try fill()
        }
    }

    /// The next bytes.
    func bytes(_ count: Int) throws(BenchError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if start == end { try fill() }
            let part = min(count - bytes.count, end - start)
            bytes += buffer[start..<start + part]
            start += part
        }
        return bytes
    }

    private func fill() throws(BenchError) {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchError(.answer, "the peer is silent or gone") }
        start = 0
        end = count
    }
}

/// Addresses of this machine.
enum LoopbackAddress {
    static func of(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// The first of so many ports behind one another that nothing listens on.
    static func freePorts(_ count: Int = 1) throws(BenchError) -> Int {
        for _ in 0..<1_000 {
            let base = Int.random(in: 20_000...31_000)
            if (base..<base + count).allSatisfy(isFree) { return base }
        }
        throw BenchError(.system, "no \(count) free ports behind one another")
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = of(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
