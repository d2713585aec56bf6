import Foundation
import Messages
import ZeroMQ

/// Files with CURVE keys, in the form that CZMQ and pyzmq read and write: a pair is two files,
/// `NAME.key` with the public key and `NAME.key_secret` with both.
public enum KeyFile {
    /// What the file with the secret key is called behind the name.
    public static let secretEnding = ".key_secret"
    /// What the file with the public key is called behind the name.
    public static let publicEnding = ".key"

    /// Writes a new pair; the secret file can be read by its owner alone.
    ///
    /// - Parameter path: Where, without the ending; its last part is the name of the pair.
    /// - Returns: The public key, 40 characters.
    /// - Throws: `ConfigurationError` if a file is there already or cannot be written.
    public static func create(at path: String) throws -> String {
        let name = URL(fileURLWithPath: path).lastPathComponent
        try AllowedKeys.check(name: name)
        let pair = try CurveKeyPair.random()
        for ending in [secretEnding, publicEnding] where access(path + ending, F_OK) == 0 {
            throw ConfigurationError("'\(path + ending)' is there already; keys are not replaced")
        }
        try write(text(name, pair.publicKey, pair.secretKey), to: path + secretEnding, mode: 0o600)
        try write(text(name, pair.publicKey, nil), to: path + publicEnding, mode: 0o644)
        return pair.publicKey.text
    }

    /// Reads a pair from a file that nobody but its owner can read.
    ///
    /// - Throws: `ConfigurationError` that says what is wrong with the file.
    static func readPair(_ path: String) throws -> CurveKeyPair {
        let members = try read(path, forbidding: 0o077, "can be read or changed by others")
        guard let publicKey = members["public-key"].flatMap({ CurveKey($0) }),
            let secretKey = members["secret-key"].flatMap({ CurveKey($0) }),
            let pair = CurveKeyPair(publicKey: publicKey, secretKey: secretKey)
        else {
            throw ConfigurationError(
                "'\(path)' holds no key pair; 'sightline key new' makes one, and its file ends in \(secretEnding)"
            )
        }
        return pair
    }

    /// Reads a public key: 40 characters, or a file that holds it.
    ///
    /// - Returns: The name in the file, if it is one and has a name, and the key.
    /// - Throws: `ConfigurationError` that says what is allowed.
    static func readPublic(_ text: String) throws -> (name: String?, key: CurveKey) {
        if access(text, F_OK) != 0, let key = CurveKey(text) { return (nil, key) }
        guard access(text, F_OK) == 0 else {
            throw ConfigurationError(
                "'\(text)' is neither a public key of \(CurveKey.characterCount) characters nor a file with one"
            )
        }
        let members = try read(text, forbidding: 0o022, "can be changed by others")
        guard let key = members["public-key"].flatMap({ CurveKey($0) }) else {
            throw ConfigurationError("'\(text)' holds no public key")
        }
        return (members["name"], key)
    }

    // MARK: Files

    /// Reads a small file, unless another user owns it or its mode has a forbidden bit.
    static func contents(
        _ path: String, bytesMax: Int, forbidding bits: mode_t, _ complaint: String
    ) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ConfigurationError("cannot read '\(path)': \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw ConfigurationError("cannot read '\(path)': \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & bits == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            let less = String(status.st_mode & 0o777 & ~bits, radix: 8)
            throw ConfigurationError(
                "'\(path)' \(complaint) (mode \(mode)); 'chmod \(less) \(path)' mends that")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw ConfigurationError("'\(path)' belongs to another user")
        }
        let data = try handle.read(upToCount: bytesMax + 1) ?? Data()
        guard data.count <= bytesMax else {
            throw ConfigurationError("'\(path)' has more than \(bytesMax) bytes")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func read(
        _ path: String, forbidding bits: mode_t, _ complaint: String
    ) throws -> [String: String] {
        let text = try contents(
            path, bytesMax: Limits.keyFileBytesMax, forbidding: bits, complaint)
        var members: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            let parts = line.split(separator: "=", maxSplits: 1)
            guard !line.hasPrefix("#"), parts.count == 2 else { continue }
            let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\r'\""))
            members[parts[0].trimmingCharacters(in: .whitespaces)] = value
        }
        return members
    }

    private static func text(_ name: String, _ own: CurveKey, _ secret: CurveKey?) -> String {
        let warning =
            secret == nil ? "" : "#   Whoever reads this file can pass for its owner.\n"
        return """
            #   ZeroMQ CURVE \(secret == nil ? "public" : "**secret**") key
            \(warning)
            metadata
                name = "\(name)"
            curve
                public-key = "\(own.text)"

            """ + (secret.map { "    secret-key = \"\($0.text)\"\n" } ?? "")
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw ConfigurationError("cannot write '\(path)': \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.synchronize()
    }
}
