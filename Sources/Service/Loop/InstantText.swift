import Foundation
public import Messages

/// Instants as people write them: RFC 3339 in UTC.
public enum InstantText {
    /// `2026-12-05T19:00:00.000Z`.
    public static func format(_ instant: Timestamp) -> String {
        let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Reads RFC 3339 with an offset or `Z`, with or without a fraction; nil for anything else.
    public static func parse(_ text: String) -> Timestamp? {
        for fraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
            // Either form is allowed; nil if neither fits.
            if let date = try? style.parse(text) {
                return Timestamp(
                    milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
            }
        }
        return nil
    }
}
