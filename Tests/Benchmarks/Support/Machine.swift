import Foundation

/// What the figures were measured on.
enum Machine {
    /// Processes that were ready to run in the last minute, on average.
    static var loadAverage: Double {
        var averages = [0.0, 0.0, 0.0]
        return getloadavg(&averages, 3) > 0 ? averages[0] : 0
    }

    /// Cores and load, as a line below a title.
    static var line: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return "\(cores) cores, load average \(Figure.of(loadAverage, digits: 2)) before"
    }

    /// Writes a line on what is being done, beside the tables.
    static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

/// What the cores of the machine did since this was made, beside what is measured.
struct CoreUse {
    private let begin = CoreUse.ticks()
    private let start = Clock.seconds()

    /// How much of the cores others took.
    ///
    /// - Parameter own: Seconds of processor time of what was measured.
    func text(own: Double) -> String {
        let end = Self.ticks()
        let seconds = Clock.seconds() - start
        let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
        guard seconds > 0, end.count == begin.count, end.count >= 8 else { return "" }
        let ticks = zip(begin, end).map { ($1 - $0) / 100 }
        // user, nice, system, irq, softirq; the eighth is what the host took.
        let busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
        let others = max(0, busy - own) / seconds / cores * 100
        let stolen = ticks[7] / seconds / cores * 100
        return "others took \(Figure.of(others, digits: 0)) % of the cores meanwhile, "
            + "the host \(Figure.of(stolen, digits: 0)) %"
    }

    /// Hundredths of a second by kind, of all cores together.
    private static func ticks() -> [Double] {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first ?? ""
        return line.split(separator: " ").dropFirst().compactMap { Double($0) }
    }
}
