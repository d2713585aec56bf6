import Foundation
import Matching
import Messages
import Raster
import Search
import Service

/// What reading one picture file came to.
struct PictureInspection {
    /// What was found in a picture that was read.
    struct Findings {
        let reading: PictureReading
        /// Bytes of memory that reading took at its peak, besides the file's own bytes, in this
        /// process and in one that a decoder had for itself.
        let peakBytes: Int
        /// Local features that a print of these pixels has.
        let features: Int
        /// Whether they are enough for more than an identical picture to be found.
        let isEnough: Bool
    }

    /// Read, or refused for a reason.
    enum Outcome {
        case read(Findings)
        case refused(code: String, context: String)
    }

    let path: String
    let outcome: Outcome

    /// Reads a file, and makes its print.
    init(path: String, region: PixelRegion?, maxSide: Int) {
        self.path = path
        do {
            let bytes = try readFile(path, bytesMax: Limits.pictureBytesMax)
            outcome = .read(try Self.read(bytes, region: region, maxSide: maxSide))
        } catch let error as RasterError {
            outcome = .refused(code: error.code.rawValue, context: error.context)
        } catch {
            outcome = .refused(code: "unreadable", context: "\(error)")
        }
    }

    private static func read(
        _ bytes: [UInt8], region: PixelRegion?, maxSide: Int
    ) throws -> Findings {
        let memory = PeakMemory()
        let reading = try Picture.read(
            .encoded(bytes), region: region, maxSide: maxSide, limits: .sightline)
        let peakBytes = memory.bytes + reading.decoderPeakBytes
        let working = reading.bitmap.scaled(maxSide: FeaturePrint.workingSide)
        let print = try FeaturePrint(
            of: GrayImage(width: working.width, height: working.height, pixels: working.gray()),
            shouldStop: { false })
        return Findings(
            reading: reading, peakBytes: peakBytes, features: print.featureCount,
            isEnough: print.hasEnoughContent)
    }

    /// One line for people.
    var text: String {
        switch outcome {
        case .refused(let code, let context): return "\(path): refused: \(code): \(context)"
        case .read(let findings):
            let head = findings.reading.head
            let bitmap = findings.reading.bitmap
            let done = steps(findings)
            let enough = findings.isEnough ? "enough" : "too little"
            return "\(path): \(head.format.rawValue) \(head.width)x\(head.height), "
                + "orientation \(head.orientation), "
                + "done: \(done.isEmpty ? "nothing" : done.joined(separator: ", ")); "
                + "seen as \(bitmap.width)x\(bitmap.height), "
                + "peak memory \((findings.peakBytes + 1_023) / 1_024) KiB, "
                + "\(findings.features) features, \(enough) content to match"
        }
    }

    /// The same as a document.
    var json: JSONValue {
        switch outcome {
        case .refused(let code, let context):
            return .object([
                "file": .string(path),
                "error": .object(["code": .string(code), "context": .string(context)]),
            ])
        case .read(let findings):
            let head = findings.reading.head
            return .object([
                "file": .string(path), "format": .string(head.format.rawValue),
                "width": .integer(head.width), "height": .integer(head.height),
                "orientation": .integer(head.orientation),
                "done": .array(steps(findings).map { .string($0) }),
                "seenWidth": .integer(findings.reading.bitmap.width),
                "seenHeight": .integer(findings.reading.bitmap.height),
                "peakMemoryBytes": .integer(findings.peakBytes),
                "features": .integer(findings.features), "enough": .bool(findings.isEnough),
            ])
        }
    }

    private func steps(_ findings: Findings) -> [String] {
        findings.reading.head.steps.map(\.rawValue)
            + (findings.reading.hasDamage ? ["damageConcealed"] : [])
    }
}

/// How far the process's memory rises above what it was.
struct PeakMemory {
    private let before: Int

    /// Begins to measure; Linux forgets the peak so far.
    init() {
        if let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
            try? file.write(contentsOf: Data("5".utf8))  // without it the peak is the process's
            try? file.close()
        }
        before = Self.field("VmRSS:") ?? 0
    }

    /// Bytes that the peak since then lies above what was in use.
    var bytes: Int { max(0, (Self.field("VmHWM:") ?? 0) - before) }

    private static func field(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return nil }
        return Int(kibibytes).map { $0 * 1_024 }
    }
}
