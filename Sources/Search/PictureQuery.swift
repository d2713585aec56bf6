public import Matching
import Messages
public import Raster

/// A picture that is searched with: its print, the print of what a frame around it leaves, and the
/// prints of those parts of a page that are worth a closer look.
public struct PictureQuery: Sendable {
    /// One print, and where its pixels stand in the upright picture.
    struct Look {
        let print: FeaturePrint
        /// Pixels of the upright picture in one of the print.
        var scale = 1.0
        var left = 0.0
        var top = 0.0

        /// A point of the print in whole pixels of the upright picture.
        func place(_ point: OutlinePoint) -> [Int] {
            [Int((left + point.x * scale).rounded()), Int((top + point.y * scale).rounded())]
        }
    }

    var looks: [Look]

    init(looks: [Look]) { self.looks = looks }

    /// A print that was made elsewhere; its outlines are in pixels of its working picture.
    public init(_ print: FeaturePrint) {
        looks = [Look(print: print)]
    }

    /// Decodes and prints a picture or a region of it; `didEnd` hears of each stage.
    ///
    /// - Throws: `RasterError` or `MatchingError`.
    public init(
        of source: Raster.PictureSource, region: PixelRegion? = nil,
        shouldStop: () -> Bool = { false }, didEnd: (String) -> Void = { _ in }
    ) throws {
        let head = try Picture.head(of: source, limits: .sightline)
        let seen =
            region ?? PixelRegion(x: 0, y: 0, width: head.width, height: head.height)
        let working = try Picture.decode(
            source, region: region, maxSide: FeaturePrint.workingSide, limits: .sightline,
            shouldStop: shouldStop)
        didEnd("decode")
        let image = working.grayImage
        looks = [
            Look(
                print: try FeaturePrint(of: image, shouldStop: shouldStop),
                scale: Double(seen.width) / Double(working.width), left: Double(seen.x),
                top: Double(seen.y))
        ]
        try lookInsideBorder(of: working, image, shouldStop)
        if max(seen.width, seen.height) >= PageLayout.sideMin, PageLayout.isPage(image) {
            try lookCloser(at: source, region, seen, shouldStop)
        }
        didEnd("print")
    }

    /// Adds what stands inside a frame around a picture that is told by how it looks as a whole, and
    /// the picture without some of its ground, in case that is a frame of the drawing's own ground.
    private mutating func lookInsideBorder(
        of working: Bitmap, _ image: GrayImage, _ shouldStop: () -> Bool
    ) throws {
        let outer = looks[0]
        guard outer.print.isToldAsAWhole else { return }
        func look(inside part: PageRegion, _ print: (GrayImage) throws -> FeaturePrint) throws {
            let cut = working.cropped(
                to: PixelRegion(x: part.x, y: part.y, width: part.width, height: part.height))
            looks.append(
                Look(
                    print: try print(cut.grayImage), scale: outer.scale,
                    left: outer.left + outer.scale * Double(part.x),
                    top: outer.top + outer.scale * Double(part.y)))
        }
        if let inner = PlainBorder.inside(of: image) {
            try look(inside: inner) { try FeaturePrint(of: $0, shouldStop: shouldStop) }
        }
        for part in PlainGround.crops(of: image) {
            try look(inside: part) { try FeaturePrint(wholeOf: $0) }
        }
    }

    /// Adds the parts of a page.
    private mutating func lookCloser(
        at source: Raster.PictureSource, _ region: PixelRegion?, _ seen: PixelRegion,
        _ shouldStop: () -> Bool
    ) throws {
        let page = try Picture.decode(
            source, region: region, maxSide: PageLayout.pageSide, limits: .sightline,
            shouldStop: shouldStop)
        let scale = Double(seen.width) / Double(page.width)
        for part in PageLayout.regions(of: page.grayImage, most: Limits.pageRegionsMax) {
            let cut = page.cropped(
                to: PixelRegion(x: part.x, y: part.y, width: part.width, height: part.height))
            let working = cut.scaled(maxSide: FeaturePrint.workingSide)
            let print = try FeaturePrint(of: working.grayImage, shouldStop: shouldStop)
            guard print.hasEnoughContent else { continue }
            looks.append(
                Look(
                    print: print,
                    scale: scale * Double(part.width) / Double(working.width),
                    left: Double(seen.x) + scale * Double(part.x),
                    top: Double(seen.y) + scale * Double(part.y)))
        }
    }

