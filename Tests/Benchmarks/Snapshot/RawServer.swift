import Journal
import Messages

/// The other end of the raw transfer, as a process of its own: gives the chunks of a journal's
/// newest snapshot from memory, each for its number in 4 bytes.
enum RawServer: Benchmark {
    static let name = "raw-server"
    static let summary = "serves the chunks of a snapshot from memory over plain ZeroMQ"
    static let options = ["journal", "port"]

    static func run(_ options: BenchOptions) throws {
        guard let folder = options["journal"] else {
            throw BenchError(.usage, "--journal is needed")
        }
        let journal = try SegmentJournal(folder: folder, mode: .readOnly, newEpoch: 0)
        guard let snapshot = journal.snapshots.last else {
            throw BenchError(.usage, "the journal has no snapshot")
        }
        let chunks = try snapshot.chunks.indices.map { index in
            try journal.chunk(index, of: snapshot.id) ?? []
        }
        let socket = try RawSocket.router(port: options.count("port", default: 0))
        while true {
            let route = try socket.receive { Array($0) }
            let number = try socket.receive { bigEndianInteger(Array($0)) as UInt32 }
            guard chunks.indices.contains(Int(number)) else { continue }
            try socket.send(route, more: true)
            try socket.send(chunks[Int(number)])
        }
    }
}

/// Takes all chunks over plain ZeroMQ, as many at a time as a replica.
struct RawTransfer {
    let port: Int
    private static let window = 3

    /// Connects as a new replica has to, and takes the chunks.
    ///
    /// - Returns: The bytes that came.
    func run(chunks: Int) throws(BenchError) -> Int {
        let socket = try RawSocket.dealer(port: port)
        func ask(_ number: Int) throws(BenchError) {
            try socket.send(bigEndianBytes(UInt32(number)))
        }
        for number in 0..<min(Self.window, chunks) { try ask(number) }
        var bytes = 0
        for number in 0..<chunks {
            bytes += try socket.receive { $0.count }
            if number + Self.window < chunks { try ask(number + Self.window) }
        }
        return bytes
    }
}
