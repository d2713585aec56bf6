/// What a property of an entity holds.
public enum PropertyKind: String, Sendable, CaseIterable {
    /// A text.
    case string
    /// A text in one or several languages.
    case localizedString
    /// A number.
    case number
    /// A day, or an instant with its offset and zone; see `ZonedDate`.
    case date
    /// A place on the Earth.
    case geoPoint
    /// Several texts.
    case stringList

    /// Whether it holds names: texts that relations and calendars can be compared with.
    public var holdsNames: Bool {
        switch self {
        case .string, .localizedString, .stringList: true
        case .number, .date, .geoPoint: false
        }
    }
}
