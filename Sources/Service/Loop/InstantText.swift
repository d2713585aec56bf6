import Foundation
public import Messages

/// Instants as people write them: RFC 3339 in UTC.
public enum InstantText {
    /// `2026-12-05T19:00:00.000Z`.
    public static func format(_ instant: Timestamp) -> String {
        // Milliseconds are written apart: as a fraction of a Double they would be cut.
        let (quotient, remainder) = instant.milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return text.dropLast()
            + String(format: ".%03dZ", Int(instant.milliseconds - seconds * 1_000))
    }

    /// Reads RFC 3339 with an offset or `Z`, with or without a fraction; nil for anything else.
    public static func parse(_ text: String) -> Timestamp? {
        for fraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
            // Either form is allowed; nil if neither fits.
            if let date = try? style.parse(text), isDay(text.prefix(10)) {
                return Timestamp(
                    milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
            }
        }
        return nil
    }

    /// Foundation takes 30 February for 2 March; here it is none.
    private static func isDay(_ text: Substring) -> Bool {
        guard let date = try? Date.ISO8601FormatStyle().parse("\(text)T00:00:00Z") else {
            return false
        }
        return date.formatted(.iso8601).prefix(10) == text
    }
}
