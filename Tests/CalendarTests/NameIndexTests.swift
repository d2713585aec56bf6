import Calendar
import Testing

struct NameIndexTests {
    private func isIn(_ name: String, _ title: String) -> Bool {
        !NameIndex(names: [name]).matches(in: title).isEmpty
    }

    private func rejection(_ name: String, _ title: String) -> NameMatch.Rejection? {
        NameIndex(names: [name]).explained(in: title).first?.rejection
    }

    // MARK: Letters

    @Test(arguments: [
        ("Radiohead", "RADIOHEAD live"), ("Radiohead", "Radiohead's new album"),
        ("Guns N’ Roses", "Guns N' Roses, Berlin"), ("Guns N' Roses", "guns n roses"),
        ("AC/DC", "ACDC"), ("AC/DC", "AC⚡DC live"), ("AC/DC", "tickets: AC-DC"),
        ("Beyoncé", "BEYONCE\u{301} in Berlin"), ("Beyonce\u{301}", "Beyonce tickets"),
        ("Sigur Rós", "Sigur Ros in Reykjavík"), ("Sigur Ros", "Sigur Rós"), ("Mø", "MO tour"),
        ("Motörhead", "MOTORHEAD"), ("Blink-182", "blink 182"), ("P!nk", "P!NK 2026"),
        ("Simon & Garfunkel", "Simon and Garfunkel"),
        ("Florence and the Machine", "Florence & The Machine"),
        ("L'Impératrice", "L’Imperatrice"), ("Impératrice", "l’Impératrice"),
        ("Ａｂｃｄ", "abcd"), ("Straße", "STRASSE"), ("ﬁnal band", "FINAL BAND"), ("Цой", "Цой жив"),
        ("Ёлка", "Концерт Елка"), ("İstanbul Trio", "istanbul trio"), ("ΟΔΟΣ", "οδος"),
        ("Sig\u{AD}ur", "Sigur"), ("Earth, Wind & Fire", "Earth Wind and Fire"),
        ("a b\u{200D}cde", "A\u{A0}bcde"), ("!!!", "!!! at Berghain"),
        ("The The", "The The in concert"),
        ("M.I.A.", "MIA. live"), ("Ke$ha", "KE$HA tour"), ("Yes", "Yes"),
        ("Radiohead", "radiohead_live"),
    ])
    func nameIsAWordOfTheTitle(name: String, title: String) {
        #expect(isIn(name, title))
    }

    @Test(arguments: [
        ("Air", "County Fair"), ("M", "Team"), ("U2", "AU2"), ("Sia", "Asian"),
        ("Yes", "Yesterday"),
        ("The The", "bathe the dog"), ("Pink", "P!nk"), ("Eve", "Evening"),
        ("ABBA", "Sabbath abbatial"),
        ("Into", "in to"), ("Май", "МАИС"), ("가", "각"), ("Black Pink", "Blackpink"),
        ("311", "3-11"), ("1975", "19.75 euro"), ("!!!", "wow!!!"), ("", "anything"), (" ", "a b"),
        ("Don", "Don't"), ("Kent", "Кent"), ("Cher", "Cherry"), ("ヒ", "ひ"), ("Цои", "Цой"),
        ("Can", "Canteen"), ("Tool", "Toolbox"), ("LP", "help"),
    ])
    func nameIsNoWordOfTheTitle(name: String, title: String) {
        #expect(!isIn(name, title))
    }

    // MARK: Scripts

    @Test(arguments: [
        ("東京事変", "東京事変ライブ"), ("京都", "京都公演"), ("くるり", "くるりのライブ"), ("きゃりー", "きゃりー来日"),
        ("ビートルズ", "ビートルズライブ"), ("ビートルズ", "ザ・ビートルズ"), ("Radiohead", "東京Radiohead来日"),
        ("방탄소년단", "방탄소년단의 콘서트"), ("아이유", "아이유 콘서트"), ("周杰伦", "周杰伦演唱会"),
        ("한국", "\u{1112}\u{1161}\u{11AB}국 공연"),
        ("فيروز", "حفل فيروز"), ("فيروز", "حفل فَيروز"), ("שלום חנוך", "הופעה: שלום חנוך"),
        ("שָׁלוֹם", "שלום"),
        ("คาราบาว", "คอนเสิร์ตคาราบาว"), ("ｶﾞｶﾞ", "ガガ"),
    ])
    func nameInAnyScriptIsFound(name: String, title: String) {
        #expect(isIn(name, title))
    }

    @Test(arguments: [
        ("京都", "東京都民"), ("東京", "東京都知事"), ("嵐", "嵐山"), ("아이", "아이유"), ("ヒロ", "ヒロシ"),
        ("שלום", "ירושלום"), ("حب", "حبيبي"),
    ])
    func partOfAWordInAnyScriptIsNot(name: String, title: String) {
        #expect(!isIn(name, title))
    }

    // MARK: Second signals

