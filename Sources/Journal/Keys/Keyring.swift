public import Messages

/// Keys of accounts: by id, and the one that each account's new payloads are encrypted under.
public struct Keyring: Sendable, Equatable {
    private var byID: [KeyID: AccountKey] = [:]
    private var current: [String: KeyID] = [:]
    /// Keys under which nothing stands that losing access has to end.
    private var empty: Set<KeyID> = []

    /// No keys.
    public init() {}

    /// Keys in the order in which they were made; the last one of an account counts.
    public init(_ keys: [AccountKey]) {
        for key in keys { add(key) }
    }

    /// Keys that there are.
    public var count: Int { byID.count }
    /// All keys, by id.
    public var all: [AccountKey] { byID.values.sorted { $0.id < $1.id } }
    /// The accounts that have a key, in no order.
    public var accounts: some Collection<String> { current.keys }

    /// The key of an id; nil if it is unknown or destroyed.
    public subscript(_ id: KeyID) -> AccountKey? { byID[id] }
    /// The key that an account's new payloads are encrypted under; nil if it has none.
    public func key(of account: String) -> AccountKey? { current[account].flatMap { byID[$0] } }

    /// Whether nothing but refusals of access stands under a key, as far as is known.
    func isEmpty(_ id: KeyID) -> Bool { empty.contains(id) }
    /// Remembers whether anything but refusals of access stands under a key.
    mutating func mark(_ id: KeyID, isEmpty: Bool) {
        if isEmpty { empty.insert(id) } else { empty.remove(id) }
    }

    /// Adds a key, which is its account's current one from now on.
    public mutating func add(_ key: AccountKey) {
        byID[key.id] = key
        current[key.account] = key.id
    }

    /// Destroys a key; returns it if it was there.
    @discardableResult
    public mutating func remove(_ id: KeyID) -> AccountKey? {
        guard let key = byID.removeValue(forKey: id) else { return nil }
        empty.remove(id)
        if current[key.account] == id { current[key.account] = nil }
        return key
    }
}
