import Evaluation
import Matching
import Raster
import TestSupport
import Testing
import XXHash

/// Generated covers: the same everywhere, unlike one another, as rich as real ones.
struct GeneratorTests {
    private static let generator = CatalogGenerator(
        seed: 7, material: (0..<5).map { CatalogGenerator(seed: 8).picture($0) })

    @Test func aSeedAndAnIndexGiveTheSamePixelsEverywhere() {
        let plain = CatalogGenerator(seed: 7)
        let digests = (0..<6).map { Fixtures.digest(of: plain.picture($0)) }
        #expect(
            digests == [
                "637x790 9.9d.e2.9f.91.f2.ba.b3", "738x985 8d.20.3f.18.ae.4a.c2.1e",
                "541x795 6e.21.e.1e.15.75.fa.7b", "871x882 6b.9.45.ff.97.bb.61.b7",
                "926x925 91.93.25.f2.97.b3.4b.fc", "916x698 d1.b6.5d.53.e8.f9.d1.3e",
            ])
        let mixed = (0..<6).map { Fixtures.digest(of: Self.generator.picture($0)) }
        #expect(
            mixed == [
                "637x790 76.37.1f.bc.30.62.69.ac", "738x985 41.8f.33.d8.7d.ca.f2.7c",
                "541x795 5c.f5.99.70.17.95.7a.4d", "871x882 6b.9.45.ff.97.bb.61.b7",
                "926x925 84.eb.39.c2.42.f6.a2.da", "916x698 13.74.b5.6e.26.5e.f4.7e",
            ])
    }

    @Test func sidesAreThoseOfCovers() {
        let sides = (0..<60).map { index in
            let picture = CatalogGenerator(seed: 1).picture(index)
            return max(picture.width, picture.height)
        }
        #expect(sides.allSatisfy { CatalogGenerator.sides.contains($0) })
        #expect(Set(sides).count > 40)
    }

    @Test func anEntryTellsItsMaterial() {
        let uses = (0..<40).map { Self.generator.materialUsed(by: $0) }
        #expect(uses.contains { $0.count > 1 })
        #expect(Set(uses.joined()) == [0, 1, 2, 3, 4])
        #expect(CatalogGenerator(seed: 7).materialUsed(by: 3) == [])
        for (index, used) in uses.enumerated() {
            // What is not named has no part in the picture.
            let blank = Bitmap(width: 8, height: 8, rgb: [UInt8](repeating: 9, count: 192))
            let others = CatalogGenerator(
                seed: 7,
                material: (0..<5).map { used.contains($0) ? Self.generator.material[$0] : blank })
            guard index < 8 else { break }
            #expect(others.picture(index) == Self.generator.picture(index))
        }
    }

    @Test func entriesHaveAsManyFeaturesAsRealCovers() throws {
        let counts = try (0..<41).map { index in
            try Fixtures.print(of: Self.generator.picture(index)).featureCount
        }.sorted()
        #expect(counts[20] >= 335)
        #expect(counts[4] >= 100)
    }

    @Test func volumesOfASeriesShareAPartAndNoMore() {
        let series = SeriesGenerator(seed: 2)
        let digests = (0..<3).map { Fixtures.digest(of: series.cover(of: $0, volume: 0)) }
        #expect(
            digests == [
                "640x464 d2.66.75.cb.66.ff.75.d7", "430x640 90.29.7e.18.6e.86.4f.36",
                "424x640 85.cb.19.e3.52.62.73.fb",
            ])
        for number in 0..<3 {
            let other = series.cover(of: number, volume: 1)
            #expect(other != series.cover(of: number, volume: 0))
            #expect(other == SeriesGenerator(seed: 2).cover(of: number, volume: 1))
        }
    }

    @Test func entriesAreStrangersToOneAnother() throws {
        var collection = PrintCollection()
        let plain = CatalogGenerator(seed: 3)
        for index in 0..<30 {
            collection.put([try Fixtures.print(of: plain.picture(index))], for: index)
        }
        for index in 0..<10 {
            let found = collection.search(
                try Fixtures.print(of: plain.picture(index)), maxDistance: 1_000_000)
            #expect(found.matches.map(\.entry) == [index])
        }
    }
}

