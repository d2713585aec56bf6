import Calendar
import Messages
import Queue

extension Services {
    /// Bytes of one page of an export; one resource may exceed it.
    private static let exportBytesMax = 8 << 20

    /// `account.export`: what is kept of an account, in pages: what it allows, its calendars, their
    /// resources as they are stored.
    func exportAccount(_ call: ServiceCall) throws -> JobOutput {
        let request = try AccountExportRequest(parsing: call.body)
        guard let name = call.request.fields.text(.account), !name.isEmpty else {
            throw ServiceFailure(.badRequest, "account.export takes the field 'account'")
        }
        guard let account = call.content.accounts[name] else {
            throw ServiceFailure(.notFound, "nothing is kept of this account")
        }
        var page = ExportPage(countMax: call.limit, bytesMax: Self.exportBytesMax)
        if request.after == nil {
            page.add(
                .object(["kind": .string("access"), "status": .string(account.access.rawValue)]))
        }
        for (calendar, state) in account.calendars.sorted(by: { $0.key < $1.key }) {
            add(calendar, state, after: request.after, to: &page)
        }
        return call.output(page.items)
    }

    private func add(
        _ calendar: String, _ state: HeldCalendar,
        after: AccountExportRequest.Place?, to page: inout ExportPage
    ) {
        func isBehind(_ uid: String) -> Bool {
            guard let after else { return true }
            return (after.calendar, after.uid) < (calendar, uid)
        }
        if isBehind("") {
            page.add(
                .object([
                    "kind": .string("calendar"), "calendar": .string(calendar),
                    "revision": .integer(state.revision), "zone": .string(state.zone),
                    "resources": .integer(state.resources.count),
                ]))
        }
        for uid in state.resources.keys.sorted() where isBehind(uid) && !page.isFull {
            page.add(
                .object([
                    "kind": .string("resource"), "calendar": .string(calendar),
                    "uid": .string(uid),
                    "ics": .string(
                        String(decoding: state.resources[uid]?.text ?? [], as: UTF8.self)),
                ]))
        }
    }
}

/// Items in order, until there are enough of them.
private struct ExportPage {
    let countMax: Int
    let bytesMax: Int
    private(set) var items: [MergeItem] = []
    private var bytes = 0

    init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    var isFull: Bool { items.count >= countMax || bytes >= bytesMax }

    /// Adds an item, unless there are enough.
    mutating func add(_ value: JSONValue) {
        guard !isFull else { return }
        let json = value.canonical()
        let key = bigEndianBytes(UInt32(items.count))
        items.append(MergeItem(sortKey: key, unionKey: key, json: json))
        bytes += json.count
    }
}
