import Calendar
import TestSupport
import Testing

/// Contacts in order: the kept answers are those of working everything out anew.
struct ContactBookTests {
    private static let people = [
        "Ada", "Delta Fern", "Fern, Delta", "The Paper Lanterns", "Zoë", "",
    ]

    private func card(_ uid: String, _ name: String, more: String = "") -> [UInt8] {
        Array("BEGIN:VCARD\nVERSION:4.0\nUID:\(uid)\nFN:\(name)\n\(more)END:VCARD\n".utf8)
    }

    private func apply(
        _ held: inout [String: HeldCollection], _ book: String, _ revision: Int,
        put: [[UInt8]] = [], remove: [String] = [], isReset: Bool = false
    ) {
        _ = held[book, default: HeldCollection()].apply(
            CollectionUpdate(revision: revision, isReset: isReset, put: put, removed: remove),
            rules: ContactRules.self, bytesMax: 1 << 16)
    }

    private func names(_ names: [String]) -> UpcomingNames {
        UpcomingNames(words: NameIndex(names: names))
    }

    /// What there is, worked out without a book.
    private func expected(
        _ held: [String: HeldCollection], names: UpcomingNames, onlyNamed: Bool, with text: String?
    ) -> [String] {
        let wanted = text.map { NameIndex(names: [$0]) }
        var found: [(key: [UInt8], place: String)] = []
        for (book, collection) in held {
            for (uid, resource) in collection.resources {
                guard let card = ContactBook.card(resource.text) else { continue }
                let texts = card.names.map(\.text)
                if onlyNamed {
                    guard
                        texts.contains(where: { name in
                            names.words.matches(in: name).contains { $0.isWhole(of: name) }
                        })
                    else { continue }
                }
                if let wanted, !texts.contains(where: { !wanted.matches(in: $0).isEmpty }) {
                    continue
                }
                found.append(
                    (
                        ContactBook.key(title: card.title, addressBook: book, uid: uid),
                        "\(book)/\(uid)"
                    ))
            }
        }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.place)
    }

    @Test(
        "After any changes the kept answer is the one from scratch",
        arguments: 1...12 as ClosedRange<UInt64>)
    func keptAnswers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var held: [String: HeldCollection] = [:]
        var book = ContactBook()
        var wanted = names(["Delta Fern"])
        for revision in 1...80 {
            let name = Bool.random(using: &random) ? "home" : "work"
            let uids = (0..<3).map { _ in "u\(Int.random(in: 0..<12, using: &random))" }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: wanted = names(["The Paper Lanterns", "Ada"])
            case 1: wanted = names(["Delta Fern", "Zoe"])
            case 2: held[name] = nil
            case 3: apply(&held, name, revision, isReset: true)
            case 4, 5: apply(&held, name, revision, remove: uids)
            default:
                let put = uids.map { uid in
                    card(uid, Self.people[Int.random(in: 0..<Self.people.count, using: &random)])
                }
                apply(&held, name, revision, put: put)
            }
            let onlyNamed = Bool.random(using: &random)
            let text = Bool.random(using: &random) ? nil : "fern"
            let found = book.places(
                in: held, names: wanted, onlyNamed: onlyNamed, with: text, after: nil,
                countMax: .max)
            #expect(
                found.map { "\($0.addressBook)/\($0.uid)" }
                    == expected(held, names: wanted, onlyNamed: onlyNamed, with: text))
        }
    }

    @Test func pagesGoOnBehindAKey() {
        var held: [String: HeldCollection] = [:]
        apply(&held, "a", 1, put: (0..<25).map { card("\($0)", "Person \($0 % 7)") })
        var book = ContactBook()
        var seen: [String] = []
        var after: [UInt8]?
        while true {
            let page = book.places(
                in: held, names: names([]), onlyNamed: false, with: nil, after: after, countMax: 4)
            guard let last = page.last else { break }
            seen += page.map(\.uid)
            let title = held["a"]?.resources[last.uid].flatMap { ContactBook.card($0.text) }?.title
            after = ContactBook.key(title: title ?? "", addressBook: "a", uid: last.uid)
        }
        #expect(Set(seen).count == 25)
        #expect(seen.count == 25)
    }

    @Test func aChangeCostsWhatItTouches() {
        var held: [String: HeldCollection] = [:]
        apply(&held, "a", 1, put: (0..<200).map { card("\($0)", "Person \($0)") })
        var book = ContactBook()
        func ask() -> Int {
            book.places(
                in: held, names: names([]), onlyNamed: false, with: nil, after: nil, countMax: 10
            ).count
        }
        #expect(ask() == 10)
        #expect(book.readCount == 200)
        #expect(ask() == 10)
        #expect(book.readCount == 200)
        apply(&held, "a", 2, put: [card("7", "Another")], remove: ["8"])
        #expect(ask() == 10)
        #expect(book.readCount == 201)
        #expect(book.count == 199)
    }

    @Test func severalPeopleUnderOneNameAreNobody() {
        var held: [String: HeldCollection] = [:]
        apply(&held, "a", 1, put: [card("g", "Delta Fern", more: "KIND:group\n")])
        var book = ContactBook()
        let found = book.places(
            in: held, names: names(["Delta Fern"]), onlyNamed: true, with: nil, after: nil,
            countMax: 10)
        #expect(found.isEmpty)
    }
}
