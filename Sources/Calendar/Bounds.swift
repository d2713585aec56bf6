/// What a calendar or card may hold, where no parameter says it.
enum Bounds {
    /// Levels of BEGIN inside each other; VCALENDAR, VEVENT, VALARM are three.
    static let depthMax = 8
    /// Bytes of a SUMMARY or LOCATION; longer ones are left out with a fault.
    static let textBytesMax = 1 << 16
    /// Bytes of a rule: every day of a year takes 1.5 KiB.
    static let ruleBytesMax = 1 << 12
    /// Bytes of all resources together, as a multiple of the text's: zones are repeated in each.
    static let expansionMax = 16
    /// Steps of all rules of one resource; a rule that never matches takes one a day at most.
    static let stepsMax = 1_000_000
    /// Steps of all rules of one VTIMEZONE; a usual one takes some hundreds.
    static let zoneStepsMax = 20_000
    /// Zones that one resource names and defines.
    static let zonesMax = 64
    /// Faults that are told of one resource.
    static let faultsMax = 16
    /// Occurrences that a caller can ask for at most.
    static let occurrencesMax = 1 << 24
    /// INTERVAL of a rule.
    static let intervalMax = 1_000_000_000
    /// COUNT of a rule.
    static let countMax = 4_000_000_000
    /// Rules of one component.
    static let rulesMax = 16
    /// Seconds that one occurrence may take: a hundred years.
    static let lengthMax: Int64 = 36_525 * 86_400
    /// Days of a window of `upcoming`.
    static let windowDaysMax = 3_660
    /// Seconds from 1970 of the first and last instants that are computed: the years 1 to 9999.
    static let secondsMin: Int64 = -62_135_596_800
    /// See `secondsMin`.
    static let secondsMax: Int64 = 253_402_300_799
    /// Bytes of a parameter that are looked at where all of them are read.
    static let parameterBytesMax = 1 << 10
    /// Names, telephone numbers, mail addresses and parameters of one card, of each.
    static let cardValuesMax = 32
    /// Types of one address.
    static let cardTypesMax = 8
    /// Bytes of one value of a card; longer ones are left out.
    static let cardTextBytesMax = 1 << 12
    /// Bytes of a picture, sound or key that stays on a card: those that are links.
    static let cardMediaBytesMax = 1 << 10
    /// Bytes of a card's UID.
    static let cardUIDBytesMax = 1 << 10
}
