/// One card: who it is of, by which names, and how they are reached.
public struct ContactCard: Sendable, Equatable {
    /// What the card is of.
    public enum Kind: String, Sendable, CaseIterable {
        /// A person; a card that does not say is of one.
        case individual
        /// An organization: stated, or shown as a company.
        case organization
        /// Several cards under one name.
        case group
        /// A named place.
        case location
        /// Anything else.
        case other
    }

    /// How a name stands on the card.
    public enum NameKind: String, Sendable, CaseIterable {
        /// The name as it is shown, FN.
        case formatted
        /// Put together from the parts of N, without titles.
        case structured
        /// A nickname.
        case nickname
        /// The organization, on the card of one.
        case organization
    }

    /// A name that the card's owner is known by.
    public struct Name: Sendable, Equatable {
        /// Where it comes from.
        public let kind: NameKind
        /// As it is written, with single spaces.
        public let text: String
    }

    /// An address of one kind, such as a telephone number.
    public struct Address: Sendable, Equatable {
        /// As it is written.
        public let value: String
        /// Its types in lower case, such as `home`; `pref` if it is preferred.
        public let types: [String]
    }

    /// Unique in an address book; made from the card's bytes if it has none.
    public let uid: String
    /// What the card is of.
    public let kind: Kind
    /// All names, each text once, the one to show first; none if the card has no name at all.
    public let names: [Name]
    /// The organization, without its units; nil if there is none.
    public let organization: String?
    /// Telephone numbers, in order.
    public let phones: [Address]
    /// Mail addresses, in order.
    public let emails: [Address]
    /// The card with CRLF line ends, without pictures, sounds and keys of more than
    /// 1,024 bytes: those are never looked for.
    public let text: [UInt8]

    /// What to show: the first name, else the first address, else nothing.
    public var title: String {
        names.first?.text ?? organization ?? emails.first?.value ?? phones.first?.value ?? ""
    }
}
