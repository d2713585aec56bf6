public import Calendar
import Messages

/// Reads what a producer is about to push; replicas read it again.
public enum CardFile {
    /// The cards of a file, and why others cannot be read.
    ///
    /// - Throws: `CalendarError` if the file holds no card at all.
    public static func read(_ bytes: [UInt8]) throws(CalendarError) -> VCard.Reading {
        try VCard.read(
            bytes, bytesMax: Limits.contactFileBytesMax, cardBytesMax: Limits.resourceBytesMax)
    }
}
