/// Why a picture or an encoded print was refused.
public struct MatchingError: Error, Equatable, Sendable {
    /// The closed set of reasons.
    public enum Code: String, Sendable, CaseIterable {
        /// The caller asked to stop; nothing was made.
        case stopped
        /// The picture is larger than `FeaturePrint.workingSide` on a side.
        case pictureSize
        /// The bytes are a print of another version; two versions are never compared.
        case printVersion
        /// The bytes are no print.
        case printMalformed
    }

    /// The reason.
    public let code: Code
    /// What is wrong, and what is allowed.
    public let context: String

    /// An error with its explanation.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
}

extension MatchingError: CustomStringConvertible {
    /// The code, then the context.
    public var description: String { "\(code.rawValue): \(context)" }
}
