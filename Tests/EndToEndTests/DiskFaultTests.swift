import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Disks that are full or cannot be written to, under the real command.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct DiskFaultTests {
        /// Sends changes until one is refused, then starts again with space and sends the rest.
        private func run(
            _ path: String, limited: [String], reason: String, makeSpace: () throws -> Void
        ) async throws {
            let changes = AcknowledgedChanges(seed: 8)
            var acknowledged = 0
            for isLimited in [true, false] {
                let deployment = Deployment(folder: path)
                let process = try ServerProcess(
                    [
                        "journal", "--listen", ":\(deployment.port + 2)", "--data",
                        "\(path)/data",
                    ], wrapper: isLimited ? limited : [])
                let router = try ServerProcess([
                    "router", "--listen", ":\(deployment.port)", "--journal",
                    ":\(deployment.port + 2)",
                ])
                try await deployment.untilListening()
                let connection = try RouterConnection.open(deployment.client, name: "producer")
                if isLimited {
                    await changes.send(1_800, over: connection)
                    let refusals = await changes.refusals
                    #expect(refusals.contains { $0.contains(reason) }, "\(refusals.prefix(3))")
                    acknowledged = await changes.positions.count
                    #expect(acknowledged > 20)
                    // It says so for every change from then on, and does not end.
                    let before = await changes.refusals.count
                    await changes.send(6, over: connection)
                    #expect(await changes.refusals.count == before + 6)
                    #expect(process.isRunning)
                } else {
                    await changes.resend(over: connection)
                    await changes.send(12, over: connection)
                    #expect(await changes.positions.count == changes.sent.count)
                }
                connection.close()
                process.killNow()
                router.killNow()
                if isLimited { try makeSpace() }
            }
            let check = SurvivalCheck(sent: await changes.sent, required: await changes.positions)
            #expect(check.faults(in: "\(path)/data/journal") == [])
        }

        @Test func fileThatMayNotGrowStopsTheJournalUntilItMay() async throws {
            try await withTemporaryDirectory { path in
                // Blocks of 512 bytes.
                try await run(
                    path, limited: ["sh", "-c", "ulimit -f 200; exec \"$@\"", "sh"],
                    reason: "File too large"
                ) {}
            }
        }

        @Test func fullDiskStopsTheJournalUntilThereIsSpace() async throws {
            try await withTemporaryDirectory { path in
                let disk = "\(path)/data"
                guard try SmallDisk.mount(disk, "size=1m") else { return }
                defer { SmallDisk.unmount(disk) }
                // It has space once this is gone.
                try Data(count: 500_000).write(to: URL(fileURLWithPath: "\(disk)/ballast"))
                try await run(path, limited: [], reason: "No space left") {
                    try FileManager.default.removeItem(atPath: "\(disk)/ballast")
                }
            }
        }

        @Test func readOnlyDiskIsRefusedForWritingAndReadAsBefore() throws {
            try withTemporaryDirectory { path in
                let disk = "\(path)/data"
                guard try SmallDisk.mount(disk, "size=4m") else { return }
                defer { SmallDisk.unmount(disk) }
                do {
                    _ = try SegmentJournal(
                        folder: "\(disk)/journal", mode: .readWrite, newEpoch: 1)
                }
                #expect(try SmallDisk.mount(disk, "remount,ro"))
                let port = Deployment(folder: path).port
                let writer = try Command.run(
                    ["journal", "--listen", ":\(port)", "--data", disk])
                #expect(writer.status == 5)
                #expect(writer.errors.contains("Read-only file system"), "\(writer)")
                let reader = try Command.run(["journal", "info", "--data", disk])
                #expect(reader.status == 0)
            }
        }
    }
}

/// A small file system of its own, where the test may mount one.
enum SmallDisk {
    /// False if the system does not allow it; faults of the disk are then left to the other tests.
    static func mount(_ path: String, _ options: String) throws -> Bool {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        let result = try Command.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", path], executable: "/usr/bin/env")
        return result.status == 0
    }

    static func unmount(_ path: String) {
        // A test folder that stays mounted ends with the machine.
        _ = try? Command.run(["umount", "-l", path], executable: "/usr/bin/env")
    }
}
