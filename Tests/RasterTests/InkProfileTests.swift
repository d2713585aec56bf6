import Foundation
import Raster
import TestSupport
import Testing

/// Pictures in four inks, by their ICC profiles.
struct InkProfileTests {
    /// Amounts of light in the file, which its Adobe marker says: no ink, cyan, red, green, blue, black.
    private static let fields: [[UInt8]] = [
        [255, 255, 255, 255], [0, 255, 255, 255], [255, 0, 0, 255], [0, 255, 0, 255],
        [0, 0, 255, 255], [255, 255, 255, 0],
    ]
    /// sRGB's value of a lightness of 50: CIELAB's and sRGB's own formulas, by hand.
    private static let middle: [Int] = [119, 119, 119]
    private static let expected: [[Int]] = [
        [255, 255, 255], middle, [255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 0, 0],
    ]

    private func colours(_ bytes: [UInt8], _ count: Int) throws -> [[Int]] {
        let bitmap = try Pictures.decode(bytes)
        return (0..<count).map { bitmap.pixel(16 * $0 + 8, 8).map(Int.init) }
    }

    private func difference(_ first: [[Int]], _ second: [[Int]]) -> Int {
        zip(first.joined(), second.joined()).map { abs($0 - $1) }.max() ?? 255
    }

    @Test(arguments: [(65_519, false), (100, false), (100, true)])
    func inksHaveTheColoursOfTheirProfile(part: Int, isReversed: Bool) throws {
        let bytes = InkFile.with(
            InkFile.profile(), try InkFile.encode(Self.fields), part: part, isReversed: isReversed)
        #expect(difference(try colours(bytes, 6), Self.expected) <= 2)
        let steps = try Picture.head(of: .encoded(bytes), limits: Pictures.limits).steps
        #expect(steps == [.inksConverted, .profileFollowed])
    }

    @Test func withoutAMarkerTheFileHoldsAmountsOfInk() throws {
        let inks = Self.fields.map { $0.map { 255 - $0 } }
        let jpeg = try InkFile.encode(inks)
        // libjpeg's Adobe segment, of 16 bytes with its mark, is the first one.
        let place = try #require(jpeg.firstRange(of: [0xFF, 0xEE]))
        let plain = jpeg[..<place.lowerBound] + jpeg[(place.lowerBound + 16)...]
        let bytes = InkFile.with(InkFile.profile(), Array(plain))
        #expect(difference(try colours(bytes, 6), Self.expected) <= 2)
    }

    @Test func betweenTheNodesColoursAreInProportion() throws {
        // Half of the cyan: a lightness of 75.
        let bytes = InkFile.with(
            InkFile.profile(), try InkFile.encode([[127, 255, 255, 255], [128, 255, 255, 255]]))
        #expect(difference(try colours(bytes, 2), [[185, 185, 185], [185, 185, 185]]) <= 2)
    }

    @Test func aReducedPictureHasTheSameColours() throws {
        let bytes = InkFile.with(InkFile.profile(), try InkFile.encode(Self.fields))
        let small = try Pictures.decode(bytes, maxSide: 6)
        let pixels = (0..<6).map { small.pixel($0, 0).map(Int.init) }
        #expect(difference(pixels, Self.expected) <= 3)
        let region = PixelRegion(x: 34, y: 3, width: 9, height: 9)
        #expect(
            try Pictures.decode(bytes, region: region) == Pictures.decode(bytes).cut(region))
    }

    @Test func aProfileThatCannotBeReadIsNotFollowed() throws {
        let jpeg = try InkFile.encode(Self.fields)
        let plain = try Pictures.decode(jpeg)
        let profile = InkFile.profile()
        var halved = InkFile.with(profile, jpeg, part: 300)
        // The number of segments that the first one states.
        halved[2 + 4 + 13] += 1
        let large = [UInt8](repeating: 0, count: PictureLimits.profileBytesMax)
        var none = InkFile.with(profile, jpeg)
        none[2 + 4 + 13] = 0
        let unread = [
            halved, none, InkFile.with(InkFile.profile(space: "RGB "), jpeg),
            InkFile.with(Array(profile[..<200]), jpeg), InkFile.with(profile + large, jpeg),
            InkFile.with(Array(profile[..<132]) + profile[200...], jpeg),
        ]
        for (index, bytes) in unread.enumerated() {
            #expect(try Pictures.decode(bytes) == plain, "\(index)")
        }
    }

    @Test func aDamagedProfileHarmsNothing() throws {
        let jpeg = try InkFile.encode(Self.fields)
        let profile = InkFile.profile()
        var random = SeededRandom(seed: 6)
        for round in 0..<(Soak.isOn ? 20_000 : 200) {
            let damaged = Mutation.of(profile, with: profile, using: &random)
            let bytes = InkFile.with(Array(damaged.prefix(1 << 16)), jpeg, part: 1_000)
            let bitmap = try? Pictures.decode(bytes)
            #expect(bitmap?.width == 96, "round \(round)")
        }
    }

    @Test(.enabled(if: PythonOracle.path != nil, "needs Pillow"))
    func aPictureHasTheColoursThatPillowGivesIt() throws {
        var random = SeededRandom(seed: 3)
        let fields = (0..<400).map { _ in random.bytes(4) }
        let bytes = InkFile.with(InkFile.profile(), try InkFile.encode(fields))
        let bitmap = try Pictures.decode(bytes)
        try withTemporaryDirectory { folder in
            try Data(bytes).write(to: URL(filePath: folder + "/inks.jpg"))
            _ = try PythonOracle.run("pillow_inks.py", [folder + "/inks.jpg", folder + "/out"])
            let raw = [UInt8](try Data(contentsOf: URL(filePath: folder + "/out")))
            #expect(raw.count == bitmap.rgb.count)
            let differences = zip(bitmap.rgb, raw).map { abs(Int($0) - Int($1)) }
            // Both take the profile by a grid of the same size, Little CMS in tetrahedra.
            #expect(differences.max() ?? 255 <= 24)
            #expect(differences.reduce(0, +) < differences.count)
        }
    }
}