    @Test(arguments: [
        ("Air", "Air at Olympia", NameMatch.Signal.place), ("U2", "U2: Live", .contextWord),
        ("War", "War", .wholeTitle), ("Train", "Train in concert", .contextWord),
        ("M", "M @ Zenith", .place), ("Live", "Live: tour 2026", .contextWord),
        ("The Band", "Tickets for the band", .contextWord),
        ("The Doors", "Dinner, then The Doors", .capitals), ("嵐", "嵐 コンサート", .contextWord),
    ])
    func weakNameCountsWithASignal(name: String, title: String, signal: NameMatch.Signal) {
        let matches = NameIndex(names: [name]).matches(in: title)
        #expect(matches.map(\.signal) == [signal])
    }

    @Test(arguments: [
        ("Train", "Train to Paris", NameMatch.Rejection.commonWithoutSignal),
        ("U2", "U2 to Alexanderplatz", .shortWithoutSignal),
        ("War", "War Museum", .commonWithoutSignal),
        ("The Doors", "Paint the doors", .commonWithoutSignal),
        ("The Doors", "PAINT THE DOORS", .commonWithoutSignal),
        ("311", "Room 311", .numberWithoutSignal),
        ("Air", "County Fair", .insideWord), ("京都", "東京都", .uncertainEdge),
        ("Live", "Live music at home", .commonWithoutSignal),
        ("War", "War at Sea", .commonWithoutSignal),
    ])
    func weakNameWithoutASignalSaysSo(name: String, title: String, rejection: NameMatch.Rejection) {
        #expect(self.rejection(name, title) == rejection)
        #expect(!isIn(name, title))
    }

    @Test func evidenceOfTheEventIsASignal() {
        let index = NameIndex(names: ["Train", "Air"])
        #expect(index.matches(in: "Train and Air").isEmpty)
        let concert = index.matches(in: "Train and Air", evidence: MatchEvidence(concerts: [1]))
        #expect(concert.map(\.id) == [1])
        #expect(concert.map(\.signal) == [.concert])
        let venue = index.matches(in: "Train and Air", evidence: MatchEvidence(isAtVenue: true))
        #expect(venue.map(\.signal) == [.venue, .venue])
    }

    // MARK: Several names

    @Test func longestNameWins() {
        let index = NameIndex(names: ["War", "The War on Drugs", "The The", "Drugs", "Red Hot"])
        let explained = index.explained(in: "The War on Drugs")
        #expect(explained.filter(\.isMatch).map(\.id) == [1])
        #expect(explained.filter { $0.id == 3 }.map(\.rejection) == [.insideLongerName])
        #expect(index.matches(in: "The War on Drugs – War tour").map(\.id) == [1, 0])
    }

    @Test func namesOfTheSameLettersAllCount() {
        let index = NameIndex(names: ["Sigur Rós", "Sigur Ros", "SIGUR-RÓS"])
        #expect(index.matches(in: "Sigur Ros").map(\.id) == [0, 1, 2])
    }

    @Test func placeIsThatOfTheTitlesBytes() throws {
        let title = "20:00 Beyonce\u{301} – Köln"
        let match = try #require(NameIndex(names: ["beyoncé"]).matches(in: title).first)
        #expect(match.written(in: title) == "Beyonce\u{301}")
        #expect(match.comparison(of: "beyoncé", in: title) == .caseFolded)
        #expect(match.comparison(of: "Beyonce", in: title) == .diacriticsFolded)
        #expect(match.comparison(of: "Bey/once", in: title) == .punctuationFolded)
    }

    // MARK: Change

    @Test func namesArePutInAndTakenOut() {
        var index = NameIndex()
        for id in 0..<2_000 { index.insert("Band number \(id)", id: id) }
        #expect(index.matches(in: "Band number 1500 live").map(\.id) == [1_500])
        let removed = (0..<1_999).map { index.remove("Band number \($0)", id: $0) }
        #expect(removed.allSatisfy { $0 })
        let again = [index.remove("Band number 5", id: 5), index.remove("Band number 1999", id: 5)]
        #expect(again == [false, false])
        #expect(index.count == 1)
        #expect(index.matches(in: "Band number 1500").isEmpty)
        #expect(index.matches(in: "Band number 1999").map(\.id) == [1_999])
        index.insert("Band number 1500", id: 7)
        #expect(index.matches(in: "Band number 1500").map(\.id) == [7])
        index.insert("†††", id: 8)
        #expect(index.matches(in: "††† live").map(\.id) == [8])
        let isRemoved = index.remove("†††", id: 8)
        #expect(isRemoved)
        #expect(index.matches(in: "††† live").isEmpty)
    }

    @Test func hundredThousandNamesTakeLittle() {
        var index = NameIndex()
        for id in 0..<100_000 { index.insert("Some artist of length \(id)", id: id) }
        #expect(index.bytes < 40 << 20, "\(index.bytes)")
        #expect(index.matches(in: "Some artist of length 99999").map(\.id) == [99_999])
    }
}
