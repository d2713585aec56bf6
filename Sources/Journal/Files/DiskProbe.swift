/// An operation that a disk can fail.
package enum DiskOperation: String, Sendable {
    /// Bytes are written to a file.
    case write
    /// A file's bytes are made durable.
    case sync
    /// A file gets its final name.
    case rename
    /// The names in a folder are made durable.
    case syncFolder
}

/// A seam for tests: sees every operation before it happens and may make it fail.
package struct DiskProbe: Sendable {
    /// The operation and its path; a number other than 0 is the error to report instead.
    package let check: @Sendable (DiskOperation, String) -> Int32

    /// Asks `check` before every operation.
    package init(_ check: @escaping @Sendable (DiskOperation, String) -> Int32) {
        self.check = check
    }

    /// Lets everything happen.
    package static let none = DiskProbe { _, _ in 0 }
}
