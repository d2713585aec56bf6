/// A card as its lines come in.
struct CardDraft {
    private let bytesMax: Int
    private var text = [UInt8]("BEGIN:VCARD\r\n".utf8)
    private var isTooLarge = false
    private var version: String?
    private var uid: String?
    private var kind: ContactCard.Kind?
    private var isShownAsCompany = false
    private var formatted: [String] = []
    private var structured: [String] = []
    private var nicknames: [String] = []
    private var organization: String?
    private var phones: [ContactCard.Address] = []
    private var emails: [ContactCard.Address] = []

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    private static let tail = [UInt8]("END:VCARD\r\n".utf8)

    /// Keeps a line's bytes, unless the card is too large already. Spaces in front of it would make
    /// it a part of the line before.
    private mutating func keep(_ line: ContentLine) {
        let bytes = line.text[line.bytes].drop { $0 == 0x20 || $0 == 0x09 }
        guard !isTooLarge, !bytes.isEmpty else { return }
        guard text.count + bytes.count + 2 + Self.tail.count <= bytesMax else {
            isTooLarge = true
            text = []
            return
        }
        text += bytes
        text += [0x0D, 0x0A]
    }

    /// Keeps a line and reads it, if it is one that says something here.
    mutating func take(_ line: ContentLine, _ property: CardProperty?) {
        if let property, property.isMedia, line.bytes.count > Bounds.cardMediaBytesMax { return }
        keep(line)
        guard let property else { return }
        switch property {
        case .version: version = version ?? line.word
        case .uid: uid = uid ?? TextValue.decoded(line.text, line.trimmedValue)
        case .kind, .appleKind: kind = kind ?? Self.kind(line.word)
        case .shownAs: isShownAsCompany = line.word == "COMPANY"
        case .organization: organization = organization ?? Self.first(of: line)
        case .formattedName: formatted.appendName(CardValue.text(of: line))
        case .name: takeParts(of: line)
        case .nickname:
            for name in CardValue.parts(
                of: line, separatedBy: UInt8(ascii: ","), countMax: Bounds.cardValuesMax)
            { nicknames.appendName(name) }
        case .phone: Self.take(line, into: &phones)
        case .email: Self.take(line, into: &emails)
        case .begin, .end, .photo, .logo, .sound, .key: break
        }
    }

    /// - Throws: `tooLarge`, `versionUnsupported` for another version than 3.0 and 4.0,
    ///   `uidInvalid`.
    func card() throws(CalendarError) -> ContactCard {
        guard !isTooLarge else {
            throw CalendarError(.tooLarge, "the card has more than \(bytesMax) bytes")
        }
        // Cards without a version exist, and read as version 3.0.
        guard ["3.0", "4.0", nil].contains(version) else {
            throw CalendarError(
                .versionUnsupported, "version \(version?.prefix(8) ?? ""); 3.0 and 4.0 are read")
        }
        let known = uid.flatMap { $0.isEmpty ? nil : $0 } ?? MissingUID.of(text[...])
        guard known.utf8.count <= Bounds.cardUIDBytesMax,
            known.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw CalendarError(
                .uidInvalid,
                "a UID has 1 to \(Bounds.cardUIDBytesMax) bytes without control characters")
        }
        return ContactCard(
            uid: known, kind: statedKind, names: names, organization: organization,
            phones: phones, emails: emails, text: text + Self.tail)
    }

    private var statedKind: ContactCard.Kind {
        if let kind { return kind }
        return isShownAsCompany || (isNameless && organization != nil) ? .organization : .individual
    }

    private var isNameless: Bool {
        formatted.isEmpty && structured.isEmpty && nicknames.isEmpty
    }

    private var names: [ContactCard.Name] {
        var names: [ContactCard.Name] = []
        func add(_ texts: [String], _ kind: ContactCard.NameKind) {
            for text in texts where !names.contains(where: { $0.text == text }) {
                names.append(ContactCard.Name(kind: kind, text: text))
            }
        }
        add(formatted, .formatted)
        add(structured, .structured)
        if statedKind == .organization { add(organization.map { [$0] } ?? [], .organization) }
        add(nicknames, .nickname)
        return names
    }

    /// Family, given and further names, each order in which people say them; titles and suffixes
    /// are no name.
    private mutating func takeParts(of line: ContentLine) {
        let parts = CardValue.parts(of: line, separatedBy: UInt8(ascii: ";"), countMax: 5)
        let (family, given) = (parts.first ?? "", parts.dropFirst().first ?? "")
        let further = parts.dropFirst(2).first ?? ""
        for order in [[given, family], [given, further, family], [family, given]] {
            structured.appendName(order.filter { !$0.isEmpty }.joined(separator: " "))
        }
    }

    private static func kind(_ word: String) -> ContactCard.Kind {
        switch word {
        case "ORG": .organization
        case "INDIVIDUAL", "GROUP", "LOCATION": .init(rawValue: word.lowercased()) ?? .other
        default: .other
        }
    }

    private static func first(of line: ContentLine) -> String? {
        CardValue.parts(of: line, separatedBy: UInt8(ascii: ";"), countMax: 1).first.flatMap {
            $0.isEmpty ? nil : $0
        }
    }

    private static func take(_ line: ContentLine, into addresses: inout [ContactCard.Address]) {
        var value = CardValue.text(of: line)
        // Version 4.0 writes telephone numbers and mail addresses as URIs too.
        for scheme in ["tel:", "mailto:"] where value.lowercased().hasPrefix(scheme) {
            value.removeFirst(scheme.count)
        }
        guard !value.isEmpty, addresses.count < Bounds.cardValuesMax else { return }
        addresses.append(ContactCard.Address(value: value, types: line.types))
    }
}

extension [String] {
    /// Appends a name that is none of those before, up to a number that is small enough to be
    /// searched.
    fileprivate mutating func appendName(_ name: String) {
        if !name.isEmpty && count < Bounds.cardValuesMax && !contains(name) { append(name) }
    }
}
