import Messages
import Service

extension Arguments {
    /// Runs a body with a connection to the router, and closes it whatever happens.
    func withConnection<Result>(
        _ body: (RouterConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try RouterConnection.open(
            endpoint(), name: "sightline", keys: connectionKeys(),
            log: log(default: .warning))
        do {
            let result = try await body(connection)
            connection.close()
            return result
        } catch {
            connection.close()
            throw error
        }
    }
}
