/// A picture with few features as a whole: how bright its parts are, beside one another.
///
/// A flat logo or a near-white cover has too little for its features to tell it by; the same picture
/// in another size, colour or compression still looks alike as a whole.
package struct WholePicture: Sendable, Equatable {
    /// Parts along a side.
    private static let side = 16
    /// Bytes: a part each.
    static let byteCount = side * side
    /// Features from which a picture is told by them alone.
    static let featuresMax = 150
    /// Grey levels by which some part differs from the mean; less is nothing but noise.
    private static let contrastMin = 6
    /// Sixteenths of a grey level: a mean's unit.
    private static let unit = 16
    /// Likeness of a picture that is accepted, at least.
    static let likenessMin = 0.98
    /// Percent by which the shapes of two pictures that are alike differ, at most.
    private static let shapePercentMax = 6

    /// What each part is brighter than the mean, row by row; 127 or -127 is the most of all.
    let values: [Int8]

    /// Reads what `encoded` gave, `byteCount` of it; nil if there was none.
    init?(decoding bytes: some Sequence<UInt8>) {
        values = bytes.map { Int8(bitPattern: $0) }
        precondition(values.count == Self.byteCount, "a value for each part")
        guard values.contains(where: { $0 != 0 }) else { return nil }
    }

    /// The values as bytes; zeros if there is no whole.
    static func encoded(_ whole: WholePicture?) -> [UInt8] {
        whole.map { $0.values.map { UInt8(bitPattern: $0) } }
            ?? [UInt8](repeating: 0, count: byteCount)
    }

    /// A picture as a whole; nil for one with a side below 16 pixels or without any contrast.
    init?(of image: GrayImage) {
        guard min(image.width, image.height) >= Self.side else { return nil }
        let means = Self.means(of: image)
        let mean = means.reduce(0, +) / means.count
        let most = means.reduce(0) { max($0, abs($1 - mean)) }
        guard most >= Self.contrastMin * Self.unit else { return nil }
        values = means.map { Int8(($0 - mean) * 127 / most) }
    }

    /// How much alike two pictures are: the cosine of what they have beside their means, -1...1.
    func likeness(to other: WholePicture) -> Double {
        other.values.withUnsafeBufferPointer { likeness(to: $0) }
    }

    /// The same with values that stand elsewhere.
    func likeness(to other: UnsafeBufferPointer<Int8>) -> Double {
        var (product, one, two) = (Int32(0), Int32(0), Int32(0))
        for index in 0..<Self.byteCount {
            let (here, there) = (Int32(values[index]), Int32(other[index]))
            product &+= here &* there
            one &+= here &* here
            two &+= there &* there
        }
        guard one > 0, two > 0 else { return 0 }
        return Double(product) / (Double(one) * Double(two)).squareRoot()
    }

    /// Whether pictures of these sizes may be one picture.
    static func areOfOneShape(_ one: (width: Int, height: Int), _ other: (width: Int, height: Int))
        -> Bool
    {
        let (flat, steep) = (one.width * other.height, other.width * one.height)
        return abs(flat - steep) * 100 <= shapePercentMax * max(flat, steep)
    }

    /// The mean of each part, in `unit`; pixels between two parts count for both by their shares.
    private static func means(of image: GrayImage) -> [Int] {
        var sums = [Int](repeating: 0, count: byteCount)
        let columns = shares(of: image.width)
        for (y, row) in shares(of: image.height).enumerated() {
            var parts = [Int](repeating: 0, count: side + 1)
            for (x, column) in columns.enumerated() {
                let pixel = Int(image.pixels[y * image.width + x])
                parts[column.part] += pixel * column.first
                parts[column.part + 1] += pixel * (side - column.first)
            }
            for part in 0..<side {
                sums[row.part * side + part] += parts[part] * row.first
                if row.part + 1 < side {
                    sums[(row.part + 1) * side + part] += parts[part] * (side - row.first)
                }
            }
        }
        return sums.map { $0 * unit / (image.width * image.height) }
    }

    /// The part that each of some pixels in a row begins in, and how many sixteenths of the pixel lie
    /// in it; the rest lies in the next one.
    private static func shares(of count: Int) -> [(part: Int, first: Int)] {
        (0..<count).map { pixel in
            let part = pixel * side / count
            return (part, min(side, (part + 1) * count - pixel * side))
        }
    }
}
