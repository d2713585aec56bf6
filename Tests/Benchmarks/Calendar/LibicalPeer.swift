import CICal
import Foundation

/// libical alone: its parser, and its own expansion of every event in a window.
enum LibicalPeer {
    /// Occurrences that overlap [from, to); seconds, UTC. Overrides are events of their own to it.
    static func count(_ text: [UInt8], from: Int64, to: Int64) -> Int {
        var characters = text.map { CChar(bitPattern: $0) }
        characters.append(0)
        guard let root = icalparser_parse_string(characters) else { return 0 }
        defer { icalcomponent_free(root) }
        let begin = icaltime_from_timet_with_zone(
            time_t(from), 0, icaltimezone_get_utc_timezone())
        let end = icaltime_from_timet_with_zone(time_t(to), 0, icaltimezone_get_utc_timezone())
        var counted = Counted(from: from, to: to)
        var event = icalcomponent_get_first_component(root, ICAL_VEVENT_COMPONENT)
        while let current = event {
            icalcomponent_foreach_recurrence(
                current, begin, end,
                { _, span, data in
                    guard let span = span?.pointee, let data else { return }
                    data.assumingMemoryBound(to: Counted.self).pointee.take(
                        Int64(span.start), Int64(span.end))
                }, &counted)
            event = icalcomponent_get_next_component(root, ICAL_VEVENT_COMPONENT)
        }
        return counted.count
    }

    private struct Counted {
        let from: Int64
        let to: Int64
        var count = 0

        mutating func take(_ start: Int64, _ end: Int64) {
            // It lets an event of dates end a second before the next day.
            if start < to && (end > from || (start == end && start == from)) { count += 1 }
        }
    }
}
