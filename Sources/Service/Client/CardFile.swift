public import Calendar
import Messages

/// Reads what a producer is about to push, so that a person hears of faults at once; replicas read
/// it again.
public enum CardFile {
    /// The cards of a file, and why others cannot be read.
    ///
    /// - Throws: `ConfigurationError` that names the file, if it holds no card at all.
    public static func read(_ bytes: [UInt8], named path: String) throws -> VCard.Reading {
        do {
            return try VCard.read(
                bytes, bytesMax: Limits.contactFileBytesMax,
                cardBytesMax: Limits.resourceBytesMax)
        } catch {
            throw ConfigurationError("'\(path)': \(error)")
        }
    }
}
