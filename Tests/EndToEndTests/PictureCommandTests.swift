import Foundation
import Messages
import Raster
import TestSupport
import Testing

struct PictureCommandTests {
    private static func picture(_ width: Int, _ height: Int) -> Bitmap {
        var random = SeededRandom(seed: 3)
        return Bitmap(width: width, height: height, rgb: random.bytes(3 * width * height))
    }

    /// Writes files of these bytes into a folder that goes away, and runs the command on it.
    private func withFiles(
        _ files: [String: [UInt8]], _ body: (_ folder: String) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            for (name, bytes) in files {
                try Data(bytes).write(to: URL(filePath: folder + "/" + name))
            }
            try body(folder)
        }
    }

    @Test func oneLineAFileAndStatusOneForARefusal() throws {
        let png = try Self.picture(64, 48).png()
        try withFiles(["good.png": png, "cut.png": Array(png[..<500])]) { folder in
            let paths = ["good.png", "cut.png", "none.png"].map { folder + "/" + $0 }
            let result = try Command.run(["picture"] + paths)
            #expect(result.status == 1)
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[0].contains(": png 64x48, orientation 1, done: nothing; seen as 64x48"))
            #expect(lines[1].contains("cut.png: refused: truncated: "))
            #expect(lines[2].contains("none.png: refused: unreadable: "))
            #expect(try Command.run(["picture", paths[0]]).status == 0)
        }
    }

    @Test func theDocumentSaysTheSame() throws {
        let jpeg = try Self.picture(1_000, 500).jpeg(quality: 80)
        try withFiles(["a.jpg": jpeg, "b.txt": Array("no picture".utf8)]) { folder in
            let result = try Command.run(
                ["picture", folder + "/a.jpg", folder + "/b.txt", "--json"])
            let documents = try result.output.split(separator: "\n").map {
                try JSONValue(parsing: Array($0.utf8))
            }
            #expect(documents.count == 2)
            #expect(documents[0]["format"]?.text == "jpeg")
            #expect(documents[0]["width"]?.integer == 1_000)
            #expect(documents[0]["seenWidth"]?.integer == 640)
            #expect(documents[0]["seenHeight"]?.integer == 320)
            #expect(documents[0]["enough"]?.bool == true)
            #expect(try #require(documents[0]["peakMemoryBytes"]?.integer) < 16 << 20)
            #expect(documents[1]["error"]?["code"]?.text == "unknownFormat")
        }
    }

    @Test func theUprightPixelsAreWritten() throws {
        let picture = Self.picture(90, 70)
        try withFiles(["in.png": try picture.png()]) { folder in
            let result = try Command.run([
                "picture", folder + "/in.png", "--out", folder + "/out.png", "--region",
                "10,20,30,40", "--max-side", "20",
            ])
            #expect(result.status == 0)
            let written = try Data(contentsOf: URL(filePath: folder + "/out.png"))
            let limits = PictureLimits(
                encodedBytesMax: 1 << 20, sideMax: 100, pixelsMax: 10_000,
                bufferedPixelsMax: 10_000)
            let seen = try Picture.decode(.encoded([UInt8](written)), maxSide: 99, limits: limits)
            let region = PixelRegion(x: 10, y: 20, width: 30, height: 40)
            let wanted = try Picture.decode(
                .encoded(try picture.png()), region: region, maxSide: 20, limits: limits)
            #expect(seen == wanted)
            let outside = try Command.run(
                ["picture", folder + "/in.png", "--region", "80,0,30,40"])
            #expect(outside.status == 1 && outside.output.contains("badRegion"))
        }
    }

    @Test func wrongCallsAreRefused() throws {
        for arguments in [[], ["a", "b", "--out", "c"], ["a", "--max-side", "0"]] {
            #expect(try Command.run(["picture"] + arguments).status == 2)
        }
    }
}
