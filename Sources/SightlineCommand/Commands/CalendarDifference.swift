import Messages

/// The changes that bring a calendar from what a server holds to what a folder holds.
struct CalendarDifference {
    /// In pages that fit into a change each; empty if there is nothing to say.
    let changes: [CalendarChange]

    private static let pageBytesMax = Limits.bodyBytesMax / 2
    private static let pageCountMax = 200

    /// From what was pushed before to what there is; nil for what is not known any more: then the
    /// calendar begins anew.
    init(
        calendar: String, zone: String, revision: Int, from before: [String: [UInt8]]?,
        to now: [String: [UInt8]]
    ) {
        var pages = [Page()]
        func fits(_ bytes: Int) -> Bool {
            let last = pages[pages.count - 1]
            return last.count < Self.pageCountMax && last.bytes + bytes <= Self.pageBytesMax
        }
        for (uid, text) in now.sorted(by: { $0.key < $1.key }) where before?[uid] != text {
            // A line end takes two bytes more as JSON; no text takes twice its bytes.
            if !fits(2 * text.count) { pages.append(Page()) }
            pages[pages.count - 1].put(text)
        }
        for uid in (before ?? [:]).keys.sorted() where now[uid] == nil {
            if !fits(uid.utf8.count) { pages.append(Page()) }
            pages[pages.count - 1].remove(uid)
        }
        let isReset = before == nil
        guard isReset || pages[0].count > 0 else {
            changes = []
            return
        }
        changes = pages.enumerated().map { index, page in
            CalendarChange(
                calendar: calendar, revision: revision + index, zone: zone,
                reset: isReset && index == 0, complete: !isReset || index == pages.count - 1,
                put: page.put, remove: page.removed)
        }
    }

    private struct Page {
        private(set) var put: [String] = []
        private(set) var removed: [String] = []
        private(set) var bytes = 0
        var count: Int { put.count + removed.count }

        mutating func put(_ text: [UInt8]) {
            put.append(String(decoding: text, as: UTF8.self))
            bytes += 2 * text.count
        }
        mutating func remove(_ uid: String) {
            removed.append(uid)
            bytes += uid.utf8.count
        }
    }
}
