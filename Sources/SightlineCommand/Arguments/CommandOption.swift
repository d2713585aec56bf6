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
    static let key = value(
        "key", "FILE", "the own key pair, which 'key new' writes (default: no keys)")
    static let serverKey = value(
        "server-key", "KEY", "the server's public key, or a file with it; needs --key")
    static let journalKey = value(
        "journal-key", "KEY",
        "the journal's public key, or a file with it (default: that of the router)")
    static let allowed = value(
        "allowed", "FILE",
        "the public keys that are let in (default $XDG_CONFIG_HOME/sightline/allowed-keys)")
    static let catalog = value("catalog", "NAME", "the catalog to use (default main)")
    static let deadline = value(
        "deadline", "DURATION", "when the answer is wanted, such as 300ms or 2s (default 2s)")
    static let leastShare = value(
        "least-share", "PERCENT",
        "fail if less of the catalog answers by the deadline (default: take what there is)")
    static let json = flag("json", "print JSON instead of text")
    static let data = value(
        "data", "DIR", "where everything is kept (default $XDG_DATA_HOME/sightline)")
    static let trustNetwork = flag(
        "trust-network",
        "allow an address that other machines reach without keys; all of them may then read and change all"
    )
    static let lanes = value("lanes", "N", "threads that compute (default: one a core)")
    static let type = value(
        "type", "TYPE", repeats: true, "only entities of this type (default all)")
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
