import Foundation

/// Names of artists and titles of events, drawn by a seed; one name in six has a diacritic.
enum DrawnNames {
    private static let heads = Array("bcdfghklmnprstvwz")
    private static let middles = ["a", "e", "i", "o", "u", "ai", "ou", "a", "e", "o", "i", "é"]
    private static let tails = ["", "n", "r", "s", "l", "k", "th", "", ""]

    static func names(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            let words = 1 + random.next() % 3
            return (0..<words).map { _ in word(&random) }.joined(separator: " ")
        }
    }

    /// Every fifth title has one of the names.
    static func titles(_ count: Int, names: [String], seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { number in
            let name = names[Int(random.next() % UInt64(names.count))]
            if number % 5 == 0 { return "Tickets: \(name) in \(word(&random))" }
            let words = 2 + random.next() % 5
            return (0..<words).map { _ in word(&random) }.joined(separator: " ")
        }
    }

    private static func word(_ random: inout SeededRandom) -> String {
        let syllables = 2 + random.next() % 3
        return (0..<syllables).map { _ in
            String(heads[Int(random.next() % UInt64(heads.count))])
                + middles[Int(random.next() % UInt64(middles.count))]
                + tails[Int(random.next() % UInt64(tails.count))]
        }.joined().capitalized
    }
}
