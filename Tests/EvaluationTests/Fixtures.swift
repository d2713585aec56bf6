import Matching
import Raster
import XXHash

enum Fixtures {
    static let limits = PictureLimits(
        encodedBytesMax: 1 << 24, sideMax: 20_000, pixelsMax: 100_000_000,
        bufferedPixelsMax: 50_000_000)

    /// Size and pixels as one text.
    static func digest(of bitmap: Bitmap) -> String {
        let hash = XXHash.of(bitmap.rgb).prefix(8).map { String($0, radix: 16) }.joined(
            separator: ".")
        return "\(bitmap.width)x\(bitmap.height) \(hash)"
    }

    /// The print of a picture at the working size.
    static func print(of bitmap: Bitmap) throws -> FeaturePrint {
        let working = bitmap.scaled(maxSide: FeaturePrint.workingSide)
        return try FeaturePrint(
            of: GrayImage(width: working.width, height: working.height, pixels: working.gray()))
    }
}
