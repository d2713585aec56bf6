import CIsolation

/// Runs a decoder of a C library in a process of its own.
///
/// libwebp and libheif cannot be asked to stop, take memory by what a file claims, and have had
/// faults that a picture can reach, and so have profiles in Little CMS. In a process of its own a
/// decoder is ended at any moment, has a limit of memory, and takes nothing with it when it falls.
/// libpng and libjpeg read a row at a time and need none of this.
struct IsolatedDecoder {
    /// What a finished decoder left.
    struct Outcome {
        /// Its own code; 0 for success.
        let status: Int32
        let values: [Int]
        let message: String
        /// Bytes that the process's memory rose by at its peak.
        let peakBytes: Int
    }

    /// For the error's context.
    let format: String
    let work: sl_isolated_work
    /// Bytes that it writes.
    let outputBytes: Int
    /// Bytes of memory that it may take besides.
    let memoryBytes: Int

    /// Milliseconds between two questions whether to stop.
    private static let pollMilliseconds: Int32 = 10

    /// Runs it with its own parameters and with bytes of a file, and hands on what it wrote.
    ///
    /// - Throws: `stopped`, without waiting until the process has ended; `corrupt` if the process
    ///   died; what `body` throws.
    func run<Parameters: BitwiseCopyable, Result>(
        _ parameters: Parameters, _ bytes: UnsafeBufferPointer<UInt8>, _ shouldStop: () -> Bool,
        _ body: (Outcome, UnsafePointer<UInt8>) throws(RasterError) -> Result
    ) throws(RasterError) -> Result {
        let order = sl_isolated_order(
            work: work, parameter_bytes: MemoryLayout<Parameters>.size, input_bytes: bytes.count,
            output_bytes: outputBytes, memory_bytes: memoryBytes, nice: 0)
        var job = sl_isolated()
        let isStarted = withUnsafeBytes(of: parameters) { parameters in
            guard let start = parameters.baseAddress else { return false }
            return DecoderProcesses.start(&job, order, start, bytes.baseAddress)
        }
        guard isStarted, let output = job.output else {
            throw RasterError(.tooLarge, "\(format): no process or memory to read it in")
        }
        defer { DecoderProcesses.end(&job) }
        var state = SL_ISOLATED_RUNNING
        while state == SL_ISOLATED_RUNNING {
            if shouldStop() { throw .stopped }
            state = sl_isolated_wait(&job, Self.pollMilliseconds)
        }
        guard state == SL_ISOLATED_DONE else {
            throw RasterError(.corrupt, "\(format): the decoder fell over it")
        }
        return try body(Self.outcome(job.head.pointee), output)
    }

    private static func outcome(_ head: sl_isolated_head) -> Outcome {
        let message = withUnsafeBytes(of: head.message) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let values = withUnsafeBytes(of: head.values) {
            Array($0.bindMemory(to: Int32.self)).map(Int.init)
        }
        return Outcome(
            status: head.status, values: values, message: message, peakBytes: head.peak_bytes)
    }
}
