import Raster
import TestSupport

/// Generated pictures and what the tests compare them with.
enum Pictures {
    static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 4_000_000,
        bufferedPixelsMax: 2_000_000)

    /// Seeded noise: every pixel has another colour than its neighbours.
    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) -> Bitmap {
        var random = SeededRandom(seed: seed)
        return Bitmap(width: width, height: height, rgb: random.bytes(3 * width * height))
    }

    /// Soft waves with some seeded noise, like a photograph; no symmetry.
    static func waves(_ width: Int, _ height: Int, seed: UInt64 = 1) -> Bitmap {
        var random = SeededRandom(seed: seed)
        var rgb: [UInt8] = []
        rgb.reserveCapacity(3 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                let grain = Int(random.next() & 7)
                rgb.append(UInt8((x * 200 / width + triangle(y, 40) + grain) % 256))
                rgb.append(UInt8((y * 200 / height + triangle(x + y, 30) + grain) % 256))
                rgb.append(UInt8((triangle(x, 64) * 3 + triangle(y, 50) + grain) % 256))
            }
        }
        return Bitmap(width: width, height: height, rgb: rgb)
    }

    private static func triangle(_ value: Int, _ period: Int) -> Int {
        let phase = value % period
        return phase < period / 2 ? phase : period - phase
    }

    static func decode(
        _ bytes: [UInt8], region: PixelRegion? = nil, maxSide: Int = 65_500,
        limits: PictureLimits = limits
    ) throws(RasterError) -> Bitmap {
        try Picture.decode(.encoded(bytes), region: region, maxSide: maxSide, limits: limits)
    }

    /// The same with what was found out on the way.
    static func read(_ bytes: [UInt8]) throws(RasterError) -> PictureReading {
        try Picture.read(.encoded(bytes), maxSide: 65_500, limits: limits)
    }

    /// The code of the error that a file is refused with; nil if it is read.
    static func refusal(
        _ bytes: [UInt8], limits: PictureLimits = limits
    ) -> RasterError.Code? {
        do throws(RasterError) {
            _ = try decode(bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    /// A PNG file with an eXIf chunk of this orientation.
    static func png(_ bitmap: Bitmap, orientation: Int) -> [UInt8] {
        let file = PNGFile(
            width: bitmap.width, height: bitmap.height,
            chunks: [("eXIf", exif(orientation: orientation))])
        return file.encode { x, y in bitmap.pixel(x, y).map(Int.init) }
    }

    /// A JPEG file with an EXIF segment of this orientation.
    static func withExif(_ jpeg: [UInt8], _ block: [UInt8]) -> [UInt8] {
        let name: [UInt8] = Array("Exif".utf8) + [0, 0]
        let length = name.count + block.count + 2
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + name + block
        return jpeg[..<2] + segment + jpeg[2...]
    }

    /// An EXIF block whose first directory states a resolution unit and the orientation.
    static func exif(orientation: Int, littleEndian: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            let big = (0..<width).map { UInt8(value >> (8 * (width - 1 - $0)) & 255) }
            return littleEndian ? big.reversed() : big
        }
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
        }
        return Array((littleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
            + number(2, 2) + entry(0x0112, orientation) + entry(0x0128, 2) + number(0, 4)
    }
}

extension Bitmap {
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = 3 * (y * width + x)
        return Array(rgb[start..<(start + 3)])
    }

    /// A bitmap from a function of the pixel's place.
    init(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) {
        self.init(
            width: width, height: height,
            rgb: (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } })
    }

    /// The same picture without colour.
    var luma: Bitmap {
        Bitmap(width: width, height: height, rgb: gray().flatMap { [$0, $0, $0] })
    }

    func cut(_ region: PixelRegion) -> Bitmap {
        Bitmap(region.width, region.height) { x, y in pixel(region.x + x, region.y + y) }
    }

    /// The mean difference of two bitmaps' bytes; 255 if their sizes differ.
    func difference(from other: Bitmap) -> Double {
        guard width == other.width, height == other.height else { return 255 }
        let sum = zip(rgb, other.rgb).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(rgb.count)
    }

    /// The stored pixels of an upright picture, by the words of EXIF: which side of the picture
    /// the first row and the first column are.
    func stored(orientation: Int) -> Bitmap {
        let sides: [(row: Side, column: Side)] = [
            (.top, .left), (.top, .right), (.bottom, .right), (.bottom, .left),
            (.left, .top), (.right, .top), (.right, .bottom), (.left, .bottom),
        ]
        let (row, column) = sides[orientation - 1]
        let swaps = row == .left || row == .right
        return Bitmap(swaps ? height : width, swaps ? width : height) { storedX, storedY in
            var place = (x: 0, y: 0)
            for (side, distance) in [(row, storedY), (column, storedX)] {
                switch side {
                case .top: place.y = distance
                case .bottom: place.y = height - 1 - distance
                case .left: place.x = distance
                case .right: place.x = width - 1 - distance
                }
            }
            return pixel(place.x, place.y)
        }
    }

    private enum Side { case top, bottom, left, right }
}
