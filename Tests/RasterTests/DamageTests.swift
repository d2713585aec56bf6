import Glibc
import Raster
import TestSupport
import Testing

struct DamageTests {
    /// One file of each way of reading.
    static func files() throws -> [String: [UInt8]] {
        let picture = Pictures.waves(96, 80)
        var progressive = JPEGOptions(quality: 85)
        progressive.isProgressive = true
        var restarts = JPEGOptions(quality: 85)
        restarts.restartRows = 1
        let interlaced = PNGFile(width: 96, height: 80, isInterlaced: true)
        let block = Pictures.exif(orientation: 6)
        return [
            "png": try picture.png(),
            "png with exif": Pictures.png(picture, orientation: 3),
            "interlaced png": interlaced.encode { x, y in picture.pixel(x, y).map(Int.init) },
            "jpeg": Pictures.withExif(try picture.jpeg(quality: 85), block),
            "jpeg with restarts": try restarts.encode(picture.rgb, width: 96, height: 80),
            "progressive jpeg": try progressive.encode(picture.rgb, width: 96, height: 80),
        ]
    }

    static let names = [
        "png", "png with exif", "interlaced png", "jpeg", "jpeg with restarts", "progressive jpeg",
    ]

    @Test(arguments: names)
    func aCutFileIsRefusedAsTruncated(name: String) throws {
        let bytes = try #require(try Self.files()[name])
        #expect(Pictures.refusal(bytes) == nil)
        let cuts = (1..<16).map { bytes.count * $0 / 16 } + [bytes.count - 1, bytes.count - 2]
        for cut in cuts {
            #expect(Pictures.refusal(Array(bytes[..<cut])) == .truncated, "cut at \(cut)")
        }
    }

    @Test(arguments: ["jpeg", "jpeg with restarts", "progressive jpeg"])
    func aCutJPEGWithAnEndMarkIsReadAsDamaged(name: String) throws {
        let bytes = try #require(try Self.files()[name])
        let whole = try Pictures.read(bytes)
        #expect(!whole.hasDamage)
        let first = try #require(bytes.firstRange(of: [0xFF, 0xDA])).upperBound
        // Inside the first scan; a cut between two scans leaves a whole, coarser picture.
        let end =
            bytes[first...].firstRange(of: [0xFF, 0xC4])?.lowerBound ?? bytes.count - 2
        for part in 3..<16 {
            let cut = Array(bytes[..<(first + (end - first) * part / 17)]) + [0xFF, 0xD9]
            let reading = try Pictures.read(cut)
            #expect(reading.hasDamage, "part \(part)")
            guard name != "progressive jpeg" else { continue }
            // What was stored before the cut is as it was: a row of blocks less than the share.
            let rows = max(0, whole.bitmap.height * part / 17 - 24)
            let top = PixelRegion(x: 0, y: 0, width: whole.bitmap.width, height: max(1, rows))
            #expect(
                whole.head.orientation != 1 || rows == 0
                    || reading.bitmap.cut(top) == whole.bitmap.cut(top))
        }
    }

    @Test func aCutPNGWithAnEndMarkIsNeverHalfRead() {
        let file = PNGFile(width: 40, height: 40)
        let bytes = file.encode { x, y in [x, y, 0] }
        let short = PNGFile(width: 40, height: 39).encode { x, y in [x, y, 0] }
        let header = PNGFile.signature.count + file.header.count
        #expect(Pictures.refusal(Array(bytes[..<header] + short[header...])) == .corrupt)
    }

    @Test(arguments: names)
    func flippedBitsNeverDoMoreThanRefuse(name: String) throws {
        let bytes = try #require(try Self.files()[name])
        var random = SeededRandom(seed: 42)
        var refusals: [RasterError.Code: Int] = [:]
        var readable = 0
        for round in 0..<400 {
            var damaged = bytes
            // Headers are short, and every other round is about them.
            let reach = round % 2 == 0 ? min(700, bytes.count) : bytes.count
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<reach, using: &random)
                damaged[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
            }
            let region =
                round % 3 == 0 ? PixelRegion(x: 20, y: 20, width: 40, height: 30) : nil
            do throws(RasterError) {
                let bitmap = try Pictures.decode(damaged, region: region, maxSide: 64)
                #expect(max(bitmap.width, bitmap.height) <= 64)
                readable += 1
            } catch {
                #expect(error.code != .stopped && error.code != .encodeFailed)
                refusals[error.code, default: 0] += 1
            }
        }
        // The damage was neither harmless nor hopeless throughout.
        #expect(refusals[.corrupt, default: 0] > 20)
        // Checksums cover every byte of the one whose pixels are stored uncompressed.
        #expect(readable > 0 || name == "interlaced png")
    }

    @Test(arguments: names)
    func randomBytesBehindASignatureAreRefused(name: String) throws {
        let bytes = try #require(try Self.files()[name])
        var random = SeededRandom(seed: 9)
        for _ in 0..<100 {
            let kept = Int.random(in: 2..<64, using: &random)
            let code = Pictures.refusal(bytes[..<kept] + random.bytes(300))
            #expect(code != nil && code != .stopped)
        }
    }

    @Test func nothingIsPrinted() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try withTemporaryDirectory { folder in
                let target = open(folder + "/output", O_RDWR | O_CREAT, 0o600)
                #expect(target >= 0)
                dup2(target, 1)
                dup2(target, 2)
                var refused = 0
                for bytes in try DamageTests.files().values {
                    for place in stride(from: 10, to: bytes.count, by: 41) {
                        let damaged = bytes.replacing(at: place, with: [bytes[place] ^ 0x55])
                        if Pictures.refusal(damaged) != nil { refused += 1 }
                    }
                }
                fflush(nil)
                let printed = lseek(target, 0, SEEK_CUR)
                exit(refused > 50 && printed == 0 ? 0 : 1)
            }
        }
    }
}
