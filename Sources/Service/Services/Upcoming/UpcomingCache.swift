import Calendar
import Locking
import Messages

/// What is upcoming of the accounts that were asked for last, so that a question costs no more
/// than what changed since the one before.
///
/// Any thread may ask; questions of one account take their turns.
final class UpcomingCache: Sendable {
    /// What a book is of.
    struct Key: Hashable, Sendable {
        let account: String
        let catalog: String
        let locale: String?
    }

    private final class Shelf: Sendable {
        let book = Locked(
            UpcomingBook(occurrencesPerSeriesMax: Limits.occurrencesPerSeriesMax))
    }
    private struct Place: Sendable {
        let shelf: Shelf
        var lastUse: UInt64
        var seriesCount = 0
    }
    private struct State: Sendable {
        var places: [Key: Place] = [:]
        var uses: UInt64 = 0
        /// For names that are looked for anywhere, by the names' stamp and locale.
        var matchers: [(stamp: Stamp, locale: String?, matcher: NameMatcher)] = []
    }
    private let state = Locked(State())
    private let seriesMax: Int
    private static let matchersMax = 8

    /// - Parameter seriesMax: series of all accounts that are kept; those that were not asked for
    ///   longest are forgotten.
    init(seriesMax: Int = Limits.upcomingSeriesMax) { self.seriesMax = seriesMax }

    /// Series that are kept.
    var seriesCount: Int { state.withLock { $0.places.values.reduce(0) { $0 + $1.seriesCount } } }

    /// Asks the book of an account.
    func ask<Answer: Sendable>(_ key: Key, _ body: (inout UpcomingBook) -> Answer) -> Answer {
        let shelf = state.withLock { state in
            state.uses += 1
            let use = state.uses
            state.places[key, default: Place(shelf: Shelf(), lastUse: use)].lastUse = use
            return state.places[key]?.shelf ?? Shelf()
        }
        let (answer, count) = shelf.book.withLock { book in (body(&book), book.seriesCount) }
        state.withLock { state in
            state.places[key]?.seriesCount = count
            shrink(&state, but: key)
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

    private func shrink(_ state: inout State, but key: Key) {
        var count = state.places.values.reduce(0) { $0 + $1.seriesCount }
        while count > seriesMax {
            let oldest = state.places.filter { $0.key != key }.min {
                $0.value.lastUse < $1.value.lastUse
            }
            guard let oldest else { return }
            count -= oldest.value.seriesCount
            state.places[oldest.key] = nil
        }
    }

    /// The names of a catalog in the form in which titles are looked through.
    func names(_ names: CalendarNames, locale: String?) -> UpcomingNames {
        guard !names.contained.isEmpty else {
            return UpcomingNames(stamp: names.stamp, words: names.index)
        }
        return UpcomingNames(
            stamp: names.stamp, words: names.index, contained: matcher(names, locale))
    }

    private func matcher(_ names: CalendarNames, _ locale: String?) -> NameMatcher {
        let known = state.withLock { state in
            state.matchers.first { $0.stamp == names.stamp && $0.locale == locale }?.matcher
        }
        if let known { return known }
        let made = NameMatcher(names: names.contained.all.map(\.spelling), locale: locale)
        state.withLock { state in
            if state.matchers.count >= Self.matchersMax { state.matchers.removeFirst() }
            state.matchers.append((names.stamp, locale, made))
        }
        return made
    }
}
