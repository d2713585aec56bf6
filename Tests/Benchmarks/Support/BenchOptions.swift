/// What a benchmark is told on the command line: `--name value`, and arguments without a dash.
struct BenchOptions {
    private var values: [String: String] = [:]
    /// Arguments that belong to no option.
    private(set) var positionals: [String] = []
    private let known: [String]
    /// Options that take no value.
    private static let flags: Set<String> = ["json", "pinned"]

    /// - Parameter known: Names of the options, without dashes; each takes a value.
    init(_ arguments: [String], known: [String]) throws(BenchError) {
        self.known = known
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                positionals.append(argument)
                continue
            }
            let name = String(argument.dropFirst(2))
            guard known.contains(name) else {
                let names = known.map { "--\($0)" }.joined(separator: ", ")
                throw BenchError(.usage, "no option '\(argument)'; there are \(names)")
            }
            guard !Self.flags.contains(name) else {
                values[name] = "true"
                continue
            }
            guard let value = rest.popFirst() else {
                throw BenchError(.usage, "\(argument) takes a value")
            }
            values[name] = value
        }
    }

    /// The text of an option; nil if it is not given.
    subscript(_ name: String) -> String? {
        precondition(known.contains(name), "option \(name) is not declared")
        return values[name]
    }

    /// A whole number of at least 1.
    func count(_ name: String, default standard: Int) throws(BenchError) -> Int {
        guard let text = self[name] else { return standard }
        guard let number = Int(text), number >= 1 else {
            throw BenchError(.usage, "--\(name) is a whole number of at least 1")
        }
        return number
    }
}
