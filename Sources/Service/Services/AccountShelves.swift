import Locking
import Messages

/// What was worked out for the accounts that were asked for last, so that a question costs no more
/// than what changed since the one before.
///
/// Any thread may ask; questions of one account take their turns.
final class AccountShelves<Book: Sendable>: Sendable {
    /// What a book is of.
    struct Key: Hashable, Sendable {
        let account: String
        let catalog: String
        var locale: String?
    }

    private final class Shelf: Sendable {
        let book: Locked<Book>
        init(_ book: Book) { self.book = Locked(book) }
    }
    private struct Place: Sendable {
        let shelf: Shelf
        var lastUse: UInt64
        var count = 0
    }
    private struct State: Sendable {
        var places: [Key: Place] = [:]
        var uses: UInt64 = 0
    }
    private let state = Locked(State())
    private let countMax: Int
    private let empty: Book
    private let count: @Sendable (Book) -> Int

    /// - Parameters:
    ///   - countMax: entries of all accounts that are kept; those that were not asked for longest
    ///     are forgotten, and one account that has more is forgotten at once.
    ///   - empty: a book that knows nothing yet.
    ///   - count: the entries of a book.
    init(countMax: Int, empty: Book, count: @escaping @Sendable (Book) -> Int) {
        self.countMax = countMax
        self.empty = empty
        self.count = count
    }

    /// Asks the book of an account.
    func ask<Answer: Sendable>(_ key: Key, _ body: (inout Book) -> Answer) -> Answer {
        let shelf = state.withLock { state in
            state.uses += 1
            let place = state.places[key] ?? Place(shelf: Shelf(empty), lastUse: 0)
            state.places[key] = place
            state.places[key]?.lastUse = state.uses
            return place.shelf
        }
        let (answer, count) = shelf.book.withLock { book in (body(&book), self.count(book)) }
        state.withLock { state in
            state.places[key]?.count = count
            shrink(&state)
        }
        return answer
    }

    /// Forgets what is known of an account.
    func forget(_ account: String) {
        state.withLock { state in
            for key in state.places.keys where key.account == account { state.places[key] = nil }
        }
    }

    /// Forgets everything.
    func forgetAll() { state.withLock { $0 = State() } }

    private func shrink(_ state: inout State) {
        var count = state.places.values.reduce(0) { $0 + $1.count }
        while count > countMax {
            guard let oldest = state.places.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                return
            }
            count -= oldest.value.count
            state.places[oldest.key] = nil
        }
    }
}
