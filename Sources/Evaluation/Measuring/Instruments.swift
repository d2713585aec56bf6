public import Matching
public import Raster
public import Search

/// What an evaluation reads of the machine.
public struct Instruments: Sendable {
    /// Nanoseconds of a clock that only goes forward.
    public let monotonic: @Sendable () -> UInt64
    /// Nanoseconds that the processor has spent on the calling thread.
    public let processor: @Sendable () -> UInt64
    /// Bytes of the process in memory, after what is free has been given back.
    public let resident: @Sendable () -> Int

    /// From functions that read them.
    public init(
        monotonic: @escaping @Sendable () -> UInt64,
        processor: @escaping @Sendable () -> UInt64, resident: @escaping @Sendable () -> Int
    ) {
        self.monotonic = monotonic
        self.processor = processor
        self.resident = resident
    }
}

/// How pictures become prints: the code that a worker runs.
public struct PrintMaker: Sendable {
    /// Reads a file at the working size.
    public typealias Decode =
        @Sendable (_ file: [UInt8], _ shouldStop: () -> Bool) throws -> Bitmap
    /// Makes the print of a picture at the working size.
    public typealias Print =
        @Sendable (_ working: Bitmap, _ shouldStop: () -> Bool) throws -> FeaturePrint

    /// Makes what is searched with of a file; hears of each stage that ended.
    public typealias Query =
        @Sendable (_ file: [UInt8], _ shouldStop: () -> Bool, _ didEnd: (String) -> Void) throws
        -> PictureQuery

    let decode: Decode
    let print: Print
    let query: Query

    /// From functions that do so.
    public init(
        decode: @escaping Decode, print: @escaping Print, query: @escaping Query
    ) {
        self.decode = decode
        self.print = print
        self.query = query
    }
}
