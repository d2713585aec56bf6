import Messages
import Service

/// Says what of a change was refused because the owner of the store does not allow it.
enum AccessComplaint {
    /// Runs something that may be refused, and names the parts that were; the failure goes on.
    static func naming<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let failure as RequestFailure {
            if case .refused(.accessRequired, _, _, let body) = failure,
                let refusal = AccessRefusal(parsing: body)
            {
                for name in refusal.refused {
                    Sightline.complain(TerminalText.escaped("not stored: \(name)"))
                }
            }
            throw failure
        }
    }
}
