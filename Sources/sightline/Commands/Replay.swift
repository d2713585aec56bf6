/// `sightline replay`.
enum Replay: Subcommand {
    static let name = "replay"
    static let summary = "answer recorded requests again and compare the replies"
    static let usage = ["DIR [--data DIR]"]
    static let options: [CommandOption] = [.data, .json]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        .failure
    }
}
