/// Words of titles that say that music is played: the second signal for names that are short or
/// common words.
enum ContextWords {
    /// Whether a word, folded, is one.
    static func contains(_ word: ArraySlice<UInt32>) -> Bool { spaced.contains(Array(word)) }

    /// Where words of scripts without spaces stand.
    static func unspaced(in scalars: [UInt32]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for index in scalars.indices where scalars[index] >= 0xE00 {
            for word in unspacedByFirst[scalars[index]] ?? []
            where index + word.count <= scalars.count
                && scalars[index..<index + word.count].elementsEqual(word)
            {
                found.append(index..<index + word.count)
            }
        }
        return found
    }

    private static let spaced: Set<[UInt32]> = Set(
        """
        concert concerts live tour tours gig gigs show shows festival fest ticket tickets presale
        feat featuring ft band album setlist unplugged acoustic encore
        headliner lineup arena soundcheck
        konzert konzerte tournee karten vorverkauf einlass festspiele openair
        concierto conciertos gira entrada entradas vivo festivales recital
        concerts tournee billets billetterie concerto concerti biglietti tour
        show shows turne ingressos ingresso bilhetes
        konsert konserter spelning turne biljetter keikka konsertti liput koncert koncerty bilety
        trasa trasy listky vstupenky jegy turne optreden kaartjes tickets voorprogramma
        konser bilet biletler turnesi sahne
        концерт концерты билет билеты тур турне концерта фестиваль выступление квитки
        συναυλια συναυλιες εισιτηρια
        הופעה הופעות כרטיסים קונצרט
        حفل حفلة تذاكر كونسرت
        콘서트 공연 내한 투어 티켓 팬미팅
        """
        .split(whereSeparator: \.isWhitespace).map { TitleLetters(String($0)).scalars })

    private static let unspacedByFirst: [UInt32: [[UInt32]]] = {
        let words = """
            ライブ コンサート ツアー 公演 来日 単独 チケット フェス 生配信
            演唱会 演唱會 音乐会 音樂會 巡演 巡回 门票 門票 音乐节
            콘서트 공연 내한 คอนเสิร์ต บัตร
            """
            .split(whereSeparator: \.isWhitespace).map { TitleLetters(String($0)).scalars }
        return Dictionary(grouping: words.filter { !$0.isEmpty }) { $0[0] }
    }()
}
