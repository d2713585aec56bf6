import Foundation

/// The Python peer in a process of its own.
final class MatchPeer {
    /// What the peer says of one command.
    struct Answer: Decodable {
        /// Processor time.
        let milliseconds: Double
        /// Time that passed.
        let elapsed: Double
        var features: Int?
        var found: String?
    }

    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()
    private var unread: [UInt8] = []

    /// Starts the peer with a Python, or with the one of a virtual environment, that has what
    /// `requirements.txt` names.
    init(python: String, script: String, threads: Int = 1) throws {
        let isFolder = FileManager.default.fileExists(atPath: "\(python)/bin/python")
        process.executableURL = URL(fileURLWithPath: isFolder ? "\(python)/bin/python" : python)
        process.arguments = [script, "--threads", "\(threads)"]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
        Started.add(process.processIdentifier)
    }

    /// Runs a command and waits for its answer.
    @discardableResult
    func ask(_ command: String) throws -> Answer {
        try requests.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = Data(unread[..<end])
                unread.removeSubrange(...end)
                return try JSONDecoder().decode(Answer.self, from: line)
            }
            let data = answers.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchError(.answer, "the peer ended") }
            unread += data
        }
    }

    deinit {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
