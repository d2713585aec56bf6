/// All events of one UID, read: the master, its overrides, and the zones that they may name.
///
/// It is what a `CalendarResource` holds, ready to be expanded any number of times.
public struct CalendarSeries: Sendable {
    /// The UID.
    public let uid: String
    var events: [EventComponent]
    let zones: ZoneSet

    init(uid: String, events: [EventComponent], zones: ZoneSet) {
        self.uid = uid
        self.events = events
        self.zones = zones
    }

    /// Reads a resource; every event in its text is taken for one of its UID.
    ///
    /// What of single values is unreadable becomes a fault of every expansion.
    ///
    /// - Throws: `notACalendar`, `unbalanced`, `tooLarge` for too deep a nesting.
    public init(_ resource: CalendarResource) throws(CalendarError) {
        let objects = try CalendarReader.objects(in: resource.text)
        uid = resource.uid
        events = objects.flatMap { $0.events.map(\.component) }
        zones = ZoneSet(objects.flatMap(\.zones))
    }
}

extension ICalendar {
    /// The series of a whole file, one a UID and calendar object, in order of their first event.
    ///
    /// Several VCALENDARs in one text are calendars of their own, so that a UID may stand once in
    /// each. Where only one of them has the master, or one is a newer version or a cancellation,
    /// they are one series.
    ///
    /// - Parameters:
    ///   - text: bytes from outside: UTF-8, or UTF-16 with a byte order mark.
    ///   - bytesMax: the largest text that is looked at.
    /// - Throws: `tooLarge`, `notACalendar` if there is no component, `unbalanced` if one is not
    ///   closed.
    public static func series(
        in text: [UInt8], bytesMax: Int
    ) throws(CalendarError) -> [CalendarSeries] {
        guard text.count <= bytesMax else {
            throw CalendarError(.tooLarge, "\(text.count) bytes; at most \(bytesMax) are allowed")
        }
        let objects = try CalendarReader.objects(in: text)
        let all = objects.count > 1 ? objects.flatMap(\.zones) : []
        var gathered = SeriesGatherer()
        for object in objects {
            // A zone that another calendar object defines is better than none.
            gathered.add(object.events, zones: ZoneSet(object.zones + all))
        }
        return gathered.series
    }
}

/// Puts the events of several calendar objects together by UID.
private struct SeriesGatherer {
    private(set) var series: [CalendarSeries] = []
    private var indexByUID: [String: Int] = [:]

    mutating func add(_ events: [CalendarReader.ReadEvent], zones: ZoneSet) {
        let first = series.count
        var own: [String: Int] = [:]
        for event in events {
            if let index = own[event.uid] {
                series[index].events.append(event.component)
            } else {
                own[event.uid] = series.count
                series.append(
                    CalendarSeries(uid: event.uid, events: [event.component], zones: zones))
            }
        }
        if indexByUID.isEmpty {
            indexByUID = own
        } else {
            unite(from: first)
        }
    }

    /// Moves the events of series that belong to earlier ones there.
    private mutating func unite(from first: Int) {
        let new = Array(series[first...])
        series.removeSubrange(first...)
        for next in new {
            if let index = indexByUID[next.uid], belongTogether(series[index], next) {
                series[index].events += next.events
            } else {
                if indexByUID[next.uid] == nil { indexByUID[next.uid] = series.count }
                series.append(next)
            }
        }
    }

    private func belongTogether(_ known: CalendarSeries, _ next: CalendarSeries) -> Bool {
        let (old, new) = (Self.master(known), Self.master(next))
        guard let old, let new else { return true }
        return old.sequence != new.sequence || old.isCancellation || new.isCancellation
    }

    private static func master(_ series: CalendarSeries) -> EventComponent? {
        series.events.first { $0.recurrenceID == nil }
    }
}
