/// Gathers the lines of one VEVENT or VTIMEZONE that are of use, for libical.
struct ComponentCollector {
    /// What was gathered of one component.
    struct Collected {
        var lines: [[UInt8]] = []
        /// Of lines that were left out.
        var faults: [CalendarFault.Code] = []
    }

    private static let eventNames: Set<String> = [
        "DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "RRULE", "EXRULE", "RDATE", "EXDATE",
        "SUMMARY", "LOCATION", "STATUS", "SEQUENCE", "DTSTAMP",
    ]
    private static let zoneNames: Set<String> = [
        "TZID", "DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO",
    ]

    private var stack: [String] = []
    private var collected: Collected?
    /// The depth at which the gathered component began.
    private var base = 0

    /// Takes the next line; gives the component that it ends, if it ends one.
    ///
    /// - Throws: `tooLarge` for too deep a nesting.
    mutating func take(_ line: ContentLine) throws(CalendarError) -> Collected? {
        switch line.name {
        case "BEGIN":
            try begin(line.value.uppercased(), line.bytes)
            return nil
        case "END":
            return end()
        default:
            add(line)
            return nil
        }
    }

    private mutating func begin(_ name: String, _ bytes: [UInt8]) throws(CalendarError) {
        guard stack.count < Bounds.depthMax else {
            throw CalendarError(
                .tooLarge, "components are nested deeper than \(Bounds.depthMax) levels")
        }
        stack.append(name)
        if collected == nil && (name == "VEVENT" || name == "VTIMEZONE") {
            collected = Collected()
            base = stack.count
        }
        if isInside { collected?.lines.append(bytes) }
    }

    private mutating func end() -> Collected? {
        // By its own name, whatever the line calls it.
        if isInside { collected?.lines.append([UInt8]("END:\(stack.last ?? "")".utf8)) }
        if !stack.isEmpty { stack.removeLast() }
        guard let done = collected, stack.count < base else { return nil }
        collected = nil
        return done
    }

    /// Whether the innermost component is the gathered one or an observance of a zone.
    private var isInside: Bool {
        guard collected != nil else { return false }
        if stack.count == base { return true }
        return stack.count == base + 1 && stack[base - 1] == "VTIMEZONE"
            && (stack[base] == "STANDARD" || stack[base] == "DAYLIGHT")
    }

    private mutating func add(_ line: ContentLine) {
        guard isInside else { return }
        let names = stack[base - 1] == "VEVENT" ? Self.eventNames : Self.zoneNames
        guard names.contains(line.name) else { return }
        let isRule = line.name == "RRULE" || line.name == "EXRULE"
        let isDateList = line.name == "RDATE" || line.name == "EXDATE"
        let bytesMax = isRule ? Bounds.ruleBytesMax : Bounds.lineBytesMax
        // A list is given value by value, so that libical never sees a long one.
        guard line.bytes.count <= bytesMax || isDateList else {
            collected?.faults.append(Self.fault(ofLine: line.name))
            return
        }
        guard isDateList else {
            collected?.lines.append(line.bytes)
            return
        }
        let head = line.bytes[..<line.valueStart]
        for value in line.bytes[line.valueStart...].split(separator: UInt8(ascii: ",")) {
            guard head.count + value.count <= Bounds.ruleBytesMax else {
                collected?.faults.append(.dateInvalid)
                continue
            }
            collected?.lines.append([UInt8](head) + value)
        }
    }

    /// The fault of a component in which a line of this name cannot be used.
    static func fault(ofLine name: String) -> CalendarFault.Code {
        switch name {
        case "RRULE", "EXRULE": .ruleInvalid
        case "RDATE", "EXDATE", "RECURRENCE-ID": .dateInvalid
        case "DTSTART": .startMissing
        default: .endInvalid
        }
    }
}
