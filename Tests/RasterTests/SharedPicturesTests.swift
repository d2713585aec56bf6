import Raster
import TestSupport
import Testing

/// Real and hostile files; nothing of them is in the repository.
struct SharedPicturesTests {
    @Test(.needsShared)
    func explore() throws {
        let limits = PictureLimits(
            encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
            bufferedPixelsMax: 40_000_000)
        for row in try SharedFolder.rows("odd.tsv") {
            let bytes = try SharedFolder.bytes(row[0])
            let pillow = row[8] == "ok"
            var out = ""
            do throws(RasterError) {
                let clock = ContinuousClock()
                let t = clock.now
                let b = try Picture.decode(.encoded(bytes), maxSide: 640, limits: limits)
                out = "ok \(b.width)x\(b.height) \(clock.now - t)"
            } catch { out = error.description }
            let ours = out.hasPrefix("ok")
            if row[2] == "PNG" || row[2] == "JPEG" || (row[2].isEmpty) {
                print(pillow == ours ? "SAME" : "DIFF", row[0], row[2...].joined(separator: " ").prefix(80), "|", out)
            }
        }
    }
}
