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
        let account = call.request.fields.text(.account) ?? ""
        let names = ContactNames(call, locale: request.locale)
        var items = request.after == nil ? [call.accessItem(store)] : []
        let key = AccountShelves<ContactBook>.Key(account: account, catalog: call.catalogName)
        let places = contactShelves.ask(key) { book in
            book.places(
                in: store.collections, names: names.wanted, onlyNamed: !request.all,
                with: request.name,
                after: request.after.map {
                    ContactBook.key(title: $0.title, addressBook: $0.addressBook, uid: $0.uid)
                }, countMax: call.limit - items.count)
        }
        // Whoever lost access meanwhile is not remembered.
        if self.store.content().stores[.contacts]?[account]?.keyID != store.keyID {
            contactShelves.forget(account)
        }
        items += places.compactMap { Self.item($0, in: store, names) }
        var output = call.output(items)
        output.listHash = UpcomingPage.hash(of: items)
        return output
    }

    /// Behind the access item, whose key is a zero byte.
    private static func item(
        _ place: ContactBook.Place, in store: AccountStore, _ names: ContactNames
    ) -> MergeItem? {
        let held = store.collections[place.addressBook]?.resources[place.uid]
        guard let card = held.flatMap({ ContactBook.card($0.text) }) else { return nil }
        let key =
            [1]
            + ContactBook.key(
                title: card.title, addressBook: place.addressBook, uid: place.uid)
        let json = json(of: card, place, names.matches(of: card))
        return MergeItem(sortKey: key, unionKey: key, json: json.canonical())
    }

    private static func json(
        of card: ContactCard, _ place: ContactBook.Place, _ matches: [JSONValue]
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "kind": .string("contact"), "addressBook": .string(place.addressBook),
            "uid": .string(place.uid), "title": .string(card.title),
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
