import Foundation
import Matching
import Messages
import Raster
import Service

/// `sightline picture`.
enum PictureCommand: Subcommand {
    static let name = "picture"
    static let summary = "read picture files as a search does, and say what was found in them"
    static let usage = [
        "FILE… [--out FILE.png] [--max-side N] [--region X,Y,WIDTH,HEIGHT] [--json]"
    ]
    static let options: [CommandOption] = [
        .json,
        .value("out", "FILE", "write the upright pixels there as PNG; for one picture only"),
        .value(
            "max-side", "N",
            "pixels of the longer side (default \(FeaturePrint.workingSide), which matching sees)"),
        .value("region", "X,Y,WIDTH,HEIGHT", "of this part only, in pixels of the upright picture"),
    ]
    static let details = """
        One line a file: the format, the size of the upright picture, the EXIF orientation, what was
        done to the stored pixels, the size that matching sees, the most memory that reading took
        besides the file's own bytes, and whether there is enough content to match; or the error.
        No server is needed. Exit status 1 if a file was refused.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let paths = arguments.positionals
        guard !paths.isEmpty else { throw UsageError("at least one FILE is needed") }
        let output = arguments["out"]
        guard output == nil || paths.count == 1 else {
            throw UsageError("--out takes one picture; \(paths.count) are named")
        }
        let region = try Search.region(arguments["region"]).map {
            PixelRegion(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
        }
        let maxSide =
            try arguments.integer("max-side", in: 1...Limits.pictureSideMax)
            ?? FeaturePrint.workingSide
        var status = ExitStatus.success
        for path in paths {
            let inspection = PictureInspection(path: path, region: region, maxSide: maxSide)
            print(
                arguments.isSet("json")
                    ? String(decoding: inspection.json.canonical(), as: UTF8.self)
                    : inspection.text)
            switch inspection.outcome {
            case .refused: status = .negative
            case .read(let findings):
                guard let output else { continue }
                try Data(try findings.reading.bitmap.png()).write(to: URL(fileURLWithPath: output))
            }
        }
        return status
    }
}
