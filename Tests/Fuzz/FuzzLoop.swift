import Foundation
import TestSupport

/// Damages seeds at random and reads them until the time is over; what is a finding is kept.
struct FuzzLoop {
    /// Outcomes that are findings; every other one is as it should be.
    static let findings: Set<String> = ["fallen", "slow", "unlike"]

    /// What is damaged.
    let seeds: [[UInt8]]
    /// How the names of kept files end.
    let ending: String
    /// Processor seconds of one input; what takes longer is slow, however busy the machine is.
    let secondsMax: Double

    /// Counts of outcomes by name.
    ///
    /// - Parameters:
    ///   - damaged: a new input from two seeds.
    ///   - outcome: of reading an input.
    func run(
        until end: Date, seed: UInt64, keep: String,
        damaged: ([UInt8], [UInt8], inout SeededRandom) -> [UInt8],
        outcome: ([UInt8], inout SeededRandom) -> String
    ) throws -> [String: Int] {
        var random = SeededRandom(seed: seed)
        var counts = ["seeds": seeds.count]
        try FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
        // It stays there if this process ends over it.
        let current = keep + "/current"
        while Date() < end, !seeds.isEmpty {
            let first = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let second = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let bytes = damaged(first, second, &random)
            try Data(bytes).write(to: URL(filePath: current))
            let start = Self.processorSeconds
            var found = outcome(bytes, &random)
            if Self.processorSeconds - start > secondsMax { found = "slow" }
            counts[found, default: 0] += 1
            guard Self.findings.contains(found) else { continue }
            let kept = keep + "/\(found)-\(counts[found] ?? 0)\(ending)"
            try Data(bytes).write(to: URL(filePath: kept))
            print("\(found): \(kept)")
        }
        try? FileManager.default.removeItem(atPath: current)  // nothing is lost if it stays
        return counts
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Every file of a folder whose name has an ending; large ones would take the time of many.
    static func texts(in folder: String, ending: String, bytesMax: Int) throws -> [[UInt8]] {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return try (paths ?? []).filter { $0.hasSuffix(ending) }.sorted().compactMap { path in
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + path)))
            return bytes.count <= bytesMax ? bytes : nil
        }
    }

    /// Bytes changed, or lines mixed: damaged bytes alone seldom make another rule.
    static func damagedText(
        _ first: [UInt8], _ second: [UInt8], bytesMax: Int, using random: inout SeededRandom
    ) -> [UInt8] {
        guard Bool.random(using: &random) else {
            return Array(Mutation.of(first, with: second, using: &random).prefix(bytesMax))
        }
        var lines = first.split(separator: 10)
        let others = second.split(separator: 10)
        for _ in 0..<Int.random(in: 1...4, using: &random) where !lines.isEmpty && !others.isEmpty {
            let line = others[Int.random(in: 0..<others.count, using: &random)]
            lines.insert(line, at: Int.random(in: 0..<lines.count, using: &random))
        }
        return Array(lines.joined(separator: [10]).prefix(bytesMax))
    }
}
