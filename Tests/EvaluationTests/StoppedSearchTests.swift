import Evaluation
import Matching
import Messages
import Raster
import Search
import Testing

/// What a search has that is told to stop.
struct StoppedSearchTests {
    /// A clock that moves a millisecond each time it is read.
    private final class Clock {
        private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)

        func read() -> MonotonicTime {
            now = now.adding(milliseconds: 1)
            return now
        }
    }

    private static let covers = (0..<6).map { CatalogGenerator(seed: 43).picture($0) }

    private static func collection() throws -> PrintCollection {
        var collection = PrintCollection()
        for (number, cover) in covers.enumerated() {
            collection.put([try Fixtures.print(of: cover)], for: number)
        }
        return collection
    }

    @Test func whatWasComparedInTimeIsThere() throws {
        let collection = try Self.collection()
        // Six are compared in the order of their numbers; the clock is read before each.
        for (milliseconds, checked) in [(1, 0), (3, 2), (5, 4), (7, 6)] {
            let clock = Clock()
            let end = clock.now.adding(milliseconds: milliseconds)
            let query = PictureQuery(try Fixtures.print(of: Self.covers[1]))
            let found = query.search(
                collection, maxDistance: 1_000_000, shouldStop: { clock.read() >= end })
            #expect(found.checked == checked)
            #expect(found.candidates == 6)
            #expect(found.end == (checked == 6 ? .complete : .stopped))
            #expect(found.matches.map(\.entry) == (checked >= 2 ? [1] : []))
        }
    }

    @Test func partsOfAPageThatWereNotBegunCountAsTheOthers() throws {
        let collection = try Self.collection()
        let page = PageSearchTests.page(with: Array(Self.covers.prefix(4)))
        let query = try PictureQuery(of: .encoded(try page.png()))
        let whole = query.search(collection, maxDistance: 1_000_000)
        #expect(whole.isComplete && whole.checked == whole.candidates && whole.checked >= 5 * 6)
        #expect(Set(whole.matches.map(\.entry)) == [0, 1, 2, 3])
        var found: [Int] = []
        for questions in [1, 2, 4].map({ $0 * whole.checked / 4 }) {
            let clock = Clock()
            let end = clock.now.adding(milliseconds: questions)
            let part = query.search(
                collection, maxDistance: 1_000_000, shouldStop: { clock.read() >= end })
            #expect(part.end == .stopped)
            #expect(part.checked == questions - 1)
            #expect(part.candidates == whole.candidates)
            #expect(Set(part.matches.map(\.entry)).isSubset(of: [0, 1, 2, 3]))
            found.append(part.matches.count)
        }
        #expect(found == found.sorted() && found.last ?? 0 >= 2, "\(found)")
    }

    @Test func aSearchEndsBeforeItsDeadlineByWhatFollowsIt() {
        var margin = SearchMargin()
        let begin = MonotonicTime(nanoseconds: 5_000_000_000)
        func left(of milliseconds: Int) -> UInt64 {
            let deadline = begin.adding(milliseconds: milliseconds)
            return deadline.nanoseconds - margin.end(from: begin, to: deadline).nanoseconds
        }
        #expect(left(of: 1_000) == SearchMargin.way + SearchMargin.needAtFirst)
        #expect(left(of: 4) == 2_000_000, "half of the time is for comparing")
        margin.note(30_000_000)
        #expect(left(of: 1_000) == SearchMargin.way + 30_000_000, "a slow one counts at once")
        for _ in 0..<100 { margin.note(1_000_000) }
        #expect(left(of: 1_000) < SearchMargin.way + 1_200_000, "and is forgotten")
        margin.note(10_000_000_000)
        #expect(left(of: 1_000) == SearchMargin.most)
        #expect(margin.end(from: begin, to: begin) == begin)
    }

    @Test func whatPartsCheckedIsAddedUp() {
        let (one, other) = (
            CheckedCandidates(checked: 12, of: 30), CheckedCandidates(checked: 7, of: 5)
        )
        #expect(other.all == 7)
        #expect(one.adding(other) == CheckedCandidates(checked: 19, of: 37))
        var fields = Fields()
        fields.checked = one
        #expect(fields[.checked] == [0, 0, 0, 12, 0, 0, 0, 30])
        #expect(fields.checked == one)
        fields.checked = nil
        #expect(fields[.checked] == nil)
    }
}
