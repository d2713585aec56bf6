import Foundation
import Locking
public import Matching
import XXHash

/// Prints that were made before, in one file that only grows.
///
/// A print is found by the hash of everything that it follows from. Records that are damaged or torn
/// are passed over, as if they had never been written; the newest of one key counts.
public final class PrintCache: Sendable {
    /// Names a print: 128 bits over what it follows from.
    public struct Key: Hashable, Sendable {
        fileprivate let bytes: [UInt8]

        /// The key of a picture of a file with these bytes.
        public init(file: [UInt8]) {
            self.init("file", XXHash.of(file))
        }

        /// The key of a generated picture and the hashes of the files that it shows parts of.
        public init(generatedWith seed: UInt64, index: Int, material: [[UInt8]]) {
            self.init(
                "\(CatalogGenerator.version) \(seed) \(index)", material.flatMap { $0 })
        }

        /// The key of the first volume of a generated series.
        public init(seriesWith seed: UInt64, number: Int) {
            self.init(
                "\(SeriesGenerator.version) \(CatalogGenerator.version) \(seed) \(number)", [])
        }

        private init(_ text: String, _ rest: [UInt8]) {
            bytes = XXHash.of(Array("\(FeaturePrint.version) \(text) ".utf8) + rest)
        }
    }

    private static let magic = Array("SLEC".utf8)
    private static let headBytes = magic.count + XXHash.byteCount * 2 + 4
    private let written: Data
    private let places: [Key: Range<Int>]
    private let file: Locked<FileHandle>
    /// Stretches of the file that are no records.
    public let damagedStretches: Int

    /// Opens the file of a folder, which is made if it is not there.
    ///
    /// - Throws: `EvaluationError` if the folder or the file cannot be made, read or written.
    public init(folder: String) throws(EvaluationError) {
        let path = folder + "/prints.cache"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            if !FileManager.default.fileExists(atPath: path) {
                try Data().write(to: URL(fileURLWithPath: path))
            }
            written = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.seekToEnd()
            file = Locked(handle)
        } catch {
            throw EvaluationError("cannot keep prints in '\(path)': \(error.localizedDescription)")
        }
        (places, damagedStretches) = Self.records(of: written)
    }

    /// Number of prints.
    public var count: Int { places.count }

    /// Whether a print is there, undamaged.
    public func has(_ key: Key) -> Bool { places[key] != nil }

    /// A print; nil if it is not there, or damaged.
    public func print(for key: Key) -> FeaturePrint? {
        places[key].flatMap { try? FeaturePrint(decoding: [UInt8](written[$0])) }
    }

    /// Writes a print behind the others.
    ///
    /// - Throws: `EvaluationError` if the file cannot be written.
    public func keep(_ print: FeaturePrint, for key: Key) throws(EvaluationError) {
        let payload = print.encoded()
        var record = Self.magic + key.bytes
        for shift in [0, 8, 16, 24] {
            record.append(UInt8(truncatingIfNeeded: payload.count >> shift))
        }
        record += XXHash.of(key.bytes + payload) + payload
        let bytes = Data(record)
        let failure = file.withLock { file -> String? in
            do {
                try file.write(contentsOf: bytes)
                return nil
            } catch { return error.localizedDescription }
        }
        if let failure { throw EvaluationError("cannot keep a print: \(failure)") }
    }

    /// The places of the prints in all records that are whole.
    private static func records(of data: Data) -> ([Key: Range<Int>], Int) {
        var places: [Key: Range<Int>] = [:]
        var damaged = 0
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var at = 0
            while at < bytes.count {
                if let (key, range) = record(in: bytes, at: at) {
                    places[key] = range
                    at = range.upperBound
                    continue
                }
                damaged += 1
                at += 1
                while at < bytes.count, record(in: bytes, at: at) == nil { at += 1 }
            }
        }
        return (places, damaged)
    }

    private static func record(
        in bytes: UnsafeRawBufferPointer, at: Int
    ) -> (Key, Range<Int>)? {
        guard at + headBytes <= bytes.count, bytes[at] == magic[0],
            bytes[at..<(at + magic.count)].elementsEqual(magic)
        else { return nil }
        let keyEnd = at + magic.count + XXHash.byteCount
        let length = (0..<4).reduce(0) { $0 | Int(bytes[keyEnd + $1]) << (8 * $1) }
        let begin = at + headBytes
        guard length <= FeaturePrint.encodedBytesMax, begin + length <= bytes.count else {
            return nil
        }
        // A torn record reaches into the next one, which only its hash shows.
        let key = Array(bytes[(at + magic.count)..<keyEnd])
        let check = bytes[(keyEnd + 4)..<begin]
        let payload = begin..<(begin + length)
        guard check.elementsEqual(XXHash.of(key + bytes[payload])) else { return nil }
        return (Key(bytes: key), payload)
    }
}

extension PrintCache.Key {
    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// 64 bits that differ for each key, for the order among equals.
    var order: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
