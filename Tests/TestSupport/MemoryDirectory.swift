import Foundation

/// Runs `body` with the path of a fresh, empty folder in memory, where waiting for the disk costs
/// nothing, or elsewhere if there is no such place; removes it afterwards.
public func withMemoryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    guard let path = makeMemoryDirectory() else { return try withTemporaryDirectory(body) }
    defer { removeMemoryDirectory(path) }
    return try body(path)
}

/// The same for an asynchronous `body`.
public func withMemoryDirectory<Result>(
    _ body: (String) async throws -> Result
) async throws -> Result {
    guard let path = makeMemoryDirectory() else { return try await withTemporaryDirectory(body) }
    defer { removeMemoryDirectory(path) }
    return try await body(path)
}

private func makeMemoryDirectory() -> String? {
    let path = "/dev/shm/sightline-" + UUID().uuidString.prefix(13).lowercased()
    return mkdir(path, 0o700) == 0 ? path : nil
}

private func removeMemoryDirectory(_ path: String) {
    // Nothing is lost if it stays.
    try? FileManager.default.removeItem(atPath: path)
}
