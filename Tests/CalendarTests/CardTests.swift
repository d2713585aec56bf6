import Calendar
import Testing

/// Cards of versions 3.0 and 4.0, well written and not.
struct CardTests {
    private func read(_ lines: String, cardBytesMax: Int = 10_000) throws -> VCard.Reading {
        try VCard.read(
            [UInt8](lines.replacing("\n", with: "\r\n").utf8), bytesMax: 1 << 20,
            cardBytesMax: cardBytesMax)
    }

    private func card(_ lines: String, version: String = "4.0") throws -> ContactCard {
        let reading = try read("BEGIN:VCARD\nVERSION:\(version)\n\(lines)\nEND:VCARD\n")
        #expect(reading.refused.isEmpty)
        return try #require(reading.cards.first)
    }

    private func names(_ card: ContactCard) -> [String] { card.names.map(\.text) }

    @Test func aCardOfVersion3() throws {
        let card = try card(
            """
            UID:4711
            N:Sigurðardóttir;Björk;Anna;Dr.;M.A.
            FN:Dr. Björk Sigurðardóttir
            NICKNAME:Bee,B\\, the one
            ORG:Paper Lanterns;Strings
            item1.TEL;TYPE=CELL,VOICE;TYPE=pref:+49 30 1234
            EMAIL;TYPE="home,internet":bee@example.org
            """, version: "3.0")
        #expect(card.uid == "4711")
        #expect(card.kind == .individual)
        #expect(
            names(card) == [
                "Dr. Björk Sigurðardóttir", "Björk Sigurðardóttir", "Björk Anna Sigurðardóttir",
                "Sigurðardóttir Björk", "Bee", "B, the one",
            ])
        #expect(card.names.map(\.kind).last == .nickname)
        #expect(card.organization == "Paper Lanterns")
        #expect(card.phones.map(\.value) == ["+49 30 1234"])
        #expect(card.phones.first?.types == ["cell", "voice", "pref"])
        #expect(card.emails.first?.types == ["home", "internet"])
    }

    @Test func aCardOfVersion4() throws {
        let card = try card(
            """
            UID:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
            KIND:org
            FN:Kesselhaus
            FN;LANGUAGE=ja:ケッセルハウス
            ORG:Kesselhaus GmbH
            TEL;VALUE=uri;PREF=1;TYPE="voice,work":tel:+49-30-44315100
            EMAIL:mailto:box@example.org
            """)
        #expect(card.uid == "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
        #expect(card.kind == .organization)
        #expect(names(card) == ["Kesselhaus", "ケッセルハウス", "Kesselhaus GmbH"])
        #expect(card.phones.map(\.value) == ["+49-30-44315100"])
        #expect(card.phones.first?.types == ["pref", "voice", "work"])
        #expect(card.emails.map(\.value) == ["box@example.org"])
    }

    @Test("A fold may stand inside a character, a name or a parameter")
    func foldedLines() throws {
        let text = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Bj\u{C3}"
        var bytes = [UInt8](text.utf8.dropLast(2)) + [0xC3, 0x0D, 0x0A, 0x20, 0xB6]
        bytes += "rk\r\nNICK\r\n NAME:Bee\r\nTEL;TYPE=\r\n\tcell:1\r\nEND:VCARD\r\n".utf8
        let reading = try VCard.read(bytes, bytesMax: 1_000, cardBytesMax: 1_000)
        let card = try #require(reading.cards.first)
        #expect(names(card) == ["Björk", "Bee"])
        #expect(card.phones.first?.types == ["cell"])
    }

    @Test func aBadCardCostsTheOthersNothing() throws {
        let long = "X-LONG:" + String(repeating: "x", count: 2_000)
        let reading = try read(
            """
            junk outside
            BEGIN:VCARD
            FN:First
            END:VCARD
            BEGIN:VCARD
            VERSION:2.1
            N;ENCODING=QUOTED-PRINTABLE:=C3=A4
            END:VCARD
            BEGIN:VCARD
            FN:Not closed
            BEGIN:VCARD
            UID:a\\nb
            FN:Bad UID
            END:VCARD
            BEGIN:VCARD
            FN:Large
            \(long)
            END:VCARD
            BEGIN:VCARD
            FN:Last
            END:VCARD
            BEGIN:VCARD
            FN:Torn
            """, cardBytesMax: 1_000)
        #expect(reading.cards.map(\.title) == ["First", "Last"])
        #expect(reading.refused.map(\.place) == [1, 2, 3, 4, 6])
        #expect(
            reading.refused.map(\.error.code) == [
                .versionUnsupported, .unbalanced, .uidInvalid, .tooLarge, .unbalanced,
            ])
        #expect(throws: CalendarError.self) { try read("FN:nobody\n") }
        #expect(throws: CalendarError.self) { try VCard.read([], bytesMax: 10, cardBytesMax: 10) }
    }

    @Test func picturesAreLeftOutAndLinksStay() throws {
        let picture = String(repeating: "QUJD\n ", count: 20_000)
        let card = try card(
            """
            UID:1
            FN:A
            PHOTO;ENCODING=b;TYPE=JPEG:\(picture)
            LOGO:https://example.org/logo.png
            NOTE:kept
            """, version: "3.0")
        let text = String(decoding: card.text, as: UTF8.self)
        #expect(
            text
                == "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:1\r\nFN:A\r\n"
                + "LOGO:https://example.org/logo.png\r\nNOTE:kept\r\nEND:VCARD\r\n")
        // What is kept is read as the same card.
        let again = try VCard.read(card.text, bytesMax: 1_000, cardBytesMax: 1_000)
        #expect(again.cards == [card])
    }

    @Test func aCardWithoutUIDHasOneOfItsBytes() throws {
        let first = try card("FN:A")
        #expect(first.uid.hasPrefix("no-uid-"))
        #expect(try card("FN:A").uid == first.uid)
        #expect(try card("FN:B").uid != first.uid)
    }

    @Test func aCardWithoutNameIsShownByWhatItHas() throws {
        #expect(try card("N:;;;;\nTEL:123", version: "3.0").title == "123")
        #expect(try card("EMAIL:a@b.c\nTEL:123").title == "a@b.c")
        let company = try card("N:;;;;\nORG:Nightjar\\; Sons;Berlin", version: "3.0")
        #expect(company.title == "Nightjar; Sons")
        #expect(company.kind == .organization)
        #expect(try card("X-NOTHING:1").title.isEmpty)
        let shown = try card("FN:Nightjar\nX-ABShowAs:COMPANY\nORG:Nightjar", version: "3.0")
        #expect(shown.kind == .organization)
        let group = try card("FN:Band\nX-ADDRESSBOOKSERVER-KIND:group", version: "3.0")
        #expect(group.kind == .group)
    }

    @Test func otherCharacterSetsAreRead() throws {
        let text = "BEGIN:VCARD\nFN:Bjørk\nEND:VCARD"
        let big: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(
            try VCard.read(big, bytesMax: 1_000, cardBytesMax: 1_000).cards.map(\.title)
                == ["Bjørk"])
        let latin = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        #expect(
            try VCard.read(latin, bytesMax: 1_000, cardBytesMax: 1_000).cards.map(\.title)
                == ["Bjørk"])
    }

    @Test func valuesAreBounded() throws {
        let many = (0..<1_000).map { "TEL:\($0)" }.joined(separator: "\n")
        let types = (0..<1_000).map { "t\($0)" }.joined(separator: ",")
        let long = String(repeating: "n", count: 5_000)
        let lines = "FN:\(long)\nFN:short\n\(many)\nEMAIL;TYPE=\(types):a@b.c"
        let reading = try read("BEGIN:VCARD\n\(lines)\nEND:VCARD", cardBytesMax: 100_000)
        let card = try #require(reading.cards.first)
        #expect(names(card) == ["short"])
        #expect(card.phones.count == 32)
        #expect(card.emails.first?.types.count == 8)
    }
}
