/// One option of a subcommand.
///
/// Every option can also be set in the environment (`SIGHTLINE_LOG_LEVEL` for `--log-level`) and
/// in the configuration file (`"log-level"`); the flag wins over the environment, which wins over
/// the file.
struct CommandOption: Sendable {
    /// Without the dashes.
    let name: String
    /// What stands for the value in the help; nil for a flag that takes none.
    let value: String?
    /// May be given several times.
    var repeats = false
    /// One sentence, with the default.
    let help: String

    static func value(
        _ name: String, _ value: String, repeats: Bool = false, _ help: String
    ) -> CommandOption {
        CommandOption(name: name, value: value, repeats: repeats, help: help)
    }
    static func flag(_ name: String, _ help: String) -> CommandOption {
        CommandOption(name: name, value: nil, help: help)
    }

    static let connect = value(
        "connect", "ADDRESS", "the router's client endpoint (default 127.0.0.1:5570)")
    static let catalog = value("catalog", "NAME", "the catalog to use (default main)")
    static let deadline = value(
        "deadline", "DURATION", "when the answer is wanted, such as 300ms or 2s (default 2s)")
    static let json = flag("json", "print JSON instead of text")
    static let data = value(
        "data", "DIR", "where everything is kept (default $XDG_DATA_HOME/sightline)")
    static let trustNetwork = flag(
        "trust-network",
        "allow an address that other machines reach; all of them may then read and change all")
    static let lanes = value("lanes", "N", "threads that compute (default: one a core)")
    static let types = value("types", "TYPE,…", "match entities of these types only")
    static let entities = value(
        "entities", "DIR", "where entity types are found (default: those that came along)")
    static let asOf = value(
        "as-of", "INSTANT", "the instant to answer for, such as 2026-12-05T19:00:00Z (default now)")

    /// Options that every subcommand takes.
    static let common = [
        value(
            "config", "FILE",
            "the configuration file (default $XDG_CONFIG_HOME/sightline/config.json)"),
        value(
            "log-level", "LEVEL", "debug, info, warning or error (default warning; servers info)"),
    ]
}
