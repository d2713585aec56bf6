public import Messages

/// A month of calendar traffic of some accounts, drawn from a seed: events are put, edited, moved
/// to another calendar and removed, calendars begin anew in one page or two, access is granted and
/// lost, and changes come twice and out of order. With what must be held at its end.
public struct CalendarMonth: Sendable {
    /// One change, as its producer sends it.
    public struct Delivery: Sendable {
        /// When it is sent; milliseconds, UTC.
        public let time: Int64
        /// Whose it is.
        public let account: String
        /// What it is known by.
        public let id: String
        /// Its kind.
        public let kind: RecordKind
        /// Its body.
        public let body: JSONValue
        /// Whether it may be stored: the account has full access then.
        public let isAllowed: Bool
    }

    /// What is held of an account at the end.
    public struct Expected: Sendable, Equatable {
        /// What its owner allows.
        public var access: AccessStatus
        /// Texts by UID, by calendar; calendars without events are left out.
        public var calendars: [String: [String: String]]

        /// From its parts.
        public init(access: AccessStatus, calendars: [String: [String: String]]) {
            self.access = access
            self.calendars = calendars
        }
    }

    /// In the order in which they are sent.
    public let deliveries: [Delivery]
    /// By account.
    public let expected: [String: Expected]

    /// Milliseconds of a month.
    public static let milliseconds: Int64 = 30 * day
    static let day: Int64 = 86_400_000

    /// Traffic that begins at an instant.
    ///
    /// - Parameters:
    ///   - seed: equal seeds give equal months.
    ///   - accounts: how many.
    ///   - events: events that are put, of all accounts together; edits are not counted.
    ///   - start: milliseconds, UTC.
    ///   - storedAt: when the last change of each calendar is stored; as it is sent, if nil.
    public init(
        seed: UInt64, accounts: Int, events: Int, start: Int64, storedAt: Int64? = nil
    ) {
        var all: [Delivery] = []
        var expected: [String: Expected] = [:]
        for number in 0..<accounts {
            var script = AccountScript(
                account: "account-\(number)", number: number, start: start, storedAt: storedAt,
                random: SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number)))
            script.write(events: events / accounts)
            all += script.deliveries
            expected[script.account] = script.expected
        }
        deliveries = all.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
        self.expected = expected
    }
}

extension CalendarMonth {
    /// What two forms of one event's text have in common.
    public static func essence(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).filter { line in
            ["UID:", "DTSTART:", "DTEND:", "SUMMARY:"].contains { line.hasPrefix($0) }
        }.joined(separator: "|")
    }
}
