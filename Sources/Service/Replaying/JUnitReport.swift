import Foundation

/// A replay as JUnit XML, which continuous integration understands: a test case for each exchange.
public final class JUnitReport {
    private static let headBytes = 256
    private let handle: FileHandle
    private var counted = ReplaySummary()

    /// Begins a file, for its owner only; one of the same name is replaced.
    ///
    /// - Throws: `ConfigurationError` if it cannot be written.
    public init(path: String) throws {
        handle = try FileHandle.forOwnerOnly(path)
        // The counts are known last; their place is kept free.
        try write(head(seconds: 0, faults: 0))
    }

    /// Adds an exchange.
    ///
    /// - Throws: As the system says.
    public func add(_ exchange: ReplayedExchange) throws {
        counted.add(exchange)
        let name = Self.escaped("#\(exchange.number) \(exchange.service)")
        let suite = Self.escaped(exchange.service.isEmpty ? "erased" : exchange.service)
        let time = String(format: "%.6f", exchange.seconds)
        let begin = "  <testcase classname=\"\(suite)\" name=\"\(name)\" time=\"\(time)\""
        switch exchange.outcome {
        case .same: try write("\(begin)/>\n")
        case .different(let lines):
            let text = Self.escaped(lines.joined(separator: "\n"))
            try write("\(begin)><failure message=\"different\">\(text)</failure></testcase>\n")
        case .failed(let reason):
            try write("\(begin)><error message=\"\(Self.escaped(reason))\"/></testcase>\n")
        case .notCompared(let reason):
            try write("\(begin)><skipped message=\"\(Self.escaped(reason))\"/></testcase>\n")
        case .erased: try write("\(begin)><skipped message=\"erased\"/></testcase>\n")
        }
    }

    /// Writes the counts and closes the file.
    ///
    /// - Parameters:
    ///   - seconds: What the replay took.
    ///   - faults: What is wrong with the replay as a whole, a test case with an error for each.
    /// - Throws: As the system says.
    public func finish(seconds: Double, faults: [String] = []) throws {
        for fault in faults {
            try write(
                "  <testcase classname=\"replay\" name=\"whole replay\">"
                    + "<error message=\"\(Self.escaped(fault))\"/></testcase>\n")
        }
        try write("</testsuite>\n")
        try handle.seek(toOffset: 0)
        try write(head(seconds: seconds, faults: faults.count))
        try handle.close()
    }

    private func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

    private func head(seconds: Double, faults: Int) -> String {
        let skipped = counted.notCompared + counted.erased
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"sightline replay\" "
            + "tests=\"\(counted.count + faults)\" failures=\"\(counted.different)\" "
            + "errors=\"\(counted.failed + faults)\" skipped=\"\(skipped)\" "
            + "time=\"\(String(format: "%.3f", seconds))\""
        return text + String(repeating: " ", count: max(0, Self.headBytes - 2 - text.utf8.count))
            + ">\n"
    }

    /// Text and attribute values of XML 1.0; what it does not allow becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