/// Distorted views of pictures.
struct DistortionTests {
    private static let clutter = (0..<3).map { CatalogGenerator(seed: 21).picture($0) }
    private static let picture = CatalogGenerator(seed: 20).picture(0)

    @Test func aSeedAndANumberGiveTheSamePixelsEverywhere() {
        let digests = Distortion.Kind.allCases.flatMap { kind in
            (0..<2).map { number in
                Fixtures.digest(
                    of: Distortion(seed: 5, number: number, strength: 0.9, kind: kind)
                        .applied(to: Self.picture, clutter: Self.clutter).bitmap)
            }
        }
        #expect(
            digests == [
                "600x800 6.af.cf.ac.e1.d4.b8.20", "600x800 fd.da.75.10.d2.1f.dd.43",
                "640x416 e9.98.b5.bd.fe.12.8c.cc", "800x520 29.e6.76.d4.d9.44.b9.54",
                "557x570 ad.b0.b5.c1.d9.42.cd.53", "531x544 1d.59.8a.ef.7b.5a.9f.4d",
            ])
    }

    @Test func everyEffectComesUp() {
        let steps = Set(
            (0..<80).flatMap { number in
                Distortion(seed: 1, number: number, strength: 1)
                    .applied(to: Self.picture, clutter: Self.clutter).steps
                    .map { $0.hasPrefix("scaled") ? "scaled" : $0 }
            })
        let wanted: Set = [
            "perspective", "occlusion", "glare", "light", "shadow", "grey", "defocus", "motion",
            "noise", "scaled", "screenshot", "edit", "border", "cut", "turned", "recoloured",
        ]
        #expect(steps == wanted)
    }

    @Test(arguments: Distortion.Kind.allCases)
    func weakDistortionsAreFound(kind: Distortion.Kind) throws {
        var collection = PrintCollection()
        collection.put([try Fixtures.print(of: Self.picture)], for: 1)
        for number in 0..<5 where kind != .screenshot {
            let view = Distortion(seed: 9, number: number, strength: 0.1, kind: kind)
                .applied(to: Self.picture, clutter: Self.clutter)
            let found = collection.search(
                try Fixtures.print(of: view.bitmap), maxDistance: 1_000_000)
            #expect(found.matches.count == 1, "\(kind) \(number) \(view.steps)")
        }
    }

    @Test func theOutlineSaysWhereThePictureLies() throws {
        // A white picture on a view without light effects: its outline holds white pixels.
        let white = Bitmap(width: 300, height: 400, rgb: [UInt8](repeating: 255, count: 360_000))
        for number in 0..<6 {
            let view = Distortion(seed: 4, number: number, strength: 0, kind: .photo)
                .applied(to: white)
            let x = Int(view.outline.map(\.x).reduce(0, +) / 4)
            let y = Int(view.outline.map(\.y).reduce(0, +) / 4)
            #expect(view.bitmap.rgb[3 * (y * view.bitmap.width + x)] == 255)
            let left = view.outline.map(\.x).min() ?? 0
            let top = view.outline.map(\.y).min() ?? 0
            #expect(left >= 0 && top >= 0)
        }
    }

    @Test func aDistortedPictureIsAReadableFile() throws {
        let view = Distortion(seed: 2, number: 1, strength: 0.7)
            .applied(to: Self.picture, clutter: Self.clutter)
        let read = try Picture.decode(
            .encoded(try view.jpeg()), maxSide: Distortion.side, limits: Fixtures.limits)
        #expect(read.width == view.bitmap.width)
        #expect(read.height == view.bitmap.height)
        #expect(1...100 ~= view.quality)
    }
}
