import Journal
import Messages
import Queue

/// Keeps a router's detached requests on a thread of its own, in order.
final class JobKeeper: Sendable {
    /// What an earlier process kept.
    let jobs: [DetachedRequest]
    /// The key that what is kept was hashed under.
    var key: [UInt8] { folder.key }
    private let folder: JobFolder
    private let lane = Lane(name: "jobs")
    private let log: Log

    /// Opens the folder and reads what is there.
    ///
    /// - Throws: `JournalError` if the folder cannot be used, or another process has it.
    init(folder path: String, log: Log) throws {
        folder = try JobFolder(path)
        self.log = log
        let found = try folder.load()
        jobs = found.jobs
        for name in found.unreadable {
            log.error("a detached request cannot be read", ["file": "\(path)/\(name)"])
        }
    }

    /// Keeps a request and then says so, or why it cannot, from another thread.
    func keep(_ job: DetachedRequest, then tell: @escaping @Sendable (String?) -> Void) {
        lane.run { [folder, log] in
            do {
                try folder.keep(job)
                tell(nil)
            } catch {
                log.error("a detached request cannot be kept", ["error": "\(error)"])
                tell("\(error)")
            }
        }
    }

    /// Forgets a request.
    func forget(_ id: RequestID) {
        lane.run { [folder, log] in
            do {
                try folder.forget(id)
            } catch {
                log.error("a detached request cannot be forgotten", ["error": "\(error)"])
            }
        }
    }

    /// Waits for what is under way.
    func stop() { lane.stopAndWait() }
}
