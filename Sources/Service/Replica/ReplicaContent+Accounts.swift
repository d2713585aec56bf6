import Calendar
import Journal
import Messages

extension ReplicaContent {
    /// Forgets everything of the account that a key belongs to, and the key.
    mutating func endKey(_ id: KeyID) {
        guard let key = keyring.remove(id) else { return }
        accounts[key.account] = nil
        putAside.removeAll { $0.keyID == id }
        unsavedRows.append(.drop(id))
        endedAccounts.append(key.account)
    }

    /// Puts and removes resources of a calendar, unless something newer was applied.
    mutating func change(_ change: CalendarChange, of record: Record) throws {
        let (account, key) = try owner(of: record)
        guard accounts[account]?.access == .fullAccess else {
            throw Unappliable("the account has not granted full access; nothing is kept")
        }
        var state = accounts[account]?.calendars[change.calendar] ?? .init()
        _ = try CalendarWindow.upcoming(asOf: 0, days: 1, zone: change.zone)
        guard change.revision >= state.revision else { return }
        let gone = change.reset ? Array(state.resources.keys) : change.remove
        for uid in gone where state.resources.removeValue(forKey: uid) != nil {
            let name = AccountRow.resourceName(change.calendar, uid)
            unsavedRows.append(.remove(name: name, key))
        }
        state.revision = change.revision
        state.zone = change.zone
        let row = AccountRow.calendar(
            change.calendar, revision: change.revision, zone: change.zone)
        unsavedRows.append(.put(row, key))
        let faults = put(change.put, into: &state, of: change.calendar, key)
        accounts[account]?.calendars[change.calendar] = state
        guard faults.isEmpty else {
            throw Unappliable("applied without \(faults.count) resources: \(faults[0])")
        }
    }

    /// Keeps the resources that can be read; says of each other text why not.
    private mutating func put(
        _ texts: [String], into state: inout AccountCalendars.CalendarState,
        of calendar: String, _ key: AccountKey
    ) -> [String] {
        var faults: [String] = []
        for text in texts {
            do {
                let resources = try ICalendar.resources(
                    in: Array(text.utf8), bytesMax: Limits.resourceBytesMax)
                for resource in resources {
                    state.resources[resource.uid] = resource.text
                    let row = AccountRow.resource(
                        calendar: calendar, uid: resource.uid, text: resource.text)
                    unsavedRows.append(.put(row, key))
                }
            } catch {
                // Its context may hold what the owner wrote.
                faults.append(error.code.rawValue)
            }
        }
        return faults
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
        case .calendar(let name, let revision, let zone):
            accounts[key.account]?.calendars[name, default: .init()].revision = revision
            accounts[key.account]?.calendars[name, default: .init()].zone = zone
        case .resource(let calendar, let uid, let text):
            accounts[key.account]?.calendars[calendar, default: .init()].resources[uid] = text
        }
    }
}
