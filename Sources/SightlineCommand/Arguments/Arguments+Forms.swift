/// What a subcommand takes in each of its forms: the names of options by the verb behind the
/// subcommand's name; "" is the form without a verb.
typealias CommandForms = [String: Set<String>]

extension Arguments {
    /// Options of everything that connects to a router.
    static let connection: Set = ["connect", "key", "server-key", "deadline"]

    /// Refuses an option that the call has and the form that it is of does nothing with: whoever gives
    /// `--connect` to a command that reads a folder believes to see a server.
    ///
    /// What the environment or the configuration file sets is for all commands, and is not refused.
    func refuseUnusedOptions(of name: String, forms: CommandForms) throws {
        let verb = positionals.first.flatMap { forms[$0] == nil ? nil : $0 } ?? ""
        guard let taken = forms[verb] else { return }
        let common = Set(CommandOption.common.map(\.name))
        let unused = givenNames.filter { !taken.contains($0) && !common.contains($0) }
        guard let first = unused.min() else { return }
        let call = verb.isEmpty ? name : "\(name) \(verb)"
        let others = taken.sorted().map { "--\($0)" }.joined(separator: ", ")
        throw UsageError(
            "'\(call)' takes no --\(first)"
                + (others.isEmpty ? " and no other option" : "; it takes \(others)"))
    }

    /// Refuses options that need another one which the call does not have.
    func refuse(_ names: [String], without needed: String) throws {
        let value = self[needed]
        guard value == nil || value == "false" || value == "0",
            let name = names.first(where: isGiven)
        else { return }
        throw UsageError("--\(name) needs --\(needed)")
    }

    /// Refuses every option but some beside one which the call has.
    func refuse(allBut taken: Set<String>, with option: String) throws {
        guard isGiven(option) else { return }
        let allowed = taken.union(CommandOption.common.map(\.name)).union([option])
        guard let unused = givenNames.filter({ !allowed.contains($0) }).min() else { return }
        let others = taken.sorted().map { "--\($0)" }.joined(separator: ", ")
        throw UsageError(
            "--\(unused) does nothing with --\(option)"
                + (others.isEmpty ? "" : "; it takes \(others)"))
    }
}
