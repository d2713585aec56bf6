import Foundation
import Messages
import Service
import Sightline

/// The command: finds the subcommand, runs it, and turns what it throws into an exit status.
@main
struct Sightline {
    static let subcommands: [any Subcommand.Type] = [
        Serve.self, RunRouter.self, JournalCommand.self, RunWorker.self,
        Import.self, Export.self, CatalogCommand.self, EntityCommand.self, Search.self, Print.self,
        PictureCommand.self,
        Open.self,
        CalendarCommand.self, Upcoming.self, ContactsCommand.self, HealthCommand.self,
        AccountCommand.self, LogCommand.self, Replay.self,
        Evaluate.self,
        SubmitCommand.self, ResultCommand.self,
        Status.self, Top.self, DeadCommand.self, KeyCommand.self, ShowLimits.self, Version.self,
    ]

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let status = await run(arguments, environment: ProcessInfo.processInfo.environment)
        exit(status.rawValue)
    }

    static func run(_ arguments: [String], environment: [String: String]) async -> ExitStatus {
        guard let name = arguments.first, !["help", "--help", "-h"].contains(name) else {
            print(Help.overview)
            return arguments.isEmpty ? .usage : .success
        }
        guard name != "--version" else {
            print(Version.text)
            return .success
        }
        guard let subcommand = subcommands.first(where: { $0.name == name }) else {
            complain("there is no subcommand '\(name)'; 'sightline help' lists them")
            return .usage
        }
        if arguments.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) {
            print(Help.text(of: subcommand))
            return .success
        }
        return await run(subcommand, Array(arguments.dropFirst()), environment)
    }

    private static func run(
        _ subcommand: any Subcommand.Type, _ rest: [String], _ environment: [String: String]
    ) async -> ExitStatus {
        do {
            let arguments = try Arguments(
                rest, options: subcommand.options, environment: environment)
            try arguments.refuseUnusedOptions(of: subcommand.name, forms: subcommand.forms)
            return try await subcommand.run(arguments, environment: environment)
        } catch let error as UsageError {
            complain("\(error); see 'sightline \(subcommand.name) --help'")
            return .usage
        } catch let error as CocoaError {
            let path = (error.userInfo[NSFilePathErrorKey] as? String).map { "'\($0)': " } ?? ""
            complain(path + error.localizedDescription)
            return .usage
        } catch {
            complain("\(error)")
            return ExitStatus(error)
        }
    }

    /// Says on standard error what went wrong; strangers' text steers no terminal.
    static func complain(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
        FileHandle.standardError.write(Data("sightline: \(shown)\n".utf8))
    }
}

/// One subcommand, in a file of its own.
protocol Subcommand: SendableMetatype {
    /// What it is called.
    static var name: String { get }
    /// One line for the overview.
    static var summary: String { get }
    /// How it is called, without the command's name; one form a line.
    static var usage: [String] { get }
    /// What it takes besides the common options.
    static var options: [CommandOption] { get }
    /// The options of each of its forms, where not all take all.
    static var forms: CommandForms { get }
    /// More for its help; empty in most cases.
    static var details: String { get }
    /// Does it.
    static func run(_ arguments: Arguments, environment: [String: String]) async throws
        -> ExitStatus
}

extension Subcommand {
    static var details: String { "" }
    static var forms: CommandForms { [:] }
}

/// What the command's exit says to a script; the help and the README list it.
enum ExitStatus: Int32 {
    /// Done.
    case success = 0
    /// Done, and the answer is no: incomplete, different, refused rows.
    case negative = 1
    /// Called in a way that the command does not know.
    case usage = 2
    /// No server there, or it did not answer in time.
    case unavailable = 3
    /// The server refused the request.
    case refused = 4
    /// Anything else.
    case failure = 5

    /// What an error means for a script.
    init(_ error: any Error) {
        switch error {
        case is UsageError, is ConfigurationError: self = .usage
        case is NoServer: self = .unavailable
        case is ConnectionRefused: self = .refused
        case is TypeMisfit: self = .refused
        case let error as SightlineError:
            switch error.code {
            case .noServer, .noAnswer: self = .unavailable
            case .unfinished: self = .negative
            default: self = .refused
            }
        case let failure as RequestFailure: self = failure.code == nil ? .unavailable : .refused
        default: self = .failure
        }
    }
}
