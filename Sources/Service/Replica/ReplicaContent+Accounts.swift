import Calendar
import Journal
import Messages
import Queue

extension ReplicaContent {
    /// Forgets everything of the store that a key belongs to, and the key.
    mutating func endKey(_ id: KeyID) {
        guard let key = keyring.remove(id) else { return }
        stores[key.store]?[key.account] = nil
        putAside.removeAll { $0.keyID == id }
        unsavedRows.append(.drop(id))
        endedAccounts.append(key.account)
        changed.accounts.insert(key.account)
    }

    /// Puts and removes entries of a collection; what of it cannot be applied is told, and the rest
    /// applied.
    mutating func change<Definition: StoreDefinition>(
        _ change: StoreChange<Definition>, of record: Record
    ) throws {
        let kind = Definition.kind
        let (account, key) = try owner(of: record, kind)
        guard let store = stores[kind]?[account], store.access.allowsReading else {
            throw Unappliable("the owner does not allow reading; nothing is kept")
        }
        var held = store.collections[change.collection] ?? HeldCollection()
        let before = Set(held.removals.keys)
        let outcome = held.apply(
            CollectionUpdate(
                revision: change.revision, zone: change.zone, isReset: change.reset,
                isComplete: change.complete, syncToken: change.token,
                put: change.put.map { Array($0.utf8) }, removed: change.remove,
                retainedFrom: kind == .calendar ? Self.retainedFrom(record) : nil),
            rules: kind.rules, bytesMax: Limits.resourceBytesMax,
            entriesMax: Limits.entriesPerCollectionMax)
        stores[kind]?[account]?.collections[change.collection] = held
        writeDown(held, change.collection, outcome, removals: before, key)
        guard outcome.refused.isEmpty else {
            // Their context may hold what the owner wrote.
            let reasons = outcome.refused.prefix(10).map { refusal in
                (refusal.place.map { "put[\($0)]: " } ?? "zone: ") + refusal.error.code.rawValue
            }
            throw Unappliable(
                "applied without \(outcome.refused.count) parts: "
                    + reasons.joined(separator: ", "))
        }
    }

    /// Days are counted from when the journal stored the change, so that all replicas drop alike.
    private static func retainedFrom(_ record: Record) -> Int64? {
        let day: Int64 = 86_400_000
        return record.fields.timestamp(.recordedTime).map { stored in
            (stored.milliseconds / day - Int64(Limits.eventRetentionDays)) * day
        }
    }

    private mutating func writeDown(
        _ held: HeldCollection, _ collection: String, _ outcome: CollectionUpdateOutcome,
        removals before: Set<String>, _ key: AccountKey
    ) {
        unsavedRows.append(.put(.collection(collection, held.head), key))
        let touched = Set(outcome.put).union(outcome.removed)
        let forgotten = before.subtracting(held.removals.keys)
        for id in touched.union(forgotten).sorted() {
            let change: AccountRowChange
            if let entry = held.resources[id] {
                change = .put(.entry(collection: collection, id: id, entry), key)
            } else if let revision = held.removals[id] {
                change = .put(.removal(collection: collection, id: id, revision: revision), key)
            } else {
                change = .remove(name: AccountRow.entryName(collection, id), key)
            }
            unsavedRows.append(change)
        }
    }

    /// What there was under another key ended with that.
    mutating func setAccess<Definition: StoreDefinition>(
        _ access: StoreAccess<Definition>, of record: Record
    ) throws {
        let (_, key) = try owner(of: record, Definition.kind)
        take(.access(access.status), under: key)
        unsavedRows.append(.put(.access(access.status), key))
    }

    private func owner(
        of record: Record, _ kind: StoreKind
    ) throws(Unappliable) -> (String, AccountKey) {
        guard let account = record.fields.text(.account), !account.isEmpty else {
            throw Unappliable("the record names no account")
        }
        guard let key = record.fields.keyID.flatMap({ keyring[$0] }) else {
            throw Unappliable("the record is not sealed")
        }
        guard key.store == kind, key.account == account else {
            throw Unappliable("the record is sealed under the key of another store")
        }
        return (account, key)
    }

    /// Uses other keys than before; what was under a key that is not among them is forgotten.
    mutating func replaceKeys(by keys: [AccountKey]) {
        let fresh = Keyring(keys)
        for key in keyring.all where fresh[key.id] == nil { endKey(key.id) }
        keyring = fresh
    }

    /// Adds what a row holds.
    mutating func take(_ row: AccountRow, under key: AccountKey) {
        let fresh = AccountStore(keyID: key.id)
        if stores[key.store]?[key.account]?.keyID != key.id {
            stores[key.store, default: [:]][key.account] = fresh
        }
        stores[key.store, default: [:]][key.account, default: fresh].take(row)
    }
}

extension AccountStore {
    fileprivate mutating func take(_ row: AccountRow) {
        switch row {
        case .access(let status): access = status
        case .collection(let name, let head): collections[name, default: .init()].take(head)
        case .entry(let collection, let id, let entry):
            collections[collection, default: .init()].resources[id] = entry
        case .removal(let collection, let id, let revision):
            collections[collection, default: .init()].removals[id] = revision
        }
    }
}
