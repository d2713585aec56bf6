/// Damages a file as an attacker or a bad disk would, by a seed.
public enum Mutation {
    /// The bytes with one to four changes: flipped bits, numbers at their limits, runs that are cut
    /// out, repeated or taken from another file.
    public static func of(
        _ bytes: [UInt8], with other: [UInt8], using random: inout SeededRandom
    ) -> [UInt8] {
        var result = bytes
        for _ in 0...Int.random(in: 0..<4, using: &random) where !result.isEmpty {
            change(&result, other, &random)
        }
        return result
    }

    private static func change(
        _ bytes: inout [UInt8], _ other: [UInt8], _ random: inout SeededRandom
    ) {
        // Headers are short, and every other change is about them.
        let reach = Bool.random(using: &random) ? min(bytes.count, 600) : bytes.count
        let place = Int.random(in: 0..<reach, using: &random)
        let length = min(Int.random(in: 1...64, using: &random), bytes.count - place)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2:
            let limits: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]
            let value = limits[Int.random(in: 0..<limits.count, using: &random)]
            for at in place..<min(place + 4, bytes.count) { bytes[at] = value }
        case 3: bytes.removeSubrange(place..<(place + length))
        case 4: bytes.insert(contentsOf: Array(bytes[place..<(place + length)]), at: place)
        case 5: bytes.removeSubrange(place...)
        default:
            guard !other.isEmpty else { return }
            let from = Int.random(in: 0..<other.count, using: &random)
            let run = other[from..<min(from + length, other.count)]
            bytes.replaceSubrange(place..<min(place + run.count, bytes.count), with: run)
        }
    }
}
