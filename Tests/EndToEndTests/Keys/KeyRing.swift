import Foundation
import Service
import Testing

/// Key pairs and a list of allowed ones, made by the command in a folder.
struct KeyRing {
    let folder: String
    let allowed: String

    /// Makes the list with the keys of some names, and a pair for each and for the server.
    init(folder: String, allowing names: [String]) throws {
        self.folder = folder
        allowed = "\(folder)/allowed"
        try make("server")
        #expect(FileManager.default.createFile(atPath: allowed, contents: Data()))
        for name in names {
            try make(name)
            try allow(name)
        }
    }

    func make(_ name: String) throws {
        let made = try Command.run(["key", "new", "\(folder)/\(name)"])
        #expect(made.status == 0, "\(made)")
    }
    func allow(_ name: String) throws {
        let result = try Command.run(["key", "allow", file(name), "--allowed", allowed])
        #expect(result.status == 0, "\(result)")
    }
    func revoke(_ name: String) throws {
        let result = try Command.run(["key", "revoke", name, "--allowed", allowed])
        #expect(result.status == 0, "\(result)")
    }

    func pair(_ name: String) -> String { "\(folder)/\(name)\(KeyFile.secretEnding)" }
    func file(_ name: String) -> String { "\(folder)/\(name)\(KeyFile.publicEnding)" }
    /// What a server is started with.
    func server(_ name: String = "server") -> [String] {
        ["--key", pair(name), "--allowed", allowed]
    }
    /// What a client or worker is started with.
    func client(_ name: String, server: String = "server") -> [String] {
        ["--key", pair(name), "--server-key", file(server)]
    }
    func connection(_ name: String) throws -> ConnectionKeys {
        try ConnectionKeys(keyFile: pair(name), server: file("server"))
    }
    /// What logs show of a key.
    func prefix(_ name: String) throws -> String {
        let text = try String(contentsOfFile: file(name), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.contains("public-key") })
        return String(line.split(separator: "\"")[1].prefix(8))
    }
}

extension ServerProcess {
    /// Lines of the log that tell of a refused peer and have all the words.
    func refusals(_ words: String...) throws -> [Substring] {
        try log().split(separator: "\n").filter { line in
            line.contains("peer refused") && words.allSatisfy { line.contains($0) }
        }
    }

    /// Waits until the log has a word often enough.
    func untilLogged(_ word: String, times: Int = 1) async throws {
        for _ in 0..<600 {
            if try log().components(separatedBy: word).count > times { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("the log never says '\(word)': \(try log())")
    }

    /// Makes it read the list of allowed keys again, and waits until it has.
    func reloadKeys() async throws {
        let before = try log().components(separatedBy: "keys allowed").count
        kill(identifier, SIGHUP)
        try await untilLogged("keys allowed", times: before)
    }
}
