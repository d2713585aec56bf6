import Calendar
import Messages
import Queue

extension Services {
    /// Bytes of one page of an export; one resource may exceed it.
    private static let exportBytesMax = 8 << 20

    /// `account.export`: what is kept of an account, in pages: for each of its stores what it
    /// allows, its collections, their entries as they are stored.
    func exportAccount(_ call: ServiceCall) throws -> JobOutput {
        let request = try AccountExportRequest(parsing: call.body)
        guard let name = call.request.fields.text(.account), !name.isEmpty else {
            throw ServiceFailure(.badRequest, "account.export takes the field 'account'")
        }
        let kept = StoreKind.allCases.compactMap { kind in
            call.content.stores[kind]?[name].map { (kind, $0) }
        }
        guard !kept.isEmpty else {
            throw ServiceFailure(.notFound, "nothing is kept of this account")
        }
        var page = ExportPage(
            after: request.after, countMax: call.limit, bytesMax: Self.exportBytesMax)
        for (kind, store) in kept { add(kind.definition, store, to: &page) }
        return call.output(page.items)
    }

    private func add<Definition: StoreDefinition>(
        _: Definition.Type, _ store: AccountStore, to page: inout ExportPage
    ) {
        let kind = Definition.kind
        page.add(kind, "", "") {
            [
                "kind": .string("access"), "store": .string(kind.rawValue),
                "status": .string(store.access.rawValue),
            ]
        }
        for (name, held) in store.collections.sorted(by: { $0.key < $1.key }) {
            page.add(kind, name, "") { Self.json(of: held, Definition.self, name) }
            for (id, entry) in held.resources.sorted(by: { $0.key < $1.key }) where !page.isFull {
                page.add(kind, name, id) {
                    [
                        "kind": .string("resource"), Definition.collectionMember: .string(name),
                        "uid": .string(id),
                        Definition.entryMember: Definition.entry(
                            of: String(decoding: entry.text, as: UTF8.self)),
                    ]
                }
            }
        }
    }

    private static func json<Definition: StoreDefinition>(
        of held: HeldCollection, _: Definition.Type, _ name: String
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "kind": .string(Definition.collectionMember),
            Definition.collectionMember: .string(name), "revision": .integer(held.revision),
            "resources": .integer(held.resources.count),
        ]
        if Definition.statesZone { members["zone"] = .string(held.zone) }
        return members
    }
}

/// Items in order behind a place, until there are enough of them.
private struct ExportPage {
    let after: AccountExportRequest.Place?
    let countMax: Int
    let bytesMax: Int
    private(set) var items: [MergeItem] = []
    private var bytes = 0

    init(after: AccountExportRequest.Place?, countMax: Int, bytesMax: Int) {
        self.after = after
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    var isFull: Bool { items.count >= countMax || bytes >= bytesMax }

    /// Adds the item of a place, unless it was given before or there are enough.
    mutating func add(
        _ kind: StoreKind, _ collection: String, _ id: String, _ members: () -> [String: JSONValue]
    ) {
        guard !isFull, isBehind(kind, collection, id) else { return }
        let json = JSONValue.object(members()).canonical()
        let key = bigEndianBytes(UInt32(items.count))
        items.append(MergeItem(sortKey: key, unionKey: key, json: json))
        bytes += json.count
    }

    private func isBehind(_ kind: StoreKind, _ collection: String, _ id: String) -> Bool {
        guard let after else { return true }
        let kinds = StoreKind.allCases
        let (own, last) = (kinds.firstIndex(of: kind) ?? 0, kinds.firstIndex(of: after.store) ?? 0)
        return (last, after.collection, after.id) < (own, collection, id)
    }
}
