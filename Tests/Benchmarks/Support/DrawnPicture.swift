import Journal
import Matching
import Messages
import Raster
import Service

/// A drawn picture with enough structure to be matched, from a seed; grey, of the working size.
struct DrawnPicture {
    private static let side = 640
    let pixels: [UInt8]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let side = Self.side
        var pixels = [UInt8](
            repeating: UInt8.random(in: 60...200, using: &random), count: side * side)
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

    /// The picture as a file.
    func jpeg() throws -> [UInt8] {
        try Bitmap(width: Self.side, height: Self.side, rgb: pixels.flatMap { [$0, $0, $0] })
            .jpeg(quality: 85)
    }
}

extension Message {
    /// A search with the file of a picture.
    static func search(picture file: [UInt8], budgetMilliseconds: UInt32) -> Message {
        .request(
            ServiceName.imageSearch,
            SearchRequest(subject: .picture(ContentHash.of(file))).json, attachments: [file],
            budgetMilliseconds: budgetMilliseconds)
    }

    /// A search with an encoded feature print.
    static func search(print: [UInt8], budgetMilliseconds: UInt32) -> Message {
        var message = Message.request(
            ServiceName.imageSearch, SearchRequest(subject: .print(ContentHash.of(print))).json,
            attachments: [print], budgetMilliseconds: budgetMilliseconds)
        message.fields.set(.printVersion, text: ServiceVersions.featurePrint)
        return message
    }

    /// Asks for some entities by their names.
    static func lookup(_ numbers: some Sequence<Int>, budgetMilliseconds: UInt32) -> Message {
        let names = numbers.map { Samples.name($0) }
        return .request(
            ServiceName.entityGet, EntityGetRequest(entities: names).json,
            budgetMilliseconds: budgetMilliseconds)
    }
}
