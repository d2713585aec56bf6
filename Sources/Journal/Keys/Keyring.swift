public import Messages

/// Keys of accounts: by id, and the one that each store's new payloads are encrypted under; with
/// what each store's owner allows.
public struct Keyring: Sendable, Equatable {
    /// One store of one account.
    private struct Owner: Hashable, Sendable {
        let account: String
        let store: StoreKind
    }

    private var byID: [KeyID: AccountKey] = [:]
    private var current: [Owner: KeyID] = [:]
    /// What is allowed, by the key under which it was stated; a key without an entry is of a
    /// store whose owner was not asked.
    private var statuses: [KeyID: AccessStatus] = [:]

    /// No keys.
    public init() {}

    /// Keys in the order in which they were made; the last one of a store counts.
    public init(_ keys: [AccountKey]) {
        for key in keys { add(key) }
    }

    /// Keys that there are.
    public var count: Int { byID.count }
    /// All keys, by id.
    public var all: [AccountKey] { byID.values.sorted { $0.id < $1.id } }
    /// The accounts that have a key, in no order.
    public var accounts: Set<String> { Set(current.keys.map(\.account)) }

    /// The key of an id; nil if it is unknown or destroyed.
    public subscript(_ id: KeyID) -> AccountKey? { byID[id] }
    /// The key that new payloads of a store are encrypted under; nil if it has none.
    public func key(of account: String, _ store: StoreKind = .calendar) -> AccountKey? {
        current[Owner(account: account, store: store)].flatMap { byID[$0] }
    }
    /// The keys of all stores of an account.
    public func keys(of account: String) -> [AccountKey] {
        StoreKind.allCases.compactMap { key(of: account, $0) }
    }

    /// What the owner of a store allows.
    public func access(of account: String, _ store: StoreKind) -> AccessStatus {
        current[Owner(account: account, store: store)].map { access(under: $0) } ?? .notDetermined
    }
    /// What was last stated under a key.
    public func access(under id: KeyID) -> AccessStatus { statuses[id] ?? .notDetermined }
    /// Remembers what was stated under a key that is here.
    public mutating func state(_ status: AccessStatus, under id: KeyID) {
        guard byID[id] != nil else { return }
        statuses[id] = status == .notDetermined ? nil : status
    }

    /// Adds a key, which is its store's current one from now on.
    public mutating func add(_ key: AccountKey) {
        byID[key.id] = key
        current[Owner(account: key.account, store: key.store)] = key.id
    }

    /// Destroys a key; returns it if it was there.
    @discardableResult
    public mutating func remove(_ id: KeyID) -> AccountKey? {
        guard let key = byID.removeValue(forKey: id) else { return nil }
        statuses[id] = nil
        let owner = Owner(account: key.account, store: key.store)
        if current[owner] == id { current[owner] = nil }
        return key
    }
}
