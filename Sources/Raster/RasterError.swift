/// Why a picture cannot be read or written.
public struct RasterError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A closed set of faults.
    public enum Code: String, Sendable, CaseIterable {
        /// The bytes are no picture format that is known here.
        case unknownFormat
        /// A known format, or a variant of PNG or JPEG, that is not read.
        case unsupportedFormat
        /// More bytes, pixels or scans than the limits allow.
        case tooLarge
        /// The region is empty or reaches outside the upright picture.
        case badRegion
        /// The pixel buffer is smaller than its width, height and row length say.
        case badBuffer
        /// The file ends before its end mark.
        case truncated
        /// The bytes contradict their format.
        case corrupt
        /// The caller asked to stop.
        case stopped
        /// The picture cannot be written.
        case encodeFailed
    }
    /// What is wrong.
    public let code: Code
    /// Where, and what is allowed; for people. Never bytes of the picture.
    public let context: String

    /// From a code and its context.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
    /// Code and context.
    public var description: String { "\(code.rawValue): \(context)" }
}
