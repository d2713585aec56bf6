import CICal
import Locking

/// The parser of libical, behind one lock: it keeps an error state and other globals.
///
/// It is given one component at a time, line by line, without folds and without the lines that
/// nobody reads here (attendees, descriptions, alarms, attachments), each within a bound.
enum Libical {
    private static let lock = Locked(false)

    /// Runs `body` alone in the process, with errors reported by return value and never by abort.
    private static func alone<Answer>(_ body: () -> Answer) -> Answer {
        lock.withLock { isSet in
            if !isSet {
                icalerror_set_errors_are_fatal(0)
                isSet = true
            }
            defer { icalmemory_free_ring() }
            return body()
        }
    }

    /// The events and zones of a VCALENDAR text; `tooLarge` for too deep a nesting.
    static func parts(of text: [UInt8]) -> Result<Parts, CalendarError> {
        alone {
            do throws(CalendarError) {
                return .success(try components(of: text))
            } catch {
                return .failure(error)
            }
        }
    }

    /// What a text holds.
    typealias Parts = (events: [EventComponent], zones: [ZoneComponent])

    private static func components(of text: [UInt8]) throws(CalendarError) -> Parts {
        var events: [EventComponent] = []
        var zones: [ZoneComponent] = []
        var collector = ComponentCollector()
        for line in ContentLines(text) {
            guard let collected = try collector.take(line) else { continue }
            guard let root = parse(collected) else { continue }
            defer { icalcomponent_free(root) }
            if icalcomponent_isa(root) == ICAL_VEVENT_COMPONENT {
                var event = EventComponent(root)
                event.faults += collected.faults
                events.append(event)
            } else {
                zones.append(ZoneComponent(root))
            }
        }
        return (events, zones)
    }

    /// The component that the lines describe; the caller frees it.
    private static func parse(_ collected: ComponentCollector.Collected) -> OpaquePointer? {
        guard let parser = icalparser_new() else { return nil }
        defer { icalparser_free(parser) }
        var root: OpaquePointer?
        for line in collected.lines {
            var characters = line.map { CChar(bitPattern: $0) }
            characters.append(0)
            if let done = icalparser_add_line(parser, &characters) { root = done }
        }
        return root
    }
}
