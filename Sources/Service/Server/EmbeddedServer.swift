import Foundation
import Journal
import Messages
import Sodium

/// A server inside the process on a temporary folder, with a connection to it.
public struct EmbeddedServer: Sendable {
    /// Reaches the server.
    public let connection: RouterConnection
    private let server: Server
    private let folder: String
    /// The epoch of the journal.
    let epoch: UInt64

    /// Starts all roles joined over inproc; nothing listens on the network.
    public static func temporary(log: Log) throws -> EmbeddedServer {
        let folder = temporaryFolder()
        var options = ServerOptions(data: folder)
        options.name = "embedded"
        options.lanes = max(1, ProcessInfo.processInfo.activeProcessorCount)
        let builder = RoleBuilder(options: options, log: log)
        let journal = try builder.openJournal()
        let server = try Server.embedded(
            builder, backend: journal, gate: nil, recorder: nil, listensOn: nil)
        return EmbeddedServer(
            connection: try server.connect(name: "embedded", log: log), server: server,
            folder: folder, epoch: journal.epoch)
    }

    /// Starts all roles, with some workers, on a journal that is only read and seen through a
    /// gate; the replicas are built in a temporary folder.
    static func replaying(
        _ journal: JournalWithKeys, gate: PositionGate, workers: Int, log: Log
    ) throws -> EmbeddedServer {
        let folder = temporaryFolder()
        var options = ServerOptions(data: folder)
        options.name = "replay"
        options.lanes = max(1, ProcessInfo.processInfo.activeProcessorCount / workers)
        let builder = RoleBuilder(options: options, log: log)
        let server = try Server.embedded(
            builder, backend: journal, gate: gate, recorder: nil, listensOn: nil,
            workers: workers)
        return EmbeddedServer(
            connection: try server.connect(name: "replay", log: log), server: server,
            folder: folder, epoch: journal.epoch)
    }

    /// A new folder name for temporary files.
    static func temporaryFolder() -> String {
        NSTemporaryDirectory() + "sightline-" + Hex.encode(SecureRandom.bytes(8))
    }

    init(connection: RouterConnection, server: Server, folder: String, epoch: UInt64) {
        self.connection = connection
        self.server = server
        self.folder = folder
        self.epoch = epoch
    }

    /// Stops everything and removes the folder.
    public func stop() {
        connection.close()
        server.drain()
        server.join()
        // Nothing is lost if a temporary folder stays behind.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
