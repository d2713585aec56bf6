import CLCMS

/// The ICC profile of a JPEG file in four inks (ICC.1:2022, annex B.4): which light they give.
struct InkProfile {
    /// What the segments brought, by their numbers.
    private var parts: [Int: ArraySlice<UInt8>] = [:]
    private var count = 0
    private var isBroken = false

    private static let name: [UInt8] = Array("ICC_PROFILE".utf8) + [0]
    /// Bytes that Little CMS may take besides the profile.
    private static let memoryBytes = 64 << 20

    /// Takes the parameters of an APP2 segment; others than a profile's are passed over.
    mutating func add(_ segment: ArraySlice<UInt8>) {
        guard segment.starts(with: Self.name), segment.count > Self.name.count + 2 else { return }
        let number = Int(segment[segment.startIndex + Self.name.count])
        let total = Int(segment[segment.startIndex + Self.name.count + 1])
        if count == 0 { count = total }
        guard number >= 1, number <= count, total == count, parts[number] == nil else {
            isBroken = true
            return
        }
        parts[number] = segment.dropFirst(Self.name.count + 2)
    }

    /// The profile's bytes; nil where there is none of four inks that is whole and within the limit.
    var bytes: [UInt8]? {
        guard !isBroken, count > 0, parts.count == count else { return nil }
        let size = parts.values.reduce(0) { $0 + $1.count }
        guard size <= PictureLimits.profileBytesMax else { return nil }
        let bytes = (1...count).flatMap { parts[$0] ?? [] }
        // The space of the colours that it takes, in its header.
        return ByteReader(bytes[...]).starts(with: Array("CMYK".utf8), at: 16) ? bytes : nil
    }

    /// The colours that it gives to inks; nil where Little CMS refuses it, or falls over it.
    ///
    /// - Throws: `stopped`; `tooLarge` where no process can be made.
    func table(paper: UInt8, _ shouldStop: () -> Bool) throws(RasterError) -> InkTable? {
        guard let bytes else { return nil }
        let decoder = IsolatedDecoder(
            format: "JPEG", work: sl_lcms_make_grid, outputBytes: sl_lcms_grid_bytes(),
            memoryBytes: Self.memoryBytes)
        do throws(RasterError) {
            return try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
                try decoder.run(UInt8(0), bytes, shouldStop) { (outcome, output) in
                    outcome.status == 0 ? InkTable(grid: output, paper: paper) : nil
                }
            }
        } catch {
            guard error.code == .corrupt else { throw error }
            return nil
        }
    }
}

/// Colours of four inks: those of a grid, and between its nodes in proportion.
struct InkTable {
    /// Red, green and blue of each node, 0…255, cyan slowest, black fastest.
    private let nodes: [SIMD4<Float>]
    /// For a byte of a file, the node below the amount of ink and how far above it that lies, 0…1.
    private let places: [(node: Int, share: Float)]

    private static let side = Int(SL_LCMS_NODES)

    /// From the grid that `sl_lcms_make_grid` wrote. `paper` is 255 if bytes are amounts of light, 0
    /// if they are amounts of ink.
    init(grid: UnsafePointer<UInt8>, paper: UInt8) {
        let side = Self.side
        nodes = (0..<(side * side * side * side)).map { node in
            func sample(_ channel: Int) -> Float {
                let at = 2 * (3 * node + channel)
                // As this machine wrote them, in its order of bytes.
                let value = UnsafeRawPointer(grid).loadUnaligned(
                    fromByteOffset: at, as: UInt16.self)
                return Float(value) / 257
            }
            return SIMD4(sample(0), sample(1), sample(2), 0)
        }
        places = (0..<256).map { byte in
            let ink = (byte ^ Int(paper)) * (side - 1)
            let node = min(ink / 255, side - 2)
            return (node, Float(ink - 255 * node) / 255)
        }
    }

    /// Writes the pixels from `first` to `last` of a row of inks to the same pixels of an RGB row.
    func convert(
        _ row: UnsafePointer<UInt8>, from first: Int, through last: Int,
        to rgb: UnsafeMutablePointer<UInt8>
    ) {
        nodes.withUnsafeBufferPointer { nodes in
            places.withUnsafeBufferPointer { places in
                for pixel in first...last {
                    let colour = Self.colour(row + 4 * pixel, nodes, places)
                    rgb[3 * pixel] = UInt8(colour[0] + 0.5)
                    rgb[3 * pixel + 1] = UInt8(colour[1] + 0.5)
                    rgb[3 * pixel + 2] = UInt8(colour[2] + 0.5)
                }
            }
        }
    }

    @inline(__always)
    private static func colour(
        _ inks: UnsafePointer<UInt8>, _ nodes: UnsafeBufferPointer<SIMD4<Float>>,
        _ places: UnsafeBufferPointer<(node: Int, share: Float)>
    ) -> SIMD4<Float> {
        let cyan = places[Int(inks[0])]
        let magenta = places[Int(inks[1])]
        let yellow = places[Int(inks[2])]
        let black = places[Int(inks[3])]
        let origin = ((cyan.node * side + magenta.node) * side + yellow.node) * side + black.node
        @inline(__always) func alongBlack(_ at: Int) -> SIMD4<Float> {
            nodes[at] + (nodes[at + 1] - nodes[at]) * black.share
        }
        @inline(__always) func alongYellow(_ at: Int) -> SIMD4<Float> {
            let low = alongBlack(at)
            return low + (alongBlack(at + side) - low) * yellow.share
        }
        @inline(__always) func alongMagenta(_ at: Int) -> SIMD4<Float> {
            let low = alongYellow(at)
            return low + (alongYellow(at + side * side) - low) * magenta.share
        }
        let low = alongMagenta(origin)
        return low + (alongMagenta(origin + side * side * side) - low) * cyan.share
    }
}
