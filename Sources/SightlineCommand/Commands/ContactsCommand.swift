import Calendar
import Foundation
import Messages
import Service

/// `sightline contacts push|query|access`.
enum ContactsCommand: StoreCommand {
    typealias Definition = ContactStore
    static let noun = "contact"
    static let tokenOption = "token"
    static let name = "contacts"
    static let summary = "push contact cards of an account, state its access, or ask who is there"
    static let usage = [
        "push ACCOUNT ADDRESSBOOK FILE.vcf…",
        "query ACCOUNT [--all] [--name NAME] [--follow] [--json]",
        "access ACCOUNT STATUS",
    ]
    static let options: [CommandOption] =
        [.connect, .key, .serverKey, .catalog, .deadline, .json] + pushOptions("address book")
        + queryOptions + [
            .flag("all", "query: contacts that no entity is named like, too"),
            .value("name", "NAME", "query: only contacts with this name, as whole words"),
            .value("locale", "NAME", "query: the language of entities' titles, such as de_DE"),
        ]
    static var forms: CommandForms {
        [
            "push": Arguments.connection.union(pushOptionNames),
            "query": Arguments.connection.union([
                "catalog", "json", "follow", "all", "name", "locale",
            ]),
            "access": Arguments.connection,
        ]
    }
    static let details = """
        STATUS is \(statuses). Nothing is kept for an account that grants
        neither limited nor full access, and losing access removes what was kept.
        'push' reads cards of versions 3.0 and 4.0. What of a file cannot be read is said on standard
        error, and the rest is pushed; exit status 1 then. Pictures on cards are left out.
        'query' lists the contacts that have the name of an entity, with the entities and routes.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        if let status = try await runVerb(arguments) { return status }
        throw UsageError(
            "'contacts' takes push ACCOUNT ADDRESSBOOK FILE.vcf…, query ACCOUNT or "
                + "access ACCOUNT STATUS")
    }

    /// The cards of a file, each without the pictures on it.
    static func read(_ path: String, into entries: inout PushedEntries) throws {
        let bytes = try readFile(path, bytesMax: Limits.contactFileBytesMax)
        do {
            let reading = try CardFile.read(bytes)
            for refusal in reading.refused {
                entries.refuse("'\(path)' card \(refusal.place + 1)", "\(refusal.error)")
            }
            let bad = Set(reading.refused.map(\.place))
            let places = (0...).lazy.filter { !bad.contains($0) }
            for (card, place) in zip(reading.cards, places) {
                entries.add(
                    String(decoding: card.text, as: UTF8.self), from: "'\(path)' card \(place + 1)")
            }
        } catch {
            entries.refuse("'\(path)'", "\(error)")
        }
    }

    static func question(_ arguments: Arguments) throws -> Message? {
        let query = ContactQuery(
            all: arguments.isSet("all"), name: arguments["name"], locale: arguments["locale"])
        var message = Message.request(
            ServiceName.contactQuery, query.json, catalog: arguments.catalog,
            budgetMilliseconds: try arguments.deadline())
        message.fields.set(.limit, integer: UInt32(Limits.resultsMax))
        return message
    }

    static func text(_ items: [JSONValue]) -> String {
        var lines: [String] = []
        if items.contains(where: { $0["status"]?.text == AccessStatus.limited.rawValue }) {
            lines.append("only the contacts that the owner has chosen are known")
        }
        let contacts = items.filter { $0["kind"]?.text == "contact" }
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
