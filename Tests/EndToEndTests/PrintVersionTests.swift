import Foundation
import Journal
import Messages
import Raster
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// A version of prints is built beside the old one and taken into use at one position.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct PrintVersionTests {
        /// Puts an album as another version of the program would have: with a print that this one
        /// cannot compare.
        private func putWithOldPrint(
            _ number: Int, in folder: String, _ connection: RouterConnection
        ) async throws -> Position {
            let picture = try Covers.cover(seed: UInt64(number)).jpeg(quality: 90)
            let print = Array("print \(number) of another version".utf8)
            let name = EntityName(type: "album", id: "old-\(number)")
            let entity = EntityPut(
                entity: name,
                properties: ["name": .string("Old \(number)"), "artistName": .string("A")],
                pictures: [
                    EntityPut.Picture(
                        picture: ContentHash.of(picture),
                        prints: ["slx": ContentHash.of(print)])
                ])
            return try await connection.change(
                .change(
                    .entityPut, entity.json, source: "test", id: name.id, partitionKey: name.id,
                    catalog: CatalogName.main, blobs: [(.picture, picture), (.print, print)],
                    budgetMilliseconds: 5_000))
        }

        private func use(_ version: String, _ connection: RouterConnection) async throws {
            try await connection.change(
                .change(
                    .printUse, PrintUse(version: version).json, source: "test", id: version,
                    partitionKey: "print.use", budgetMilliseconds: 5_000))
        }

        /// Prints of the catalog by version.
        private func prints(_ data: String) throws -> [String: Int] {
            let info = try Command.run(["catalog", "info", "--json", "--data", data])
            let prints = try JSONValue(parsing: Array(info.output.utf8))["prints"]?.object
            return prints?.compactMapValues(\.integer) ?? [:]
        }

        @Test func printsAreBuiltBesideTheOldOnesAndSwitchedAtOnePosition() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(3, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let server = Deployment(folder: folder)
                try await server.serve()
                #expect(try server.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                let version = try #require(try prints("\(folder)/data").keys.first)
                let connection = try RouterConnection.open(server.client, name: "test")
                defer { connection.close() }
                for number in 11...13 {
                    _ = try await putWithOldPrint(number, in: folder, connection)
                }
                #expect(try prints("\(folder)/data") == [version: 3, "slx": 3])
                try Covers.save(try Covers.photo(seed: 12), "\(folder)/photo.jpg")
                let search = ["search", "\(folder)/photo.jpg", "--deadline", "1s"] + server.connect
                #expect(try Command.run(search).output.hasPrefix("no match"))

                // While another version is compared, a worker of this one answers nothing.
                try await use("slx", connection)
                let waiting = try Command.run(search)
                #expect(waiting.status != 0, "\(waiting)")
                let rebuild = ["catalog", "rebuild", "--data", "\(folder)/data"] + server.connect
                let built = try Command.run(rebuild + ["--no-switch"])
                #expect(built.output == "made 3 prints of version \(version)\n", "\(built)")
                #expect(try prints("\(folder)/data") == [version: 6, "slx": 3])
                #expect(try Command.run(search).status != 0)

                // Nothing is left to make; from one position on this version is compared.
                let switched = try Command.run(rebuild)
                #expect(switched.status == 0, "\(switched)")
                #expect(
                    switched.output.hasPrefix(
                        "made 0 prints of version \(version)\n"
                            + "searches compare \(version) from position "), "\(switched)")
                let found = try Command.run(search)
                #expect(found.output.contains("Old 12"), "\(found)")

                let dropped = try Command.run(rebuild + ["--drop-old"])
                #expect(dropped.output.hasSuffix("dropped others of 3 entities\n"), "\(dropped)")
                #expect(try prints("\(folder)/data") == [version: 6])
                try await restart(server)
                #expect(try Command.run(search).output.contains("Old 12"))
            }
        }

        private func restart(_ server: Deployment) async throws {
            try server.process("serve").terminate()
            #expect(try server.process("serve").wait() == 0)
            try await server.serve()
        }

        @Test func statedVersionIsInSnapshotsAndReplicas() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(1, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let server = Deployment(folder: folder)
                try await server.startRoles(workers: 1, journal: ["--snapshot-every", "2"])
                #expect(try server.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                let version = try #require(try prints("\(folder)/journal").keys.first)
                let connection = try RouterConnection.open(server.client, name: "test")
                defer { connection.close() }
                try await use("slx", connection)
                try await server.untilWorkers(are: 0)
                _ = try await putWithOldPrint(11, in: folder, connection)
                // One that starts from a snapshot, or from its own file, knows it too.
                try server.startWorker("worker-2")
                try server.process("worker-1").killNow()
                try server.startWorker("worker-1")
                try await Task.sleep(for: .seconds(2))
                try await server.untilWorkers(are: 0)
                try await use(version, connection)
                try await server.untilWorkers(are: 2)
                let found = try server.run("search", "\(folder)/photo-1.jpg")
                #expect(found.output.contains("Record 1"), "\(found)")
            }
        }
    }
}
