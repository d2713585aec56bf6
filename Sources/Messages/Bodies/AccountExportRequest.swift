/// The body of an `account.export` request: a page of what is kept of the field's account.
public struct AccountExportRequest: JSONBody {
    /// An entry of a collection.
    public struct Place: Sendable, Equatable {
        /// The kind of store.
        public var store: StoreKind
        /// The collection, such as a calendar.
        public var collection: String
        /// The entry's id; empty for the collection itself.
        public var id: String

        /// From its parts.
        public init(store: StoreKind, collection: String, id: String) {
            self.store = store
            self.collection = collection
            self.id = id
        }

        /// The place of an item of `account.export`; nil if it says what is allowed.
        public init?(ofItem item: JSONValue) {
            for store in StoreKind.allCases {
                guard let name = item[store.definition.collectionMember]?.text else { continue }
                self.init(store: store, collection: name, id: item["uid"]?.text ?? "")
                return
            }
            return nil
        }
    }

    /// Only what stands behind this place, by kind of store, collection, then id; everything if nil.
    public var after: Place?

    /// From its parts.
    public init(after: Place? = nil) { self.after = after }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["after"])
        guard let after = members.value("after") else { return }
        let names = StoreKind.allCases.map { $0.definition.collectionMember }
        let place = try Members(after, at: "after", allowing: names + ["uid"])
        let stated = StoreKind.allCases.filter {
            place.value($0.definition.collectionMember) != nil
        }
        guard let store = stated.first, stated.count == 1 else {
            throw JSONError("after must have one of \(names.joined(separator: ", "))")
        }
        self.after = Place(
            store: store,
            collection: try place.requiredName(store.definition.collectionMember),
            id: place.value("uid")?.text ?? "")
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add(
            "after",
            after.map { place in
                var inner = MemberList()
                inner.add(place.store.definition.collectionMember, text: place.collection)
                inner.add("uid", place.id.isEmpty ? nil : .string(place.id))
                return .object(inner.json)
            })
        return .object(members.json)
    }
}
