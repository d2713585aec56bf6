import CZeroMQ
import Foundation

/// What the load client does with every system: sends numbered requests and takes answers.
///
/// The first eight bytes of a body are the request's number. Nothing is parsed beyond what finds
/// it, so that the client costs the same with each system as far as their protocols allow.
protocol LoadConnection: AnyObject {
    /// The next request's number; none is used twice, so that a late answer is known as one.
    var nextNumber: UInt64 { get set }
    /// Sends request number `number`, whose body has the size that the connection was made with;
    /// false if there is no room for it until answers are taken.
    func send(_ number: UInt64) throws -> Bool
    /// An answer that has arrived; nil if none has. What is sent is on its way by then.
    func take() throws -> LoadAnswer?
    /// Waits until something may have arrived, for so many nanoseconds at most. Nothing may have
    /// been sent since `take` had nothing.
    func wait(nanoseconds: Int)
    func close()
}

/// What became of a request, by its number.
enum LoadAnswer {
    /// It has its answer.
    case done(UInt64)
    /// The system did not take it.
    case refused(UInt64)

    var number: UInt64 {
        switch self {
        case .done(let number), .refused(let number): number
        }
    }
}

/// A DEALER socket of libzmq with nothing around it, for the load client and echo workers.
final class LoadSocket {
    private let context: UnsafeMutableRawPointer
    private let handle: UnsafeMutableRawPointer
    private var isOpen = true
    /// Readable when libzmq has something to look at.
    private var signal: Int32 = -1

    /// Connects to a port of 127.0.0.1, with keys or without.
    init(port: Int, keys: LoadKeys? = nil) throws(BenchError) {
        guard let context = zmq_ctx_new(), let handle = zmq_socket(context, ZMQ_DEALER) else {
            throw BenchError(.system, "libzmq opens no socket")
        }
        self.context = context
        self.handle = handle
        var linger: Int32 = 0
        zmq_setsockopt(handle, ZMQ_LINGER, &linger, MemoryLayout<Int32>.size)
        if let keys {
            // Whoever has the server's own pair is let in.
            for (option, key) in [
                (ZMQ_CURVE_SERVERKEY, keys.publicKey), (ZMQ_CURVE_PUBLICKEY, keys.publicKey),
                (ZMQ_CURVE_SECRETKEY, keys.secretKey),
            ] {
                guard zmq_setsockopt(handle, option, key, key.utf8.count) == 0 else {
                    throw BenchError(.system, "libzmq takes no CURVE keys")
                }
            }
        }
        guard zmq_connect(handle, "tcp://127.0.0.1:\(port)") == 0 else {
            throw BenchError(.system, "port \(port) cannot be reached")
        }
        var size = MemoryLayout<Int32>.size
        zmq_getsockopt(handle, ZMQ_FD, &signal, &size)
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        zmq_close(handle)
        zmq_ctx_term(context)
    }

    func send(_ frame: [UInt8], more: Bool) throws(BenchError) {
        guard zmq_send(handle, frame, frame.count, more ? ZMQ_SNDMORE : 0) >= 0 else {
            throw BenchError(.answer, "libzmq sends nothing")
        }
    }

    /// Begins a message with its first frame; false if there is no room for it now. Waiting for it
    /// here would be for ever if the other side waits for answers to be taken.
    func begin(_ frame: [UInt8]) throws(BenchError) -> Bool {
        while zmq_send(handle, frame, frame.count, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return false
            default: throw BenchError(.answer, "libzmq sends nothing")
            }
        }
        return true
    }

    /// Sends a frame that was received; it is not copied.
    func pass(_ frame: inout zmq_msg_t, more: Bool) throws(BenchError) {
        guard zmq_msg_send(&frame, handle, more ? ZMQ_SNDMORE : 0) >= 0 else {
            throw BenchError(.answer, "libzmq sends nothing")
        }
    }

    /// Receives the next frame into `frame`; false if there is none now. Waits if told to.
    func receive(_ frame: inout zmq_msg_t, waits: Bool = false) throws(BenchError) -> Bool {
        while true {
            if zmq_msg_recv(&frame, handle, waits ? 0 : ZMQ_DONTWAIT) >= 0 { return true }
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return false
            default: throw BenchError(.answer, "libzmq receives nothing")
            }
        }
    }

    /// Waits for a message. The descriptor tells of news once, so all that there was must have
    /// been received, and nothing sent since.
    func wait(nanoseconds: Int) { ReadWait.wait(signal, nanoseconds: nanoseconds) }
}

/// The pair of a server, as a file of `sightline key new` has it.
struct LoadKeys {
    let publicKey: String
    let secretKey: String

    init(file: String) throws {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        func value(_ name: String) throws -> String {
            guard let line = lines.first(where: { $0.contains("\(name) = ") }) else {
                throw BenchError(.system, "'\(file)' has no \(name)")
            }
            return String(line.split(separator: "\"")[1])
        }
        publicKey = try value("public-key")
        secretKey = try value("secret-key")
    }
}

extension zmq_msg_t {
    /// The bytes of the message, for as long as it is neither sent nor closed.
    mutating func withBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        let count = zmq_msg_size(&self)
        return body(UnsafeMutableRawBufferPointer(start: zmq_msg_data(&self), count: count))
    }
}

/// Numbers in bodies.
enum BodyNumber {
    static func write(_ number: UInt64, to body: inout [UInt8], at offset: Int = 0) {
        body.withUnsafeMutableBytes {
            $0.storeBytes(of: number, toByteOffset: offset, as: UInt64.self)
        }
    }
    static func read(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) -> UInt64 {
        guard bytes.count >= offset + 8 else { return .max }
        return bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
