import Calendar
import Catalog
import Messages
import Queue

extension Services {
    /// `contact.query`: the contacts that have the name of an entity, or all, by title; first what
    /// the owner allows.
    func contacts(_ call: ServiceCall) throws -> JobOutput {
        let request = try ContactQuery(parsing: call.body)
        let store = try call.store(.contacts)
        let names = ContactNames(call, locale: request.locale)
        let wanted = request.name.map { NameIndex(names: [$0]) }
        var items = request.after == nil ? [call.accessItem(store)] : []
        for (addressBook, held) in store.collections {
            for resource in held.resources.values {
                guard let card = Self.card(resource.text) else { continue }
                let key = Self.key(card.title, addressBook, card.uid)
                if let after = request.after,
                    !Self.key(after.title, after.addressBook, after.uid)
                        .lexicographicallyPrecedes(key)
                {
                    continue
                }
                if let wanted, !card.names.contains(where: { !wanted.matches(in: $0.text).isEmpty })
                {
                    continue
                }
                let matches = names.matches(of: card)
                guard request.all || !matches.isEmpty else { continue }
                let json = Self.json(of: card, in: addressBook, matches)
                items.append(MergeItem(sortKey: key, unionKey: key, json: json.canonical()))
            }
        }
        items.sort { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
        return call.output(Array(items.prefix(call.limit)))
    }

    /// What is held was read before; a text is one card.
    private static func card(_ text: [UInt8]) -> ContactCard? {
        let reading = try? VCard.read(
            text, bytesMax: text.count, cardBytesMax: max(text.count, Limits.resourceBytesMax))
        return reading?.cards.first
    }

    /// Behind the access item, whose key is a zero byte.
    private static func key(_ title: String, _ addressBook: String, _ uid: String) -> [UInt8] {
        Array("\u{1}\(title)\u{0}\(addressBook)\u{0}\(uid)".utf8)
    }

    private static func json(
        of card: ContactCard, in addressBook: String, _ matches: [JSONValue]
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "kind": .string("contact"), "addressBook": .string(addressBook),
            "uid": .string(card.uid), "title": .string(card.title),
            "of": .string(card.kind.rawValue),
            "names": .array(card.names.map { .string($0.text) }), "matches": .array(matches),
        ]
        if let organization = card.organization { members["organization"] = .string(organization) }
        for (name, addresses) in [("phones", card.phones), ("emails", card.emails)]
        where !addresses.isEmpty {
            members[name] = .array(addresses.map(json))
        }
        return .object(members)
    }

    private static func json(of address: ContactCard.Address) -> JSONValue {
        var members: [String: JSONValue] = ["value": .string(address.value)]
        if !address.types.isEmpty { members["types"] = .array(address.types.map { .string($0) }) }
        return .object(members)
    }
}

extension ServiceCall {
    /// A store of the request's account, whose owner allows reading it.
    ///
    /// - Throws: `ServiceFailure` without an account or without access.
    func store(_ kind: StoreKind) throws -> AccountStore {
        guard let account = request.fields.text(.account), !account.isEmpty else {
            let service = request.fields.text(.service) ?? ""
            throw ServiceFailure(.badRequest, "\(service) takes the field 'account'")
        }
        let store = content.stores[kind]?[account] ?? AccountStore()
        guard store.access.allowsReading else {
            throw ServiceFailure(AccessRefusal(store: kind, access: store.access))
        }
        return store
    }

    /// The first item of an answer from a store: what its owner allows.
    func accessItem(_ store: AccountStore) -> MergeItem {
        let json = JSONValue.object([
            "kind": .string("access"), "status": .string(store.access.rawValue),
        ])
        return MergeItem(sortKey: [0], unionKey: [0], json: json.canonical())
    }
}
