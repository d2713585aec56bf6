import Calendar
import Foundation

/// What a question about contacts costs by the number of contacts of the account: read anew, as it
/// is for each question where nothing is kept; again; and after one change of each kind.
enum ContactsBench {
    static func growth(contacts sizes: [Int], names: [String]) {
        var table = MarkdownTable(
            "contacts, with \(names.count) names", "all read: CPU ms", "again",
            "one contact changed", "a name more")
        for size in sizes {
            let times = row(size, names).map { Figure.of($0, digits: 2) }
            table.add(Figure.of(Double(size), digits: 0), times[0], times[1], times[2], times[3])
        }
        print(table.text + "\n")
    }

    private static func row(_ size: Int, _ names: [String]) -> [Double] {
        var held = HeldCollection()
        apply(&held, 1, (0..<size).map { card($0, names) })
        let index = NameIndex(names: names)
        var wanted = UpcomingNames(words: index)
        var book = ContactBook()
        func ask() -> Double {
            CalendarBench.milliseconds {
                _ = book.places(
                    in: ["friends": held], names: wanted, onlyNamed: true, with: nil, after: nil,
                    countMax: 100)
            }
        }
        let first = ask()
        let again = ask()
        apply(&held, 2, [card(size / 2, names)])
        let changed = ask()
        var more = index
        more.insert("One More Name", id: names.count)
        wanted = UpcomingNames(words: more)
        return [first, again, changed, ask()]
    }

    private static func apply(_ held: inout HeldCollection, _ revision: Int, _ cards: [[UInt8]]) {
        _ = held.apply(
            CollectionUpdate(revision: revision, put: cards), rules: ContactRules.self,
            bytesMax: 1 << 16)
    }

    /// One in fifty is called like a name that is looked for.
    private static func card(_ number: Int, _ names: [String]) -> [UInt8] {
        let name = number % 50 == 0 ? names[number % names.count] : "Given\(number) Family\(number)"
        return Array(
            """
            BEGIN:VCARD\r\nVERSION:4.0\r\nUID:contact-\(number)\r\nFN:\(name)\r\n\
            N:Family\(number);Given\(number);;;\r\nTEL;TYPE=cell:+49 30 \(number)\r\n\
            EMAIL;TYPE=home:\(number)@example.org\r\nEND:VCARD\r\n
            """.utf8)
    }
}
