import Foundation
import Raster
import TestSupport

/// Made-up covers: enough structure to be matched, each from a seed.
enum Covers {
    /// A picture of shapes on a coloured ground.
    static func cover(seed: UInt64, side: Int = 400) -> Bitmap {
        var random = SeededRandom(seed: seed)
        var rgb = [UInt8](repeating: 0, count: side * side * 3)
        let ground = (0..<3).map { _ in UInt8.random(in: 60...200, using: &random) }
        for index in rgb.indices { rgb[index] = ground[index % 3] }
        for _ in 0..<90 {
            let size = Int.random(in: 8...70, using: &random)
            let left = Int.random(in: 0..<side, using: &random)
            let top = Int.random(in: 0..<side, using: &random)
            let colour = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
            let isRound = Bool.random(using: &random)
            for y in top..<min(side, top + size) {
                for x in left..<min(side, left + size) {
                    let (dx, dy) = (2 * (x - left) - size, 2 * (y - top) - size)
                    guard !isRound || dx * dx + dy * dy <= size * size else { continue }
                    for channel in 0..<3 { rgb[(y * side + x) * 3 + channel] = colour[channel] }
                }
            }
        }
        return Bitmap(width: side, height: side, rgb: rgb)
    }

    /// The cover smaller, on a desk, as JPEG: what a screenshot or a photo from above shows.
    static func photo(seed: UInt64, side cover: Int = 400) throws -> [UInt8] {
        let cover = self.cover(seed: seed, side: cover).scaled(maxSide: 300)
        let side = 500
        var rgb = [UInt8](repeating: 90, count: side * side * 3)
        for y in 0..<cover.height {
            for x in 0..<cover.width * 3 {
                rgb[(y + 110) * side * 3 + 80 * 3 + x] = cover.rgb[y * cover.width * 3 + x]
            }
        }
        return try Bitmap(width: side, height: side, rgb: rgb).jpeg(quality: 75)
    }

    /// Writes albums 1…count, a concert for each, and returns nothing but files:
    /// `albums.jsonl`, `concerts.jsonl`, `photo-N.jpg`, `stranger.jpg`.
    static func write(
        _ count: Int, to folder: String, concertDate: String, side: Int = 400
    ) throws {
        var albums = ""
        var concerts = ""
        for number in 1...count {
            let seed = UInt64(number)
            try save(cover(seed: seed, side: side).png(), "\(folder)/cover-\(number).png")
            try save(photo(seed: seed, side: side), "\(folder)/photo-\(number).jpg")
            albums += """
                {"id":"album-\(number)","properties":{"name":"Record \(number)",\
                "artistName":"Artist \(number)"},"pictures":["cover-\(number).png"]}\n
                """
            concerts += """
                {"id":"concert-\(number)","properties":{"name":"Artist \(number) live",\
                "artistName":"Artist \(number)","date":"\(concertDate)"}}\n
                """
        }
        try save(photo(seed: 9_999), "\(folder)/stranger.jpg")
        try save(Array(albums.utf8), "\(folder)/albums.jsonl")
        try save(Array(concerts.utf8), "\(folder)/concerts.jsonl")
    }

    /// Writes a text file.
    static func save(_ text: String, _ path: String) throws {
        try save(Array(text.utf8), path)
    }

    static func save(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
