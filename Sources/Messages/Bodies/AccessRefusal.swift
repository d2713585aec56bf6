/// The body of an ERROR with the code ACCESS_REQUIRED.
public struct AccessRefusal: Sendable, Equatable {
    /// The store to which the account's owner has to grant access.
    public var store: StoreKind
    /// What the owner allows.
    public var access: AccessStatus
    /// What a change would have put or removed, by name; the first `Limits.refusedPartsShown`.
    public var refused: [String]

    /// From its parts.
    public init(store: StoreKind, access: AccessStatus, refused: [String] = []) {
        self.store = store
        self.access = access
        self.refused = refused
    }

    /// Reads the body of an ERROR; nil if it is none of this code.
    public init?(parsing body: [UInt8]) {
        guard let value = try? JSONValue(parsing: body),
            let access = value["access"]?.text.flatMap(AccessStatus.init(rawValue:)),
            let store = value["store"]?.text.flatMap(StoreKind.init(rawValue:))
        else { return nil }
        self.init(
            store: store, access: access,
            refused: (value["refused"]?.array ?? []).compactMap(\.text))
    }

    /// What is allowed and what is needed, for people.
    public var text: String {
        let sufficient = store.statuses.filter(\.allowsReading).map(\.rawValue)
        return "access to the account's \(store.noun) is \(access.rawValue); "
            + "it has to be \(sufficient.joined(separator: " or "))"
    }

    /// The document.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "access": .string(access.rawValue), "store": .string(store.rawValue),
        ]
        if !refused.isEmpty { members["refused"] = .array(refused.map(JSONValue.string)) }
        return .object(members)
    }
}
