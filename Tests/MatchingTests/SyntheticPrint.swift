import Matching

/// Prints that no picture gave.
enum SyntheticPrint {
    static func print(_ number: Int, features count: Int = 60) -> FeaturePrint {
        var random = Sequence64(state: UInt64(number) &* 77 &+ 1)
        let features = (0..<count).map { _ in
            LocalFeature(
                x: UInt16(random.next(below: 40_000)), y: UInt16(random.next(below: 40_000)),
                scale: UInt16(100 + random.next(below: 800)),
                angle: UInt16(random.next(below: 65_536)))
        }
        return FeaturePrint(
            width: 640, height: 640,
            digest: SHA256.digest(of: Array("\(number)".utf8)), features: features,
            codes: (0..<count * 16).map { _ in UInt8(random.next(below: 256)) },
            words: (0..<count * 3).map { _ in UInt16(random.next(below: 65_536)) })
    }

    /// A name of its own for each number.
    static func name(_ number: Int) -> PrintName {
        PrintName(bytes: SHA256.digest(of: Array("name \(number)".utf8)))
    }
}
