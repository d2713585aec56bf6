/// How far a search came that its deadline stopped.
public struct CheckedCandidates: Sendable, Equatable, CustomStringConvertible {
    /// Candidates that were compared in time.
    public let checked: UInt32
    /// Those that would have been, `checked` at least.
    public let all: UInt32

    /// So many of so many; `all` is raised to `checked`.
    public init(checked: UInt32, of all: UInt32) {
        self.checked = checked
        self.all = max(checked, all)
    }

    /// What two parts of one search come to together.
    public func adding(_ other: CheckedCandidates) -> CheckedCandidates {
        CheckedCandidates(
            checked: UInt32(clamping: UInt64(checked) + UInt64(other.checked)),
            of: UInt32(clamping: UInt64(all) + UInt64(other.all)))
    }

    /// For people.
    public var description: String { "\(checked) of \(all)" }
}

extension Fields {
    /// How far a stopped search came; nil for one that looked at everything.
    public var checked: CheckedCandidates? {
        get {
            guard let value = self[.checked], value.count == 8 else { return nil }
            return CheckedCandidates(
                checked: bigEndianInteger(Array(value.prefix(4))),
                of: bigEndianInteger(Array(value.suffix(4))))
        }
        set {
            set(.checked, newValue.map { bigEndianBytes($0.checked) + bigEndianBytes($0.all) })
        }
    }
}
