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
