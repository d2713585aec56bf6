/// Reads the events and zones of a text, line by line.
struct CalendarReader {
    /// An event with its UID.
    struct ReadEvent {
        let uid: String
        let component: EventComponent
    }

    /// What one VCALENDAR holds, or what stands outside of any.
    struct CalendarObject {
        var events: [ReadEvent] = []
        var zones: [ZoneComponent] = []
    }

    private let text: [UInt8]
    private var stack = ComponentStack()
    private var objects: [CalendarObject] = []
    private var object = CalendarObject()
    private var isCancellation = false
    private var event: EventComponent?
    private var uid: String?
    private var eventStart = 0
    private var zone: ZoneComponent?
    private var observance: ObservanceReader?

    private init(_ text: [UInt8]) {
        self.text = text
    }

    /// The calendar objects of a text, in order.
    ///
    /// - Throws: `notACalendar`, `unbalanced`, `tooLarge` for too deep a nesting.
    static func objects(in text: [UInt8]) throws(CalendarError) -> [CalendarObject] {
        var reader = CalendarReader(TextValue.utf8(of: text))
        for line in ContentLines(reader.text) { try reader.take(line) }
        try reader.stack.finish()
        reader.finishObject()
        return reader.objects
    }

    private mutating func take(_ line: ContentLine) throws(CalendarError) {
        switch line.name {
        case .begin: try begin(line)
        case .end: finish(try stack.end(line.word), line)
        default: read(line)
        }
    }

    private mutating func begin(_ line: ContentLine) throws(CalendarError) {
        let isAlone = stack.isInCalendarAlone
        try stack.begin(line.word)
        switch stack.kind {
        case .calendar where stack.depth == 1: finishObject()
        case .event where isAlone:
            event = EventComponent()
            uid = nil
            eventStart = line.place.lowerBound
        case .zone where isAlone: zone = ZoneComponent()
        case .observance where zone != nil: observance = ObservanceReader()
        default: break
        }
    }

    private mutating func read(_ line: ContentLine) {
        guard line.name != .other else { return }
        switch stack.kind {
        case .event:
            guard line.name == .uid else {
                event?.read(line)
                return
            }
            if uid == nil { uid = TextValue.decoded(line.text, line.trimmedValue) }
        case .zone:
            if line.name == .zoneName, zone?.name.isEmpty == true {
                zone?.name = line.text.text(line.trimmedValue)
            }
        case .observance: observance?.read(line)
        case .calendar:
            if line.name == .method { isCancellation = line.word == "CANCEL" }
        case .other, nil: break
        }
    }

    private mutating func finish(_ kind: ComponentStack.Kind?, _ line: ContentLine) {
        switch kind {
        case .event where stack.isInCalendarAlone: finishEvent(at: line.place.upperBound)
        case .zone where stack.isInCalendarAlone:
            if let zone, !zone.name.isEmpty { object.zones.append(zone) }
            zone = nil
        case .observance:
            if let done = observance?.observance { zone?.observances.append(done) }
            observance = nil
        default: break
        }
    }

    private mutating func finishEvent(at end: Int) {
        guard var event else { return }
        if isCancellation {
            event.isCancelled = true
            event.isCancellation = true
        }
        let uid = uid.flatMap { $0.isEmpty ? nil : $0 } ?? MissingUID.of(text[eventStart..<end])
        object.events.append(ReadEvent(uid: uid, component: event))
        self.event = nil
    }

    private mutating func finishObject() {
        if !object.events.isEmpty || !object.zones.isEmpty { objects.append(object) }
        object = CalendarObject()
        isCancellation = false
    }
}

/// The UID of an event that has none: the same for the same lines.
enum MissingUID {
    /// FNV-1a, 64 bits, of the lines with CRLF: enough to tell the events of one calendar apart.
    static func of(_ text: ArraySlice<UInt8>) -> String {
        let bytes = Array(text)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for line in ContentLines(bytes) {
            for byte in bytes[line.place] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            for byte in [0x0D, 0x0A] as [UInt64] { hash = (hash ^ byte) &* 0x100_0000_01b3 }
        }
        return "no-uid-" + String(hash, radix: 16)
    }
}
