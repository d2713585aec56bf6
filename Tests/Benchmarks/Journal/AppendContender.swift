import Journal
import Messages

/// A change in the forms that the contenders take.
struct AppendSample {
    /// The RECORD as a producer sends it.
    let message: Message
    /// The same as the journal's backend takes it.
    let entry: JournalEntry
    /// The bytes that the journal stores of it.
    let stored: [UInt8]
}

/// Something that stores groups of changes durably.
protocol AppendContender: AnyObject {
    var name: String { get }
    /// Seconds of processor time that storing has taken so far.
    var processorSeconds: Double { get }
    /// Anything that a pause makes necessary; not measured.
    func prepare() throws
    /// Stores a group; all of it is on the disk when this returns.
    func append(_ group: [AppendSample]) throws
}

extension AppendContender {
    func prepare() throws {}
}
