/// A title, a name, and whether the name is in the title in each of the two modes.
struct TitleAnswer {
    let id: String
    let name: String
    let title: String
    let isContained: Bool
    let isNamed: Bool

    /// `\t`, `\n` and `\u{…}` are written out in the table, so that what cannot be seen can be read.
    init?(_ line: Substring) {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            .map { Self.unescaped($0.trimmingSpaces) }
        guard parts.count == 5 else { return nil }
        (id, name, title) = (parts[0], parts[1], parts[2])
        (isContained, isNamed) = (parts[3] == "yes", parts[4] == "yes")
    }

    static var all: [TitleAnswer] { table.split(separator: "\n").compactMap(TitleAnswer.init) }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let start = rest.firstRange(of: "\\u{"), let end = rest.firstIndex(of: "}") {
            result += rest[..<start.lowerBound]
            if let value = UInt32(rest[start.upperBound..<end], radix: 16),
                let scalar = Unicode.Scalar(value)
            {
                result.unicodeScalars.append(scalar)
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// id | name | title | contains | names
    private static let table = #"""
        plain-case | radiohead | RADIOHEAD in Berlin | yes | yes
        empty-needle | | any title | no | no
        air-fair | Air | County Fair | yes | no
        air-olympia | Air | Air at Olympia | yes | yes
        sia-asian | Sia | Asian food market | yes | no
        sia-tour | Sia | Sia on tour | yes | yes
        yes-yesterday | Yes | Yesterday's notes | yes | no
        yes-live | Yes | Yes live in the arena | yes | yes
        m-team | M | Team meeting | yes | no
        m-concert | M | M, concert at 8 | yes | yes
        eve-evening | Eve | Evening walk | yes | no
        eve-word | Eve | Christmas Eve | yes | no
        war-museum | War | War museum with Ann | yes | no
        war-tour | War | War: tour of the year | yes | yes
        red-word | Red | Red wine tasting | yes | no
        can-word | Can | Can we talk? | yes | no
        low-word | Low | Low tide walk | yes | no
        low-gig | Low | Low gig with Tom | yes | yes
        ash-inside | Ash | Pick up the cash | yes | no
        lp-help | LP | Help with homework | yes | no
        live-word | Live | Live stream of the keynote | yes | no
        train-word | Train | Train to Cologne 9:40 | yes | no
        train-tickets | Train | Train – concert tickets | yes | yes
        free-word | Free | Free afternoon | yes | no
        rush-inside | Rush | Brush up Spanish | yes | no
        rush-concert | Rush | Rush, the concert | yes | yes
        abba-inside | ABBA | Sabbath dinner | yes | no
        abba-sabbath | ABBA | abbatial church visit | yes | no
        chicago-flight | Chicago | Flight to Chicago | yes | no
        chicago-band | Chicago | Chicago in concert | yes | yes
        tool-box | Tool | Buy a toolbox | yes | no
        the-the-1 | The The | The The at the Roundhouse | yes | yes
        the-the-2 | The The | bathe the dog | yes | no
        the-the-3 | The The | Meet Ann for The The | yes | yes
        green-day | Green Day | Green Day with Tom | yes | yes
        take-that | Take That | Take That, Wembley | yes | yes
        the-band | The Band | Lunch with the band | yes | no
        the-band-tour | The Band | The Band: farewell tour | yes | yes
        the-doors | The Doors | Ann, Tom, The Doors | yes | yes
        doors-paint | The Doors | paint the doors | yes | no
        killers | The Killers | the killers in Berlin | yes | yes
        muse | Muse | Muse in Berlin | yes | yes
        u2-au2 | U2 | AU2 project sync | yes | no
        u2-live | U2 | U2: Live | yes | yes
        u2-underground | U2 | U2 to the office | yes | no
        pink-exact | P!nk | P!NK – Summer Carnival | yes | yes
        pink-plain | Pink | P!nk – Summer Carnival | no | no
        acdc-slash | AC/DC | Tickets ac/dc | yes | yes
        acdc-noslash | AC/DC | ACDC stadium | no | yes
        acdc-bolt | AC/DC | AC⚡DC stadium | no | yes
        gnr-curly-vs-straight | Guns N’ Roses | Guns N' Roses with Paul | no | yes
        gnr-plain | Guns N’ Roses | guns n roses with Paul | no | yes
        gnr-same | Guns N’ Roses | GUNS N’ ROSES | yes | yes
        sigur-ros | Sigur Rós | Sigur Ros tonight | no | yes
        sigur-ros-2 | Sigur Ros | Sigur Rós tonight | no | yes
        sigur-upper | Sigur Rós | SIGUR RÓS | yes | yes
        beyonce-nfd-hay | Beyoncé | Beyonce\u{301} in Warsaw | yes | yes
        beyonce-nfd-needle | Beyonce\u{301} | Beyoncé in Warsaw | yes | yes
        beyonce-base-in-nfd | Beyonce | Beyonce\u{301} in Warsaw | no | yes
        beyonce-base-in-nfc | Beyonce | Beyoncé in Warsaw | no | yes
        beyonce-slashed | Beyoncé | BeyonceØ | no | no
        combining-order | a\u{323}\u{301}bc | A\u{301}\u{323}BC | yes | yes
        angstrom | \u{212B}ngström | ångström live | yes | yes
        kelvin | Kelvin | \u{212A}elvin live | yes | yes
        sharp-s | Strasse Nord | Straße Nord | yes | yes
        sharp-s-2 | Straße Nord | STRASSE NORD | yes | yes
        cap-sharp-s | Straẞe | strasse | yes | yes
        long-s | Weſt Quartet | WEST quartet | yes | yes
        final-sigma | ΟΔΟΣ | η οδος | yes | yes
        fi-ligature | ﬁnley | FINLEY on stage | yes | yes
        turkish-I-i | INXS | inxs reunion | yes | yes
        turkish-dotted-I | İstanbul Trio | istanbul trio | no | yes
        turkish-dotless | ısıtan | ISITAN | no | yes
        fullwidth | ＡＢＢＡ | ABBA Voyage | no | yes
        halfwidth-kana | ｶﾞｶﾞ | ガガ | no | yes
        kana-type | ヒロ | ひろ | no | no
        cjk | 東京事変 | 東京事変 武道館 | yes | yes
        cjk-inside | 京都 | 東京都民の日 | yes | no
        cjk-concert | 京都 | 京都コンサート | yes | yes
        cjk-long | 椎名林檎 | 今夜椎名林檎見る | yes | yes
        cjk-particle | くるり | 夜はくるりの公演 | yes | yes
        chinese | 周杰伦 | 周杰伦演唱会 | yes | yes
        katakana-inside | ヒロ | ヒロシとご飯 | yes | no
        hangul-jamo | \u{1112}\u{1161}\u{11AB}국 | 한국 공연 | yes | yes
        hangul-prefix-cluster | 가 | 각 | no | no
        hangul-particle | 아이유 | 아이유의 새 앨범 | yes | yes
        hangul-inside | 아이 | 아이유 콘서트 | yes | no
        hebrew | שלום חנוך | הופעה של שלום חנוך | yes | yes
        hebrew-niqqud | שלום | שָׁלוֹם | no | yes
        hebrew-inside | שלום | ירושלום | yes | no
        arabic | فيروز | حفل فيروز | yes | yes
        arabic-tatweel | فيروز | فيـروز | no | yes
        arabic-harakat | فيروز | فَيروز | no | yes
        arabic-inside | حب | حبيبي | yes | no
        bidi-mark | Fairuz | \u{200F}Fairuz\u{200E} live | yes | yes
        bidi-mark-inside | Fairuz | Fai\u{200E}ruz live | no | yes
        zwj-inside | Radiohead | Radio\u{200D}head | no | yes
        soft-hyphen | Radiohead | Radio\u{AD}head | no | yes
        nbsp | Pearl Jam | Pearl\u{A0}Jam | no | yes
        two-spaces | Pearl Jam | Pearl  Jam | no | yes
        cyrillic-case | Кино | Группа КИНО, концерт | yes | yes
        cyrillic-lookalike | Kent | Кent | no | no
        may-mais | Май | МАИС | no | no
        tsoi | Цой | Концерт памяти: Цой | yes | yes
        o-slash | Mø | MO tour | no | yes
        mo-mo | MØ | mø tour | yes | yes
        nul | Radiohead | Radiohead\u{0} | yes | yes
        possessive | Radiohead | Radiohead's tour | yes | yes
        elision | Impératrice | L’Impératrice | yes | yes
        contraction | Don | Don't forget milk | yes | no
        longest | The War on Drugs | the war on drugs | yes | yes
        and-sign | Simon & Garfunkel | Simon and Garfunkel | no | yes
        joined | Black Pink | Blackpink | no | no
        split | Into | Drive in to town | no | no
        hyphen | Blink-182 | blink 182 | no | yes
        digits | 311 | Room 311 | yes | no
        digits-split | 311 | due 3/11 | no | no
        symbols | !!! | !!! (Chk Chk Chk) | yes | yes
        symbols-inside | !!! | Call mum!!! | yes | no
        whole-title | Queen | Queen | yes | yes
        common-alone | Queen | Watch The Queen with Ann | yes | no
        at-place | Queen | Queen @ Wembley | yes | yes
        initials | M.I.A. | MIA. live | no | yes
        letter-of-initials | I | M.I.A. | yes | no
        url | Radiohead | https://radiohead.com | yes | no
        """#
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let head = drop { $0 == " " }
        guard let last = head.lastIndex(where: { $0 != " " }) else { return "" }
        return head[...last]
    }
}
