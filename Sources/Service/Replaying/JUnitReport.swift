import Foundation

/// A replay as JUnit XML, which continuous integration understands: a test case for each exchange.
public final class JUnitReport {
    private static let headBytes = 256
    private let handle: FileHandle

    /// Begins a file, for its owner only; one of the same name is replaced.
    ///
    /// - Throws: `ConfigurationError` if it cannot be written.
    public init(path: String) throws {
        handle = try FileHandle.forOwnerOnly(path)
        // The counts are known last; their place is kept free.
        try write(Self.head(ReplaySummary()))
    }

    /// Adds an exchange.
    ///
    /// - Throws: As the system says.
    public func add(_ exchange: ReplayedExchange) throws {
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
    /// - Throws: As the system says.
    public func finish(_ summary: ReplaySummary) throws {
        try write("</testsuite>\n")
        try handle.seek(toOffset: 0)
        try write(Self.head(summary))
        try handle.close()
    }

    private func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

    private static func head(_ summary: ReplaySummary) -> String {
        let skipped = summary.notCompared + summary.erased
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"sightline replay\" "
            + "tests=\"\(summary.count)\" failures=\"\(summary.different)\" "
            + "errors=\"\(summary.failed)\" skipped=\"\(skipped)\" "
            + "time=\"\(String(format: "%.3f", summary.seconds))\""
        return text + String(repeating: " ", count: max(0, headBytes - 2 - text.utf8.count))
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
