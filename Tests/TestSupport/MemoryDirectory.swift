import Foundation

/// Runs `body` with the path of a fresh, empty folder in memory, where waiting for the disk costs
/// nothing, or elsewhere if there is no such place; removes it afterwards.
public func withMemoryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = "/dev/shm/sightline-" + UUID().uuidString.prefix(13).lowercased()
    guard mkdir(path, 0o700) == 0 else { return try withTemporaryDirectory(body) }
    // Nothing is lost if it stays.
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}
