import Calendar
import Journal
import Messages
import Queue

extension ReplicaContent {
    /// Forgets everything of the store that a key belongs to, and the key.
    mutating func endKey(_ id: KeyID) {
        guard let key = keyring.remove(id) else { return }
        switch key.store {
        case .calendar: accounts[key.account] = nil
        case .contacts, .health: break
        }
        putAside.removeAll { $0.keyID == id }
        unsavedRows.append(.drop(id))
        endedAccounts.append(key.account)
        changed.accounts.insert(key.account)
    }

    /// Puts and removes resources of a calendar; what of it cannot be applied is told, and the rest
    /// applied.
    mutating func change(_ change: CalendarChange, of record: Record) throws {
        let (account, key) = try owner(of: record)
        guard accounts[account]?.access == .fullAccess else {
            throw Unappliable("the account has not granted full access; nothing is kept")
        }
        var held = accounts[account]?.calendars[change.calendar] ?? HeldCalendar()
        let before = Set(held.removals.keys)
        let outcome = held.apply(
            CalendarUpdate(
                revision: change.revision, zone: change.zone, isReset: change.reset,
                isComplete: change.complete, syncToken: change.syncToken,
                put: change.put.map { Array($0.utf8) }, removed: change.remove,
                retainedFrom: Self.retainedFrom(record)),
            bytesMax: Limits.resourceBytesMax)
        accounts[account]?.calendars[change.calendar] = held
        writeDown(held, change.calendar, outcome, removals: before, key)
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
        _ held: HeldCalendar, _ calendar: String, _ outcome: CalendarUpdateOutcome,
        removals before: Set<String>, _ key: AccountKey
    ) {
        unsavedRows.append(.put(.calendar(calendar, held.head), key))
        let touched = Set(outcome.put).union(outcome.removed)
        let forgotten = before.subtracting(held.removals.keys)
        for uid in touched.union(forgotten).sorted() {
            let change: AccountRowChange
            if let resource = held.resources[uid] {
                change = .put(.resource(calendar: calendar, uid: uid, resource), key)
            } else if let revision = held.removals[uid] {
                change = .put(.removal(calendar: calendar, uid: uid, revision: revision), key)
            } else {
                change = .remove(name: AccountRow.resourceName(calendar, uid), key)
            }
            unsavedRows.append(change)
        }
    }

    /// Nothing is kept without full access; what there was ended with its key.
    mutating func setAccess(_ access: CalendarAccess, of record: Record) throws {
        let (account, key) = try owner(of: record)
        if accounts[account]?.keyID != key.id { accounts[account] = AccountCalendars() }
        accounts[account]?.keyID = key.id
        accounts[account]?.access = access.status
        unsavedRows.append(.put(.access(access.status), key))
    }

    private func owner(of record: Record) throws(Unappliable) -> (String, AccountKey) {
        guard let account = record.fields.text(.account), !account.isEmpty else {
            throw Unappliable("the record names no account")
        }
        guard let key = record.fields.keyID.flatMap({ keyring[$0] }) else {
            throw Unappliable("the record is not sealed")
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
        if accounts[key.account]?.keyID != key.id {
            accounts[key.account] = AccountCalendars(keyID: key.id)
        }
        switch row {
        case .access(let status): accounts[key.account]?.access = status
        case .calendar(let name, let head):
            accounts[key.account]?.calendars[name, default: .init()].take(head)
        case .resource(let calendar, let uid, let resource):
            accounts[key.account]?.calendars[calendar, default: .init()].resources[uid] = resource
        case .removal(let calendar, let uid, let revision):
            accounts[key.account]?.calendars[calendar, default: .init()].removals[uid] = revision
        }
    }
}
