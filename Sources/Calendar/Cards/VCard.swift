/// vCard (RFC 2426, version 3.0, and RFC 6350, version 4.0): reading the cards of a text.
public enum VCard {
    /// What a text holds: the cards that can be read, and why the others cannot.
    public struct Reading: Sendable, Equatable {
        /// A card that was left out; all others were read.
        public struct Refusal: Sendable, Equatable {
            /// The card's place in the text, from 0, bad ones counted.
            public let place: Int
            /// Why.
            public let error: CalendarError
        }

        /// In the order of the text; of several cards with one UID each stands here.
        public internal(set) var cards: [ContactCard] = []
        /// In the order of the text.
        public internal(set) var refused: [Refusal] = []
    }

    /// Reads the cards of a text: UTF-8, or UTF-16 with a byte order mark.
    ///
    /// A card that cannot be read costs the others nothing. What stands outside of cards is passed
    /// over.
    ///
    /// - Parameters:
    ///   - text: bytes from outside, of any size.
    ///   - bytesMax: the largest text that is looked at.
    ///   - cardBytesMax: the largest card, without what `ContactCard.text` leaves out; a larger one
    ///     is refused with `tooLarge`.
    /// - Throws: `tooLarge` for the text, `notACard` if it has no BEGIN:VCARD.
    public static func read(
        _ text: [UInt8], bytesMax: Int, cardBytesMax: Int
    ) throws(CalendarError) -> Reading {
        guard text.count <= bytesMax else {
            throw CalendarError(.tooLarge, "\(text.count) bytes; at most \(bytesMax) are allowed")
        }
        var reader = CardReader(cardBytesMax: cardBytesMax)
        for line in ContentLines(TextValue.utf8(of: text)) { reader.take(line) }
        reader.finish()
        guard reader.hasBegun else {
            throw CalendarError(.notACard, "the text has no BEGIN:VCARD")
        }
        return reader.reading
    }
}
