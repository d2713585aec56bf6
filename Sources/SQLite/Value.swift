/// A value in a column or a parameter.
public enum Value: Sendable, Equatable {
    /// SQL NULL.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number; NaN is stored as NULL.
    case real(Double)
    /// UTF-8 text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// A whole number.
    public static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
    /// Text, or NULL for nil.
    public static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    /// Bytes, or NULL for nil.
    public static func blob(_ value: [UInt8]?) -> Value { value.map { .blob($0) } ?? .null }
}
