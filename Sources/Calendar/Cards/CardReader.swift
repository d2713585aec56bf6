/// Puts cards together from lines, one by one; a bad one ends with itself.
struct CardReader {
    private(set) var reading = VCard.Reading()
    /// Whether any card began.
    private(set) var hasBegun = false
    private let cardBytesMax: Int
    private var draft: CardDraft?
    private var place = -1

    init(cardBytesMax: Int) { self.cardBytesMax = cardBytesMax }

    mutating func take(_ line: ContentLine) {
        let line = line.repaired
        switch CardProperty(line) {
        case .begin where line.word == "VCARD":
            // Cards do not stand in cards: the one before was not closed.
            refuseOpenCard()
            hasBegun = true
            place += 1
            draft = CardDraft(bytesMax: cardBytesMax)
        case .end where line.word == "VCARD": finishCard()
        case let property:
            draft?.take(line, property)
        }
    }

    /// The text ends here.
    mutating func finish() { refuseOpenCard() }

    private mutating func refuseOpenCard() {
        guard draft != nil else { return }
        draft = nil
        refuse(CalendarError(.unbalanced, "VCARD is not closed"))
    }

    private mutating func finishCard() {
        guard let draft else { return }
        self.draft = nil
        do throws(CalendarError) {
            reading.cards.append(try draft.card())
        } catch {
            refuse(error)
        }
    }

    private mutating func refuse(_ error: CalendarError) {
        reading.refused.append(.init(place: place, error: error))
    }
}
