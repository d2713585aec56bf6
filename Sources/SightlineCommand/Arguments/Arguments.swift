import Foundation
import Messages
import Service

/// What a subcommand was called with, joined with environment and configuration file.
struct Arguments {
    /// What is no option, in order.
    var positionals: [String] = []
    private var flags: [String: [String]] = [:]
    private let options: [CommandOption]
    private let environment: [String: String]
    private var file: [String: JSONValue] = [:]

    /// Reads the arguments behind the subcommand's name.
    ///
    /// - Throws: `UsageError` for an unknown option or a missing value; `ConfigurationError` for
    ///   a configuration file that cannot be used.
    init(
        _ arguments: [String], options: [CommandOption], environment: [String: String]
    ) throws {
        self.options = options + CommandOption.common
        self.environment = environment
        try parse(arguments)
        file = try ConfigurationFile.read(named: self["config"], environment: environment)
        if let name = self["catalog"], !CatalogName.isAllowed(name) {
            throw UsageError(
                "--catalog takes a name of 1 to \(Limits.nameBytesMax) bytes without control "
                    + "characters")
        }
    }

    private mutating func parse(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), argument != "--" else {
                if argument == "--" {
                    positionals += rest
                    return
                }
                positionals.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1)
            let name = parts.first.map(String.init) ?? ""
            guard let option = options.first(where: { $0.name == name }) else {
                throw UsageError("unknown option '--\(name)'")
            }
            var value = parts.count > 1 ? String(parts[1]) : nil
            if option.value == nil {
                guard value == nil else { throw UsageError("--\(name) takes no value") }
                value = "true"
            } else if value == nil {
                value = rest.popFirst()
            }
            guard let value else {
                throw UsageError("--\(name) needs a value: \(option.value ?? "")")
            }
            guard option.repeats || flags[name] == nil else {
                throw UsageError("--\(name) is given twice")
            }
            flags[name, default: []].append(value)
        }
    }

    /// The value of an option from the strongest source that has one.
    subscript(_ name: String) -> String? { values(name).last }

    /// Every value of an option that repeats.
    func values(_ name: String) -> [String] {
        if let given = flags[name] { return given }
        let variable = "SIGHTLINE_" + name.uppercased().replacing("-", with: "_")
        if let value = environment[variable] { return [value] }
        switch file[name] {
        case .string(let text): return [text]
        case .number(let number):
            return [String(decoding: JSONValue.number(number).canonical(), as: UTF8.self)]
        case .bool(let value): return [value ? "true" : "false"]
        case .array(let elements): return elements.compactMap(\.text)
        case .object, .null, nil: return []
        }
    }

    /// The call itself has an option, and not only the environment or the configuration file.
    func isGiven(_ name: String) -> Bool { flags[name] != nil }

    /// The names of all options that the call itself has.
    var givenNames: [String] { Array(flags.keys) }

    /// A flag without a value is set.
    func isSet(_ name: String) -> Bool { self[name] == "true" || self[name] == "1" }

    /// Refuses more or fewer positional arguments than a subcommand takes.
    func requirePositionals(_ range: ClosedRange<Int>, _ what: String) throws {
        guard range.contains(positionals.count) else {
            throw UsageError(
                positionals.count < range.lowerBound
                    ? "\(what) is missing" : "too many arguments; this takes \(what)")
        }
    }
}

/// The command was called in a way that it does not know.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The configuration file: one JSON object whose members are named as the options are.
enum ConfigurationFile {
    /// Where it stands unless it is named.
    static func folder(_ environment: [String: String]) -> String {
        let home = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
        return home + "/sightline"
    }

    static func read(
        named name: String?, environment: [String: String]
    ) throws -> [String: JSONValue] {
        let path = name ?? folder(environment) + "/config.json"
        guard let data = FileManager.default.contents(atPath: path) else {
            guard name == nil else { throw ConfigurationError("cannot read '\(path)'") }
            return [:]
        }
        let document: JSONValue
        do {
            document = try JSONValue(parsing: Array(data))
        } catch {
            throw ConfigurationError("'\(path)': \(error)")
        }
        guard let object = document.object else {
            throw ConfigurationError("'\(path)' holds no JSON object")
        }
        let known = Set(Sightline.subcommands.flatMap { $0.options.map(\.name) })
            .union(CommandOption.common.map(\.name))
        if let unknown = object.keys.sorted().first(where: { !known.contains($0) }) {
            throw ConfigurationError("'\(path)': no option is called '\(unknown)'")
        }
        return object
    }
}
