/// Sorts the lines of a text by UID and by zone, and keeps their bytes.
struct ResourceSplitter {
    /// A component directly below VCALENDAR, or alone, as it is gathered.
    private struct Part {
        let kind: ComponentStack.Kind
        var uid: String?
        /// Of a zone: its own name; of an event: the names that it uses, in order.
        var zoneNames: [String] = []
        /// Of a zone: an observance of it says something.
        var isUsable = false
        var bytes: [UInt8] = []
    }

    /// All events of one UID.
    private struct Group {
        let uid: String
        var zoneNames: [String] = []
        var bytes: [UInt8] = []
        /// Those of calendars with METHOD:CANCEL.
        var cancelled: [UInt8] = []
    }

    private static let head = [UInt8](
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Sightline//Sightline//EN\r\n".utf8)
    private static let cancellation = [UInt8]("METHOD:CANCEL\r\n".utf8)
    private static let tail = [UInt8]("END:VCALENDAR\r\n".utf8)

    private let text: [UInt8]
    private var stack = ComponentStack()
    private var part: Part?
    private var groups: [Group] = []
    private var indexByUID: [String: Int] = [:]
    /// As `ZoneSet` has it: the first of a name counts, one that says nothing only if no other does.
    private var zones: [String: (bytes: [UInt8], isUsable: Bool)] = [:]
    private var observance: ObservanceReader?
    private var isCancellation = false

    init(_ text: [UInt8]) {
        self.text = TextValue.utf8(of: text)
    }

    /// - Throws: `unbalanced`, `notACalendar`, `tooLarge`.
    mutating func split(bytesMax: Int) throws(CalendarError) -> [CalendarResource] {
        for line in ContentLines(text) { try take(line) }
        try stack.finish()
        return try resources(bytesMax: bytesMax)
    }

    private mutating func take(_ line: ContentLine) throws(CalendarError) {
        switch line.name {
        case .begin:
            let isAlone = stack.isInCalendarAlone
            try stack.begin(line.word)
            if isAlone, let kind = stack.kind, kind != .calendar { part = Part(kind: kind) }
            if stack.kind == .observance { observance = ObservanceReader() }
            if stack.kind == .calendar { isCancellation = false }
            append(line)
        case .end:
            appendEnd(line)
            if try stack.end(line.word) == .observance, observance?.observance != nil {
                part?.isUsable = true
            }
            if stack.isInCalendarAlone, let done = part {
                part = nil
                finish(done)
            }
        default:
            append(line)
            read(line)
        }
    }

    private func resources(bytesMax: Int) throws(CalendarError) -> [CalendarResource] {
        var left = bytesMax
        var resources: [CalendarResource] = []
        for group in groups {
            let zoneTexts = group.zoneNames.compactMap { zones[$0]?.bytes }
            let size = group.bytes.count + group.cancelled.count
            left -= zoneTexts.reduce(size) { $0 + $1.count }
            guard left >= 0 else {
                throw CalendarError(.tooLarge, "the resources take more than \(bytesMax) bytes")
            }
            let isCancellation = group.bytes.isEmpty
            var text: [UInt8] = []
            if !isCancellation { text = Self.head + zoneTexts.joined() + group.bytes + Self.tail }
            if !group.cancelled.isEmpty {
                text += Self.head + Self.cancellation
                text += (isCancellation ? zoneTexts : []).joined() + group.cancelled + Self.tail
            }
            resources.append(
                CalendarResource(uid: group.uid, text: text, isCancellation: isCancellation))
        }
        return resources
    }

    private mutating func append(_ line: ContentLine) {
        guard part != nil else { return }
        part?.bytes += text[line.place]
        part?.bytes += [0x0D, 0x0A]
    }

    /// A component ends by its own name, whatever the line calls it: in another calendar around it
    /// that name may be one that is open.
    private mutating func appendEnd(_ line: ContentLine) {
        guard part != nil, let name = stack.name, line.word != name else {
            append(line)
            return
        }
        part?.bytes += "END:\(name)\r\n".utf8
    }

    private mutating func read(_ line: ContentLine) {
        guard let part else {
            if line.name == .method { isCancellation = line.word == "CANCEL" }
            return
        }
        switch part.kind {
        case .zone:
            if stack.kind == .observance { observance?.read(line) }
            if stack.kind == .zone && line.name == .zoneName {
                self.part?.zoneNames = [line.text.text(line.trimmedValue)]
            }
        case .event:
            if stack.kind == .event && line.name == .uid && part.uid == nil {
                self.part?.uid = TextValue.decoded(line.text, line.trimmedValue)
            }
            if let zone = line.parameter("TZID") {
                self.part?.zoneNames.appendOnce(zone, countMax: Bounds.zonesMax)
            }
        case .calendar, .observance, .other: break
        }
    }

    private mutating func finish(_ part: Part) {
        if part.kind == .zone, let name = part.zoneNames.first {
            let known = zones[name]
            if known == nil || (part.isUsable && known?.isUsable == false) {
                zones[name] = (part.bytes, part.isUsable)
            }
        }
        guard part.kind == .event else { return }
        let uid = part.uid.flatMap { $0.isEmpty ? nil : $0 } ?? MissingUID.of(part.bytes[...])
        let index = indexByUID[uid] ?? groups.count
        if index == groups.count {
            groups.append(Group(uid: uid))
            indexByUID[uid] = index
        }
        if isCancellation {
            groups[index].cancelled += part.bytes
        } else {
            groups[index].bytes += part.bytes
        }
        for name in part.zoneNames {
            groups[index].zoneNames.appendOnce(name, countMax: Bounds.zonesMax)
        }
    }
}

extension [UInt8] {
    /// A part as UTF-8.
    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
}

extension [String] {
    /// Appends what is new, up to a number of elements that is small enough to be searched.
    fileprivate mutating func appendOnce(_ element: String, countMax: Int) {
        if count < countMax && !contains(element) { append(element) }
    }
}
