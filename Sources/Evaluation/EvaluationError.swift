/// Why an evaluation cannot be run.
public struct EvaluationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what is allowed.
    public let description: String

    /// From a sentence.
    public init(_ description: String) { self.description = description }
}
