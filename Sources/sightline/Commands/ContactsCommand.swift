import Calendar
import Foundation
import Messages
import Service

/// `sightline contacts push|query|access`.
enum ContactsCommand: Subcommand {
    static let name = "contacts"
    static let summary = "push contact cards of an account, state its access, or ask who is there"
    static let usage = [
        "push ACCOUNT ADDRESSBOOK FILE.vcf…", "query ACCOUNT [--all] [--name NAME] [--json]",
        "access ACCOUNT STATUS",
    ]
    static let options: [CommandOption] =
        [.connect, .key, .serverKey, .catalog, .deadline, .json]
        + StoreCommands.pushOptions("address book") + [
            .value("token", "TEXT", "push: the token from which the producer goes on"),
            .flag("all", "query: contacts that no entity is named like, too"),
            .value("name", "NAME", "query: only contacts with this name, as whole words"),
            .value("locale", "NAME", "query: the language of entities' titles, such as de_DE"),
        ]
    static let details = """
        STATUS is \(StoreCommands.statuses(.contacts)). Nothing is kept for an account that grants
        neither limited nor full access, and losing access removes what was kept.
        'push' reads cards of versions 3.0 and 4.0. What of a file cannot be read is said on standard
        error, and the rest is pushed; exit status 1 then. Pictures on cards are left out.
        'query' lists the contacts that have the name of an entity, with the entities and routes.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "push" where rest.count >= 2:
            return try await push(rest[0], rest[1], Array(rest.dropFirst(2)), arguments)
        case "query" where rest.count == 1: return try await query(rest[0], arguments)
        case "access" where rest.count == 2:
            return try await StoreCommands.setAccess(
                ContactStore.self, rest[0], rest[1], arguments)
        default:
            throw UsageError(
                "'contacts' takes push ACCOUNT ADDRESSBOOK FILE.vcf…, query ACCOUNT or "
                    + "access ACCOUNT STATUS")
        }
    }

    private static func push(
        _ account: String, _ addressBook: String, _ files: [String], _ arguments: Arguments
    ) async throws -> ExitStatus {
        var change = try StoreCommands.change(ContactStore.self, addressBook, arguments)
        change.token = arguments["token"]
        var refused = 0
        for path in files {
            let reading = try CardFile.read(
                readFile(path, bytesMax: Limits.contactFileBytesMax), named: path)
            for fault in reading.refused {
                refused += 1
                Sightline.complain(
                    TerminalText.escaped("'\(path)': card \(fault.place + 1): \(fault.error)"))
            }
            change.put += reading.cards.map { String(decoding: $0.text, as: UTF8.self) }
        }
        guard !change.put.isEmpty || !change.remove.isEmpty || change.reset else {
            return StoreCommands.told(0, "contact", removed: 0, refused: refused, at: nil)
        }
        let position = try await StoreCommands.push(change, account, arguments)
        return StoreCommands.told(
            change.put.count, "contact", removed: change.remove.count, refused: refused,
            at: position)
    }

    private static func query(
        _ account: String, _ arguments: Arguments
    ) async throws -> ExitStatus {
        let query = ContactQuery(
            all: arguments.isSet("all"), name: arguments["name"], locale: arguments["locale"])
        var message = Message.request(
            ServiceName.contactQuery, query.json, catalog: arguments.catalog,
            budgetMilliseconds: try arguments.deadline())
        message.fields.set(.account, text: account)
        message.fields.set(.limit, integer: UInt32(Limits.resultsMax))
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(message)
            if arguments.isSet("json") {
                print(String(decoding: ReplyText.json(reply).canonical(), as: UTF8.self))
            } else {
                print(text(reply))
            }
            return reply.isComplete ? .success : .negative
        }
    }

    private static func text(_ reply: Reply) -> String {
        var lines: [String] = []
        if reply.items.contains(where: { $0["status"]?.text == AccessStatus.limited.rawValue }) {
            lines.append("only the contacts that the owner has chosen are known")
        }
        let contacts = reply.items.filter { $0["kind"]?.text == "contact" }
        guard !contacts.isEmpty else { return (lines + ["no contact"]).joined(separator: "\n") }
        let rows = contacts.flatMap { contact -> [[String]] in
            let first = [
                contact["title"]?.text ?? "", contact["addressBook"]?.text ?? "",
                reached(contact),
            ]
            let matches = (contact["matches"]?.array ?? []).flatMap { match in
                (match["entities"]?.array ?? []).map { entity in
                    [
                        (match["why"]?.array ?? []).compactMap(\.text).joined(separator: ", "),
                        entity["title"]?.text ?? "", entity["route"]?.text ?? "",
                    ]
                }
            }
            return matches.isEmpty ? [first + ["", "", ""]] : matches.map { first + $0 }
        }
        lines.append(
            Table(
                header: ["contact", "address book", "reached at", "why", "entity", "route"],
                rows: rows
            ).text)
        return lines.joined(separator: "\n")
    }

    private static func reached(_ contact: JSONValue) -> String {
        let addresses = (contact["phones"]?.array ?? []) + (contact["emails"]?.array ?? [])
        return addresses.first?["value"]?.text ?? ""
    }
}
