public import Evaluation
import Foundation
import Matching
import Messages
import Raster
import Search

extension Instruments {
    /// The clocks and the memory of this process.
    public static let machine = Instruments(
        monotonic: { SystemClock.monotonic().nanoseconds },
        processor: SystemClock.processorOfThread,
        resident: {
            Self.giveFreeMemoryBack()
            return Self.residentBytes()
        })

    /// glibc keeps freed memory for itself until told; its header is not in Swift's module of it.
    private static func giveFreeMemoryBack() {
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }

    private static func residentBytes() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return 0 }
        return (Int(kibibytes) ?? 0) * 1_024
    }
}

extension PrintMaker {
    /// As the services of a worker do it.
    public static let worker = PrintMaker(
        decode: { file, shouldStop in
            try Picture.decode(
                .encoded(file), maxSide: FeaturePrint.workingSide, limits: .sightline,
                shouldStop: shouldStop)
        },
        print: { working, shouldStop in
            try FeaturePrint(of: working.grayImage, shouldStop: shouldStop)
        },
        query: { file, shouldStop, didEnd in
            try PictureQuery(of: .encoded(file), shouldStop: shouldStop, didEnd: didEnd)
        })
}
