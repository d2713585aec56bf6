import Journal
import Matching
import Messages
import Service

/// A drawn picture with enough structure to be matched, from a seed; grey, of the working size,
/// so that it is compared as it is.
struct DrawnPicture {
    private static let side = 640
    let pixels: [UInt8]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let side = Self.side
        var pixels = [UInt8](repeating: UInt8.random(in: 60...200, using: &random), count: side * side)
        for _ in 0..<160 {
            let size = Int.random(in: 10...100, using: &random)
            let left = Int.random(in: 0..<side, using: &random)
            let top = Int.random(in: 0..<side, using: &random)
            let grey = UInt8.random(in: 0...255, using: &random)
            let isRound = Bool.random(using: &random)
            for y in top..<min(side, top + size) {
                for x in left..<min(side, left + size) {
                    let (dx, dy) = (2 * (x - left) - size, 2 * (y - top) - size)
                    if !isRound || dx * dx + dy * dy <= size * size { pixels[y * side + x] = grey }
                }
            }
        }
        self.pixels = pixels
    }

    /// Its encoded feature print.
    func print() throws -> [UInt8] {
        try FeaturePrint(of: GrayImage(width: Self.side, height: Self.side, pixels: pixels))
            .encoded()
    }

    /// A search with the picture.
    func search(budgetMilliseconds: UInt32) throws -> Message {
        let buffer = try PixelDescription(
            hash: ContentHash.of(pixels), layout: .gray, width: Self.side, height: Self.side)
        return .request(
            ServiceName.imageSearch, SearchRequest(subject: .pixels(buffer)).json,
            attachments: [pixels], budgetMilliseconds: budgetMilliseconds)
    }
}
