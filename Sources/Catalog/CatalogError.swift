/// Why a document is no entity type or entity, or why it cannot be taken.
public struct CatalogError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A closed set of faults.
    public enum Code: String, Sendable, CaseIterable {
        /// The document is no entity type.
        case badType
        /// The document is no entity of its type.
        case badEntity
        /// The type is declared with a higher version already.
        case oldVersion
        /// The type is declared with the same version and another content.
        case sameVersion
        /// There are entities that the type's new version does not fit.
        case misfit
        /// There is no room for another type.
        case tooManyTypes
        /// A relation names a type or property that is not declared.
        case openRelation
    }
    /// What is wrong.
    public let code: Code
    /// The place as a JSON pointer, what is wrong there, and what is allowed; for people.
    public let context: String

    /// From a code and its context.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
    /// Code and context.
    public var description: String { "\(code.rawValue): \(context)" }
}
