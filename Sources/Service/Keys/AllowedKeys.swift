import Foundation
import Messages
import ZeroMQ

/// The public keys that a server lets in: a file with a line for each, the key, a space and a name.
/// Lines that begin with `# ` and empty ones say nothing.
public struct AllowedKeys: Sendable, Equatable {
    /// One key.
    public struct Entry: Sendable, Equatable {
        /// For people; unique in the list.
        public let name: String
        /// 40 characters.
        public var key: String { curveKey.text }
        let curveKey: CurveKey
    }

    /// In the order in which they were allowed.
    public private(set) var entries: [Entry] = []

    /// Reads a list that nobody but its owner can change.
    ///
    /// - Throws: `ConfigurationError` that names the line.
    public init(file: String) throws {
        let bytesMax =
            Limits.allowedKeysMax * (CurveKey.characterCount + Limits.keyNameBytesMax + 2)
        let text = try KeyFile.contents(
            file, bytesMax: bytesMax, forbidding: 0o022, "can be changed by others")
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("# "), line != "#" else { continue }
            let parts = line.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, let key = CurveKey(String(parts[0])) else {
                throw ConfigurationError(
                    "'\(file)', line \(number + 1): a public key of \(CurveKey.characterCount) characters, a space and a name are needed"
                )
            }
            try add(String(parts[1]), key)
        }
    }

    init() {}

    /// Changes a list, which begins empty if there is no file, and puts it into the place of the
    /// one before at once; changes of several processes follow each other.
    ///
    /// - Throws: `ConfigurationError`, or what the body throws; nothing is changed then.
    public static func change<Result>(
        file: String, _ body: (inout AllowedKeys) throws -> Result
    ) throws -> Result {
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: file).deletingLastPathComponent(),
            withIntermediateDirectories: true)
        let lock = open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw ConfigurationError(
                "cannot write beside '\(file)': \(String(cString: strerror(errno)))")
        }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else {
            throw ConfigurationError("cannot lock '\(file)'")
        }
        var list = access(file, F_OK) == 0 ? try AllowedKeys(file: file) : AllowedKeys()
        let result = try body(&list)
        try Data(list.text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        guard chmod(file, 0o644) == 0 else {
            throw ConfigurationError("cannot set the mode of '\(file)'")
        }
        return result
    }

    /// Allows a key.
    ///
    /// - Parameters:
    ///   - text: 40 characters, or a file that holds the key.
    ///   - name: What it is called; the name in the file if there is none.
    /// - Returns: The new entry; nil if the key was allowed under this name already.
    /// - Throws: `ConfigurationError` if the name or the key stands for another one, or the list is
    ///   full.
    public mutating func allow(_ text: String, name: String?) throws -> Entry? {
        let (ownName, key) = try KeyFile.readPublic(text)
        guard let name = name ?? ownName else {
            throw ConfigurationError("a key that is given as such needs a name: --name")
        }
        guard !entries.contains(Entry(name: name, curveKey: key)) else { return nil }
        try add(name, key)
        return entries.last
    }

    /// Takes a key out.
    ///
    /// - Parameter text: Its name, or the key itself.
    /// - Returns: What was taken out.
    /// - Throws: `ConfigurationError` if nothing is called so.
    public mutating func revoke(_ text: String) throws -> Entry {
        guard let index = entries.firstIndex(where: { $0.name == text || $0.key == text }) else {
            throw ConfigurationError("no allowed key is called '\(text)'")
        }
        return entries.remove(at: index)
    }

    /// The keys alone.
    var keys: Set<CurveKey> { Set(entries.map(\.curveKey)) }

    static func check(name: String) throws {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
                || "-_.@+:".unicodeScalars.contains($0)
        }
        guard isPlain, (1...Limits.keyNameBytesMax).contains(name.utf8.count) else {
            throw ConfigurationError(
                "a key's name has letters, digits and '-_.@+:', at most \(Limits.keyNameBytesMax) bytes, not '\(name)'"
            )
        }
    }

    private mutating func add(_ name: String, _ key: CurveKey) throws {
        try Self.check(name: name)
        if let same = entries.first(where: { $0.name == name }) {
            throw ConfigurationError("'\(name)' is the name of \(same.key) already")
        }
        if let same = entries.first(where: { $0.curveKey == key }) {
            throw ConfigurationError("\(key) is allowed already, as '\(same.name)'")
        }
        guard entries.count < Limits.allowedKeysMax else {
            throw ConfigurationError("at most \(Limits.allowedKeysMax) keys are allowed")
        }
        entries.append(Entry(name: name, curveKey: key))
    }

    private var text: String {
        entries.map { "\($0.key) \($0.name)\n" }.joined()
    }
}
