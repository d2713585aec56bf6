import Foundation

/// Runs `body` with the absolute path of a fresh, empty folder, and removes it afterwards.
///
/// The path is short enough for a socket's file in it.
public func withTemporaryDirectory<Result>(
    _ body: (String) throws -> Result
) throws -> Result {
    let path = try makeTemporaryDirectory()
    defer { removeTemporaryDirectory(path) }
    return try body(path)
}

/// Runs an asynchronous `body` with the absolute path of a fresh, empty folder, and removes it
/// afterwards.
public func withTemporaryDirectory<Result>(
    _ body: (String) async throws -> Result
) async throws -> Result {
    let path = try makeTemporaryDirectory()
    defer { removeTemporaryDirectory(path) }
    return try await body(path)
}

private func makeTemporaryDirectory() throws -> String {
    let name = "sightline-" + UUID().uuidString.prefix(13).lowercased()
    let folder = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    return folder.path
}

private func removeTemporaryDirectory(_ path: String) {
    // A folder that the body itself removed is no fault of the test.
    try? FileManager.default.removeItem(atPath: path)
}
