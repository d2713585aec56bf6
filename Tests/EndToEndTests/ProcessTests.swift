import Foundation
import Journal
import Messages
import Queue
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Journal, router and workers as processes of their own.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct ProcessTests {
        /// Roles with six albums, and the search messages for their photos.
        private func withRoles(
            _ body: (Deployment, String, RouterConnection) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(6, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 2)
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                #expect(
                    try deployment.run("import", "concert", "\(folder)/concerts.jsonl").status == 0)
                let connection = try RouterConnection.open(deployment.client, name: "test")
                defer { connection.close() }
                try await body(deployment, folder, connection)
            }
        }

        /// A search with a picture, answered for a fixed instant.
        private func search(_ path: String) throws -> Message {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            var message = Message.request(
                ServiceName.imageSearch,
                SearchRequest(subject: .picture(ContentHash.of(bytes))).json, attachments: [bytes],
                budgetMilliseconds: 2_000)
            message.fields.asOf = Timestamp(milliseconds: 1_796_126_400_000)
            return message
        }

        private func searches(_ folder: String) throws -> [Message] {
            try (1...6).map { try search("\(folder)/photo-\($0).jpg") }
        }

        /// The canonical body of each reply, undisturbed.
        private func expected(
            _ searches: [Message], _ connection: RouterConnection
        ) async throws -> [[UInt8]] {
            var bodies: [[UInt8]] = []
            for search in searches {
                let reply = try await connection.request(search)
                #expect(reply.isComplete)
                bodies.append(reply.message.body)
            }
            let found = bodies.count { $0 != Array("[]".utf8) }
            #expect(found * 100 >= searches.count * 98)
            return bodies
        }

        /// Searches two at a time; `meanwhile` runs when half of them are done.
        private func run(
            _ count: Int, of searches: [Message], _ connection: RouterConnection,
            expected: [[UInt8]], meanwhile: @Sendable () throws -> Void = {}
        ) async throws {
            var done = 0
            try await withThrowingTaskGroup(of: (Int, Reply, Duration).self) { group in
                func begin(_ index: Int) {
                    let message = searches[index % searches.count]
                    group.addTask {
                        let clock = ContinuousClock()
                        let start = clock.now
                        let reply = try await connection.request(message)
                        return (index, reply, clock.now - start)
                    }
                }
                begin(0)
                begin(1)
                while let (index, reply, elapsed) = try await group.next() {
                    done += 1
                    #expect(reply.isComplete, "search \(index) misses \(reply.missing)")
                    let wanted = expected[index % searches.count]
                    #expect(reply.message.body == wanted, "search \(index) differs")
                    #expect(elapsed < .milliseconds(2_000), "search \(index) is late")
                    if done == count / 2 { try meanwhile() }
                    if done + 1 < count { begin(done + 1) }
                }
            }
            #expect(done == count)
        }

        @Test(.needsShared) func killedWorkerChangesNoAnswerOfAHundredCovers() async throws {
            let covers = try SharedFolder.require() + "/smvs-dvd/dvd_covers"
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 2)
                let imported = try deployment.run(
                    "import", "movie", "--pictures", "\(covers)/Reference")
                #expect(imported.output.hasPrefix("imported 100,"), "\(imported)")
                let connection = try RouterConnection.open(deployment.client, name: "test")
                defer { connection.close() }
                let photos = try (1...100).map { number in
                    try search("\(covers)/Canon/\(String(format: "%03d", number)).jpg")
                }
                let expected = try await expected(photos, connection)
                let victim = try deployment.process("worker-1").identifier
                try await run(200, of: photos, connection, expected: expected) {
                    kill(victim, SIGKILL)
                }
            }
        }

        @Test func killedWorkerChangesNoAnswer() async throws {
            try await withRoles { deployment, folder, connection in
                let searches = try searches(folder)
                let expected = try await expected(searches, connection)
                let victim = try deployment.process("worker-1").identifier
                try await run(200, of: searches, connection, expected: expected) {
                    kill(victim, SIGKILL)
                }
            }
        }

        @Test func terminatedWorkerLosesNothing() async throws {
            try await withRoles { deployment, folder, connection in
                let searches = try searches(folder)
                let expected = try await expected(searches, connection)
                let worker = try deployment.process("worker-2")
                let identifier = worker.identifier
                try await run(60, of: searches, connection, expected: expected) {
                    kill(identifier, SIGTERM)
                }
                #expect(worker.wait() == 0)
            }
        }

        @Test func lateWorkerAnswersLikeTheOthers() async throws {
            try await withRoles { deployment, folder, connection in
                let searches = try searches(folder)
                let expected = try await expected(searches, connection)
                try deployment.startWorker("worker-3")
                try await deployment.untilAnswering(workers: 3)
                try deployment.process("worker-1").killNow()
                try deployment.process("worker-2").killNow()
                // Two deaths would end a request; this is about what the third worker answers.
                try await deployment.untilWorkers(are: 1)
                try await run(12, of: searches, connection, expected: expected)
            }
        }

        @Test func partsAreMergedAndALostOneIsNamed() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(2, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 0)
                try deployment.startWorker("albums", ["--type", "album"])
                try deployment.startWorker("movies", ["--type", "movie"])
                try await deployment.untilAnswering(workers: 2)
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                let movie = """
                    {"id":"film-1","properties":{"title":"Film"},"pictures":["cover-1.png"]}
                    """
                try Covers.save(Array(movie.utf8), "\(folder)/movies.jsonl")
                #expect(try deployment.run("import", "movie", "\(folder)/movies.jsonl").status == 0)
                let both = try deployment.run("search", "\(folder)/cover-1.png", "--json")
                let items = try #require(
                    JSONValue(parsing: Array(both.output.utf8))["results"]?.array)
                #expect(items.map { $0["id"]?.text } == ["album-1", "film-1"])
                #expect(both.status == 0)
                try deployment.process("movies").killNow()
                let rest = try deployment.run(
                    "search", "\(folder)/cover-1.png", "--json", "--deadline", "1500ms")
                let document = try JSONValue(parsing: Array(rest.output.utf8))
                #expect(document["results"]?.array?.map { $0["id"]?.text } == ["album-1"])
                #expect(document["complete"]?.bool == false)
                #expect(document["missing"]?.array?.compactMap(\.text) == ["types=movie"])
                #expect(rest.status == 1)
            }
        }
    }
}
