import Calendar
import Locking
import Messages

/// Names of catalogs in the form in which titles are looked through; the last ones are kept.
final class UpcomingNameCache: Sendable {
    /// For names that are looked for anywhere, by the names' stamp and locale.
    private let matchers = Locked<[(stamp: Stamp, locale: String?, matcher: NameMatcher)]>([])
    private static let matchersMax = 8

    /// The names of a catalog.
    func names(_ names: CalendarNames, locale: String?) -> UpcomingNames {
        guard !names.contained.isEmpty else {
            return UpcomingNames(stamp: names.stamp, words: names.index)
        }
        return UpcomingNames(
            stamp: names.stamp, words: names.index, contained: matcher(names, locale))
    }

    private func matcher(_ names: CalendarNames, _ locale: String?) -> NameMatcher {
        let known = matchers.withLock { matchers in
            matchers.first { $0.stamp == names.stamp && $0.locale == locale }?.matcher
        }
        if let known { return known }
        let made = NameMatcher(names: names.contained.all.map(\.spelling), locale: locale)
        matchers.withLock { matchers in
            if matchers.count >= Self.matchersMax { matchers.removeFirst() }
            matchers.append((names.stamp, locale, made))
        }
        return made
    }

    /// Forgets everything.
    func forgetAll() { matchers.withLock { $0 = [] } }
}
