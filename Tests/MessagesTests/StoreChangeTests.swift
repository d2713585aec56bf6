import Messages
import Testing

/// Changes of all kinds of stores are alike, and go into as many bodies as they need.
@Suite(.timeLimit(.minutes(1)))
struct StoreChangeTests {
    @Test func aSmallChangeIsOnePage() {
        var change = ContactChange(
            collection: "friends", revision: 3, token: "t", put: ["a"], remove: ["b"])
        #expect(change.pages() == [change])
        change.put = []
        change.remove = []
        change.reset = true
        #expect(change.pages() == [change])
    }

    @Test func aLargeResetIsCompleteAndHasItsTokenOnItsLastPageAlone() throws {
        let texts = (0..<2_500).map { "card \($0)" }
        let change = ContactChange(
            collection: "friends", revision: 3, reset: true, token: "t", put: texts)
        let pages = change.pages()
        #expect(pages.count == 3)
        #expect(pages.map(\.complete) == [false, false, true])
        #expect(pages.map(\.token) == [nil, nil, "t"])
        #expect(pages.allSatisfy { $0.reset && $0.revision == 3 })
        #expect(pages.flatMap(\.put) == texts)
        for page in pages { #expect(try ContactChange(parsing: page.bytes) == page) }
    }

    @Test func pagesAreWellWithinABody() throws {
        // What is escaped in JSON takes twice the bytes.
        let text = String(repeating: "\"", count: Limits.resourceBytesMax)
        let change = CalendarChange(
            calendar: "home", revision: 1, put: [String](repeating: text, count: 3),
            remove: (0..<1_500).map { "uid-\($0)" })
        let pages = change.pages()
        #expect(pages.flatMap(\.put).count == 3)
        #expect(pages.flatMap(\.remove) == change.remove)
        for page in pages { #expect(page.bytes.count <= Limits.bodyBytesMax) }
        // An unfinished reset stays so.
        let unfinished = HealthChange(
            collection: "phone", revision: 1, reset: true, complete: false, put: ["{}"])
        #expect(unfinished.pages().map(\.complete) == [false])
    }

    @Test func eachKindHasItsMembers() {
        let calendar = CalendarChange(calendar: "a", revision: 1, syncToken: "t", put: ["x"])
        #expect(
            calendar.json.canonical()
                == Array(
                    #"{"calendar":"a","put":[{"ics":"x"}],"revision":1,"syncToken":"t","zone":"UTC"}"#
                        .utf8))
        let health = HealthChange(collection: "a", revision: 1, token: "t", put: [#"{"id":"1"}"#])
        #expect(
            health.json.canonical()
                == Array(
                    #"{"anchor":"t","healthStore":"a","put":[{"reading":{"id":"1"}}],"revision":1}"#
                        .utf8))
    }

    @Test func eachKindHasItsStatuses() {
        for kind in StoreKind.allCases {
            #expect(kind.statuses.contains(.notDetermined) && kind.statuses.contains(.fullAccess))
            #expect(kind.statuses.filter(\.allowsReading).last == .fullAccess)
        }
        #expect(StoreKind.calendar.statuses.filter(\.allowsReading) == [.fullAccess])
        #expect(StoreKind.contacts.statuses.contains(.limited))
        #expect(StoreKind.health.statuses.contains(.unknown))
    }
}
