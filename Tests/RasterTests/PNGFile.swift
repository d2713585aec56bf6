/// Writes PNG files of every kind for the tests, independently of libpng: stored deflate blocks, no
/// filters.
struct PNGFile {
    enum ColorType: Int {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][rawValue] ?? 0 }
    }

    var width: Int
    var height: Int
    var colorType = ColorType.rgb
    var depth = 8
    var isInterlaced = false
    /// Chunks between the header and the pixels.
    var chunks: [(name: String, bytes: [UInt8])] = []
    /// Chunks between the pixels and the end mark.
    var lateChunks: [(name: String, bytes: [UInt8])] = []

    /// The file; `pixel` gives one sample for each channel, of `depth` bits.
    func encode(_ pixel: (_ x: Int, _ y: Int) -> [Int]) -> [UInt8] {
        var file = Self.signature + header
        for chunk in chunks { file += Self.chunk(chunk.name, chunk.bytes) }
        file += Self.chunk("IDAT", Self.deflate(rows(pixel)))
        for chunk in lateChunks { file += Self.chunk(chunk.name, chunk.bytes) }
        return file + Self.chunk("IEND", [])
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    var header: [UInt8] {
        Self.chunk(
            "IHDR",
            Self.big(width) + Self.big(height)
                + [UInt8(depth), UInt8(colorType.rawValue), 0, 0, isInterlaced ? 1 : 0])
    }

    static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + bytes
        return big(bytes.count) + body + big(Int(checksum(body)))
    }

    private func rows(_ pixel: (Int, Int) -> [Int]) -> [UInt8] {
        // First column, column step, first row, row step of the seven Adam7 passes.
        let adam7 = [
            (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
            (0, 1, 1, 2),
        ]
        var bytes: [UInt8] = []
        for (firstX, stepX, firstY, stepY) in isInterlaced ? adam7 : [(0, 1, 0, 1)] {
            guard firstX < width else { continue }
            for y in stride(from: firstY, to: height, by: stepY) {
                let samples = stride(from: firstX, to: width, by: stepX).flatMap { pixel($0, y) }
                bytes.append(0)
                bytes += pack(samples)
            }
        }
        return bytes
    }

    private func pack(_ samples: [Int]) -> [UInt8] {
        if depth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
        let perByte = 8 / depth
        return stride(from: 0, to: samples.count, by: perByte).map { start in
            (0..<perByte).reduce(UInt8(0)) { byte, place in
                let sample = start + place < samples.count ? samples[start + place] : 0
                return byte | UInt8(sample) << UInt8(8 - depth * (place + 1))
            }
        }
    }

    private static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let count = end - start
            stream += [end == bytes.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
            stream += [~UInt8(count & 255), ~UInt8(count >> 8)]
            stream += bytes[start..<end]
            start = end
        } while start < bytes.count
        var sums = (low: 1, high: 0)
        for byte in bytes {
            sums.low = (sums.low + Int(byte)) % 65_521
            sums.high = (sums.high + sums.low) % 65_521
        }
        return stream + big(sums.high << 16 | sums.low)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    static func big(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) }
    }
}
