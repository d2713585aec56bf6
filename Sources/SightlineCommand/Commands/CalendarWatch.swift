import Foundation
import Messages
import Service

/// `sightline calendar watch`: keeps a calendar as the files of a folder are.
struct CalendarWatch {
    private let account: String
    private let calendar: String
    private let zone: String
    private let interval: Duration
    private let isOnce: Bool
    private let arguments: Arguments
    private var folder: CalendarFolder
    /// What the server holds; nil if that is not known: then the calendar begins anew.
    private var pushed: [String: [UInt8]]?
    private var lastRevision = 0
    private var lastComplaint = ""

    init(_ account: String, _ calendar: String, _ path: String, _ arguments: Arguments) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw UsageError("'\(path)' is no folder") }
        self.account = account
        self.calendar = calendar
        self.arguments = arguments
        zone = arguments["zone"] ?? "UTC"
        try CalendarFile.check(zone: zone)
        let milliseconds = try arguments.integer("interval", in: 100...3_600_000) ?? 2_000
        interval = .milliseconds(milliseconds)
        isOnce = arguments.isSet("once")
        folder = CalendarFolder(path: path)
    }

    /// Goes on until it is stopped; a server that is away is tried again at each look.
    mutating func run() async throws -> ExitStatus {
        while true {
            do {
                try await synchronise()
                if isOnce { return .success }
                lastComplaint = ""
            } catch {
                guard !isOnce else { throw error }
                complain(error)
            }
            try await Task.sleep(for: interval)
        }
    }

    /// The same trouble is told once.
    private mutating func complain(_ error: any Error) {
        let text = "\(error)"
        guard text != lastComplaint else { return }
        lastComplaint = text
        Sightline.complain(TerminalText.escaped(text))
    }

    private mutating func synchronise() async throws {
        let texts = try folder.look()
        for complaint in folder.complaints { Sightline.complain(TerminalText.escaped(complaint)) }
        let revision = max(Int(SystemClock.wall().milliseconds), lastRevision + 1)
        let difference = CalendarDifference(
            calendar: calendar, zone: zone, revision: revision, from: pushed, to: texts)
        guard !difference.changes.isEmpty else { return }
        lastRevision = revision + difference.changes.count
        let position = try await push(difference.changes)
        let count = difference.changes.reduce(0) { $0 + $1.put.count }
        let removed = difference.changes.reduce(0) { $0 + $1.remove.count }
        let anew = pushed == nil ? "begun anew: " : ""
        pushed = texts
        print("\(anew)put \(count), removed \(removed) at position \(position)")
        fflush(nil)
    }

    /// Where the last of the changes stands. They are said again from the first one if one of them
    /// fails, under new revisions.
    private func push(_ changes: [CalendarChange]) async throws -> Position {
        try await arguments.withConnection { connection in
            var last: Position?
            for change in changes {
                let stored = try await connection.store(
                    .change(
                        change, of: account, source: "sightline calendar watch",
                        budgetMilliseconds: try arguments.deadline()))
                last = stored.position
                for part in stored.answer.notApplied {
                    Sightline.complain(TerminalText.escaped("\(calendar): \(part.text)"))
                }
            }
            guard let last else { preconditionFailure("there is a change") }
            return last
        }
    }
}
