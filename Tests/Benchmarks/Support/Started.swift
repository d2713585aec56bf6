import Foundation
import Locking

/// What a benchmark has started and made: ended and removed whichever way it ends.
enum Started {
    private static let processes = Locked<Set<pid_t>>([])
    private static let folders = Locked<Set<String>>([])

    /// Ends everything when this process is told to stop.
    static func endWhenToldTo() {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // Keeps itself: nothing else holds it.
                source.cancel()
                endAll()
                exit(128 + number)
            }
            source.resume()
        }
    }

    /// Ends every process that is left, and removes every folder.
    static func endAll() {
        for process in processes.withLock({ $0 }) { kill(process, SIGKILL) }
        for folder in folders.withLock({ $0 }) { remove(folder) }
    }

    static func add(_ process: pid_t) { processes.withLock { _ = $0.insert(process) } }
    static func forget(_ process: pid_t) { processes.withLock { _ = $0.remove(process) } }

    /// A fresh, empty folder below `parent`, for the owner only.
    static func makeFolder(in parent: String?) throws -> String {
        let parent = parent ?? NSTemporaryDirectory()
        let name = "sightline-bench-" + UUID().uuidString.prefix(8).lowercased()
        let path = URL(fileURLWithPath: parent).appending(path: name).path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        folders.withLock { _ = $0.insert(path) }
        return path
    }

    static func remove(_ folder: String) {
        // A folder that stays behind is visible, and spoils no figure.
        try? FileManager.default.removeItem(atPath: folder)
        folders.withLock { _ = $0.remove(folder) }
    }
}
