/// The limit that a transfer is held against; see `snapshot`.
enum RawServer: Benchmark {
    static let name = "raw-server"
    static let summary = "serves the chunks of a snapshot from memory over plain ZeroMQ"
    static let options: [String] = []

    static func run(_ options: BenchOptions) throws {}
}
