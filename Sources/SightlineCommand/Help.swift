/// The texts of `sightline help` and `sightline SUBCOMMAND --help`.
enum Help {
    static var overview: String {
        let width = Sightline.subcommands.map({ $0.name.count }).max() ?? 0
        let list = Sightline.subcommands.map { subcommand in
            let padding = String(repeating: " ", count: width - subcommand.name.count)
            return "  \(subcommand.name)\(padding)  \(subcommand.summary)"
        }
        return """
            sightline \(Version.text): which entry of my catalog is in this picture?

            usage: sightline SUBCOMMAND [OPTION…]

            \(list.joined(separator: "\n"))

            'sightline SUBCOMMAND --help' says more. Begin with 'sightline serve'.

            \(exitStatuses)
            """
    }

    static func text(of subcommand: any Subcommand.Type) -> String {
        let usage = subcommand.usage.map { "  sightline \(subcommand.name) \($0)" }
        let options = subcommand.options + CommandOption.common
        let names = options.map { "--\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
        let width = names.map({ $0.count }).max() ?? 0
        let list = zip(names, options).map { name, option in
            "  " + name + String(repeating: " ", count: width - name.count) + "  " + option.help
                + (option.repeats ? "; may be repeated" : "")
        }
        let details = subcommand.details.isEmpty ? "" : "\n\(subcommand.details)\n"
        return """
            \(subcommand.summary)

            usage:
            \(usage.joined(separator: "\n"))
            \(details)
            options:
            \(list.joined(separator: "\n"))

            Each option can also be set in the environment (SIGHTLINE_LOG_LEVEL for --log-level)
            or in the configuration file ("log-level"); the flag is the strongest.
            \(exitStatuses)
            """
    }

    private static let exitStatuses = """
        exit status: 0 done; 1 done, and the answer is no (incomplete, different, refused rows);
        2 called wrongly; 3 no server or no answer in time; 4 refused by the server; 5 other fault
        """
}
