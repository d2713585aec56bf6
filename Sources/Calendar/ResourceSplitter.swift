/// Sorts the lines of a text by UID and by zone.
struct ResourceSplitter {
    /// A component directly below VCALENDAR, or alone, as it is gathered.
    private struct Part {
        let name: String
        var uid: String?
        /// Of a zone: its own name; of an event: the names that it uses, in order.
        var zoneNames: [String] = []
        var bytes: [UInt8] = []
    }

    /// All events of one UID.
    private struct Group {
        let uid: String
        var zoneNames: [String] = []
        var bytes: [UInt8] = []
    }

    private static let head = [UInt8](
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Sightline//Sightline//EN\r\n".utf8)
    private static let tail = [UInt8]("END:VCALENDAR\r\n".utf8)

    private var stack: [String] = []
    private var part: Part?
    private var groups: [Group] = []
    private var indexByUID: [String: Int] = [:]
    private var zones: [String: [UInt8]] = [:]
    private var hasComponent = false
    /// The depth inside the component that is gathered.
    private var partDepth = 0

    /// - Throws: `unbalanced`, `tooLarge`.
    mutating func take(_ line: ContentLine, of text: [UInt8]) throws(CalendarError) {
        switch line.name {
        case "BEGIN":
            try begin(line.value.trimmed.uppercased())
            append(line, of: text)
        case "END":
            append(line, of: text)
            try end(line.value.trimmed.uppercased())
        default:
            append(line, of: text)
            read(line)
        }
    }

    /// - Throws: `notACalendar`, `unbalanced`, `tooLarge`.
    func resources(bytesMax: Int) throws(CalendarError) -> [CalendarResource] {
        guard hasComponent else {
            throw CalendarError(.notACalendar, "the text has no BEGIN of a component")
        }
        if let open = stack.last {
            throw CalendarError(.unbalanced, "\(open.prefix(32)) is not closed")
        }
        var left = bytesMax
        var resources: [CalendarResource] = []
        for group in groups {
            let zoneTexts = group.zoneNames.compactMap { zones[$0] }
            left -= zoneTexts.reduce(group.bytes.count) { $0 + $1.count }
            guard left >= 0 else {
                throw CalendarError(.tooLarge, "the resources take more than \(bytesMax) bytes")
            }
            let text = Self.head + zoneTexts.joined() + group.bytes + Self.tail
            resources.append(CalendarResource(uid: group.uid, text: text))
        }
        return resources
    }

    private mutating func begin(_ name: String) throws(CalendarError) {
        guard stack.count < Bounds.depthMax else {
            throw CalendarError(
                .tooLarge, "components are nested deeper than \(Bounds.depthMax) levels")
        }
        hasComponent = true
        // Below VCALENDAR, or alone: events without a calendar around them exist.
        if part == nil && stack.allSatisfy({ $0 == "VCALENDAR" }) && name != "VCALENDAR" {
            part = Part(name: name)
            partDepth = stack.count + 1
        }
        stack.append(name)
    }

    private mutating func end(_ name: String) throws(CalendarError) {
        // A name that is open nowhere is a slip of the pen and closes the innermost component.
        guard stack.last == name || !stack.contains(name) else {
            throw CalendarError(
                .unbalanced, "END:\(name.prefix(32)) stands in \(stack.last?.prefix(32) ?? "")")
        }
        _ = stack.popLast()
        guard stack.count < partDepth, let done = part else { return }
        part = nil
        finish(done)
    }

    private mutating func append(_ line: ContentLine, of text: [UInt8]) {
        guard part != nil else { return }
        part?.bytes += text[line.range]
        part?.bytes += [0x0D, 0x0A]
    }

    private mutating func read(_ line: ContentLine) {
        guard let name = part?.name, name == "VEVENT" || name == "VTIMEZONE" else { return }
        if name == "VTIMEZONE" {
            if stack.count == partDepth && line.name == "TZID" {
                part?.zoneNames = [line.value.trimmed]
            }
            return
        }
        if stack.count == partDepth && line.name == "UID" && part?.uid == nil {
            part?.uid = line.value.trimmed.unescapedText
        }
        if let zone = line.parameter("TZID") {
            part?.zoneNames.appendOnce(zone, countMax: Bounds.zonesMax)
        }
    }

    private mutating func finish(_ part: Part) {
        if part.name == "VTIMEZONE", let name = part.zoneNames.first {
            if zones[name] == nil { zones[name] = part.bytes }
        }
        guard part.name == "VEVENT" else { return }
        let uid = part.uid.flatMap { $0.isEmpty ? nil : $0 } ?? Self.uid(of: part.bytes)
        let index = indexByUID[uid] ?? groups.count
        if index == groups.count {
            groups.append(Group(uid: uid))
            indexByUID[uid] = index
        }
        groups[index].bytes += part.bytes
        for name in part.zoneNames {
            groups[index].zoneNames.appendOnce(name, countMax: Bounds.zonesMax)
        }
    }

    /// FNV-1a, 64 bits: enough to tell the events of one calendar apart.
    private static func uid(of bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "no-uid-" + String(hash, radix: 16)
    }
}

extension [String] {
    /// Appends what is new, up to a number of elements that is small enough to be searched.
    fileprivate mutating func appendOnce(_ element: String, countMax: Int) {
        if count < countMax && !contains(element) { append(element) }
    }
}

extension String {
    /// Without spaces around it.
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let head = drop(while: isBlank)
        guard let last = head.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(head[...last])
    }

    /// A TEXT value without its escapes (RFC 5545, section 3.3.11).
    fileprivate var unescapedText: String {
        guard contains("\\") else { return self }
        var result = ""
        var isEscaped = false
        for character in self {
            if isEscaped {
                result.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}
