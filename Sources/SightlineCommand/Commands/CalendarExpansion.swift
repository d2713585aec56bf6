import Calendar
import Foundation
import Messages
import Service

/// `sightline calendar expand`: the occurrences of a file in a window.
struct CalendarExpansion {
    private let path: String
    private let window: OccurrenceWindow
    private let zone: String
    private let isCount: Bool
    private let isJSON: Bool
    private let hasCancelled: Bool

    /// - Throws: `UsageError` for a missing or unreadable bound, `ConfigurationError` for a zone that
    ///   is not known.
    init(_ path: String, _ arguments: Arguments) throws {
        guard let from = arguments["from"], let to = arguments["to"] else {
            throw UsageError("'calendar expand' takes --from INSTANT and --to INSTANT")
        }
        self.path = path
        do {
            window = try OccurrenceWindow(from: from, to: to)
        } catch {
            throw UsageError("--from and --to: \(error.context)")
        }
        zone = arguments["zone"] ?? "UTC"
        try CalendarFile.check(zone: zone)
        isCount = arguments.isSet("count")
        isJSON = arguments.isSet("json")
        hasCancelled = arguments.isSet("with-cancelled")
    }

    /// Reads, expands and prints.
    func run() throws -> ExitStatus {
        let text = try readFile(path, bytesMax: Limits.calendarFileBytesMax)
        let series: [CalendarSeries]
        do throws(CalendarError) {
            series = try ICalendar.series(in: text, bytesMax: Limits.calendarFileBytesMax)
        } catch {
            Sightline.complain("'\(path)': \(error)")
            return .negative
        }
        let answer = ICalendar.occurrences(
            of: series, in: window, zone: zone, occurrencesMax: Limits.occurrencesListedMax)
        let listed = answer.occurrences.filter { hasCancelled || !$0.isCancelled }
        if isJSON {
            print(String(decoding: json(listed, answer.faults).canonical(), as: UTF8.self))
        } else {
            for fault in answer.faults { Sightline.complain(TerminalText.escaped("\(fault)")) }
            print(isCount ? "\(listed.count)" : table(listed))
        }
        let isWhole = !answer.faults.contains { Self.losses.contains($0.code) }
        return isWhole ? .success : .negative
    }

    /// With these faults, occurrences that there are may be missing.
    private static let losses: Set<CalendarFault.Code> = [.tooManyOccurrences, .ruleTooLong]

    private func table(_ occurrences: [Occurrence]) -> String {
        guard !occurrences.isEmpty else { return "no occurrence" }
        let rows = occurrences.map { occurrence in
            let isMoved = occurrence.start != occurrence.originalStart
            return [
                written(occurrence.start, of: occurrence), written(occurrence.end, of: occurrence),
                occurrence.title, why(occurrence),
                isMoved ? written(occurrence.originalStart, of: occurrence) : "", occurrence.uid,
            ]
        }
        return Table(header: ["start", "end", "title", "why", "moved from", "uid"], rows: rows).text
    }

    private func why(_ occurrence: Occurrence) -> String {
        occurrence.origin.rawValue + (occurrence.isCancelled ? ", cancelled" : "")
    }

    private func json(_ occurrences: [Occurrence], _ faults: [CalendarFault]) -> JSONValue {
        var members: [String: JSONValue] = [
            "count": .integer(occurrences.count), "zone": .string(zone),
            "zoneData": .string(ICalendar.zoneDataVersion),
            "faults": .array(
                faults.map { fault in
                    .object([
                        "uid": .string(fault.uid), "code": .string(fault.code.rawValue),
                        "context": .string(fault.context),
                    ])
                }),
        ]
        if !isCount { members["occurrences"] = .array(occurrences.map(json)) }
        return .object(members)
    }

    private func json(_ occurrence: Occurrence) -> JSONValue {
        var members: [String: JSONValue] = [
            "uid": .string(occurrence.uid), "title": .string(occurrence.title),
            "start": .string(written(occurrence.start, of: occurrence)),
            "end": .string(written(occurrence.end, of: occurrence)),
            "originalStart": .string(written(occurrence.originalStart, of: occurrence)),
            "allDay": .bool(occurrence.isAllDay), "cancelled": .bool(occurrence.isCancelled),
            "why": .string(occurrence.origin.rawValue),
        ]
        if let location = occurrence.location { members["location"] = .string(location) }
        return .object(members)
    }

    /// RFC 3339 in UTC; of an all-day event the date.
    private func written(_ instant: Int64, of occurrence: Occurrence) -> String {
        guard occurrence.isAllDay else {
            let text = InstantText.format(Timestamp(milliseconds: instant))
            return text.replacingOccurrences(of: ".000Z", with: "Z")
        }
        let date = Date(timeIntervalSince1970: Double(instant / 1_000))
        let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: date) ?? 0
        let local = Timestamp(milliseconds: instant + Int64(offset) * 1_000)
        return String(InstantText.format(local).prefix(10))
    }
}