    /// The print of the whole picture.
    public var print: FeaturePrint { looks[0].print }

    /// Searches a collection with every look, as `PrintCollection.search` does; an entry that several
    /// looks find stands once, at its least distance, with the outline of the first look that has it.
    ///
    /// After `shouldStop` said yes, the outcome holds what was compared until then.
    public func search(
        _ collection: PrintCollection, maxDistance: Int,
        accepts: (Int) -> Bool = { _ in true }, compares: (Int) -> Bool = { _ in true },
        shouldStop: () -> Bool = { false }
    ) -> PictureOutcome {
        var best: [Int: PictureMatch] = [:]
        var (checked, candidates) = (0, 0)
        for (number, look) in looks.enumerated() {
            let found = collection.search(
                look.print, maxDistance: maxDistance, accepts: accepts, compares: compares,
                shouldStop: shouldStop)
            checked += found.checked
            candidates += found.candidates
            for match in found.matches
            where match.distance < best[match.entry]?.distance ?? .max {
                best[match.entry] = PictureMatch(match, look.place)
            }
            if !found.isComplete {
                let begun = number + (found.candidates > 0 ? 1 : 0)
                return PictureOutcome(
                    matches: Self.ranked(best), checked: checked,
                    candidates: Self.candidates(candidates, of: begun, looks: looks.count),
                    end: found.end)
            }
        }
        return PictureOutcome(
            matches: Self.ranked(best), checked: checked, candidates: candidates, end: .complete)
    }

    private static func ranked(_ best: [Int: PictureMatch]) -> [PictureMatch] {
        best.values.sorted { ($0.distance, $0.entry) < ($1.distance, $1.entry) }
    }

    /// The candidates of all looks where so many are known of `begun`: those not begun are taken to
    /// have as many each.
    private static func candidates(_ known: Int, of begun: Int, looks: Int) -> Int {
        begun == 0 ? 0 : (known * looks + begun - 1) / begun
    }
}

/// One entry that a picture shows.
public struct PictureMatch: Sendable {
    /// The entry's number in the collection.
    public let entry: Int
    /// Millionths, as `Match.distance`.
    public let distance: Int
    /// Features that agree, as `Match.inliers`.
    public let inliers: Int
    /// Where the entry's picture lies: four corners from its top left, clockwise, in whole pixels
    /// of the upright picture, x before y; nil without accepted geometry.
    public let outline: [[Int]]?

    fileprivate init(_ match: Match, _ place: (OutlinePoint) -> [Int]) {
        entry = match.entry
        distance = match.distance
        inliers = match.inliers
        outline = match.outline?.map(place)
    }
}

/// What a search with a picture found.
public struct PictureOutcome: Sendable {
    /// By distance, then by entry; what was compared until then if the search was stopped.
    public let matches: [PictureMatch]
    /// Comparisons that were made.
    public let checked: Int
    /// Comparisons that were to be made; of a stopped search an estimate, where parts of a page had
    /// not been begun.
    public let candidates: Int
    /// How the search ended.
    public let end: SearchEnd

    /// Whether the search looked at everything.
    public var isComplete: Bool { end == .complete }
}

extension PictureLimits {
    /// The limits of this system.
    public static var sightline: PictureLimits {
        PictureLimits(
            encodedBytesMax: Limits.pictureBytesMax, sideMax: Limits.pictureSideMax,
            pixelsMax: Limits.picturePixelsMax, bufferedPixelsMax: Limits.pictureBufferedPixelsMax)
    }
}

extension Bitmap {
    /// What a print is made of.
    public var grayImage: GrayImage { GrayImage(width: width, height: height, pixels: gray()) }
}
