import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// One catalog over several workers, each with some of its slots.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct SlotTests {
        private static let albums = 40
        private static let asOf = Timestamp(milliseconds: 1_796_000_000_000)

        private func search(
            _ picture: String, _ connection: RouterConnection, budget: UInt32 = 20_000,
            limit: UInt32 = 10, leastShare: UInt32? = nil
        ) async throws -> Reply {
            let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: picture)))
            let request = SearchRequest(
                subject: .picture(ContentHash.of(bytes)), region: nil, labels: [], near: nil,
                locale: nil, platform: nil, maxDistance: 2_000_000, types: nil, thumbnails: true)
            var message = Message.request(
                ServiceName.imageSearch, request.json, attachments: [bytes],
                catalog: CatalogName.main, budgetMilliseconds: budget)
            message.fields.set(.limit, integer: limit)
            message.fields.set(.leastShare, integer: leastShare)
            message.fields.asOf = Self.asOf
            return try await connection.request(message)
        }

        private func fill(_ deployment: Deployment) throws {
            for (type, file) in [("album", "albums"), ("concert", "concerts")] {
                let imported = try deployment.run(
                    "import", type, "\(deployment.folder)/\(file).jsonl")
                #expect(imported.status == 0, "\(imported)")
            }
        }

        /// Whether the entity that an item stands for, or follows from, is in some slots.
        private func isIn(_ slots: SlotRange, _ item: JSONValue) -> Bool {
            let id = item["parent"]?["id"]?.text ?? item["id"]?.text ?? ""
            return slots.contains(id: id)
        }

        @Test func slotsFindTogetherWhatOneCatalogFindsAndApartTheirShare() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(
                    Self.albums, to: folder, concertDate: "2027-01-20T19:00:00Z", side: 200)
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                try fill(deployment)
                let connection = try RouterConnection.open(deployment.client, name: "slots")
                defer { connection.close() }
                let pictures = [1, 2, 17, 40].map { "\(folder)/photo-\($0).jpg" }
                let all = pictures + ["\(folder)/cover-9.png", "\(folder)/stranger.jpg"]
                var whole: [String: Reply] = [:]
                for picture in all {
                    let reply = try await search(picture, connection)
                    #expect(reply.isComplete)
                    whole[picture] = reply
                }

                try deployment.startWorker("low", ["--slots", "0-31"])
                try deployment.startWorker("high", ["--slots", "32-63"])
                try await deployment.untilAnswering(workers: 3)
                try deployment.process("worker-1").terminate()
                try await deployment.untilWorkers(are: 2)
                for picture in all {
                    let reply = try await search(picture, connection)
                    let expected = try #require(whole[picture])
                    #expect(reply.isComplete, "\(reply.missing)")
                    #expect(reply.message.body == expected.message.body)
                    #expect(
                        reply.message.fields.attachmentHashes
                            == expected.message.fields.attachmentHashes)
                    checkStages(reply)
                }
                try await checkStalled(deployment, connection, pictures[0], whole)
            }
        }

        /// The picture was decoded for both parts by whoever prepared it.
        private func checkStages(_ reply: Reply) {
            let parts = reply.diagnostics?["parts"]?.array ?? []
            let names = parts.compactMap { $0["part"]?.text }
            #expect(names == ["search.prepare", "slots=0-31", "slots=32-63"])
            let decoding = parts.filter { $0["stages"]?.text?.contains("decode") == true }
            #expect(decoding.compactMap { $0["part"]?.text } == ["search.prepare"])
        }

        private func checkStalled(
            _ deployment: Deployment, _ connection: RouterConnection, _ picture: String,
            _ whole: [String: Reply]
        ) async throws {
            let high = try deployment.process("high")
            kill(high.identifier, SIGSTOP)
            defer { kill(high.identifier, SIGCONT) }
            let low = try #require(SlotRange(0, 31))
            let reply = try await search(picture, connection, budget: 4_000)
            #expect(!reply.isComplete)
            #expect(reply.missing == ["slots=32-63"])
            let expected = try #require(whole[picture]).items.filter { isIn(low, $0) }
            // Of the rest there is at least as much as the whole's list shows of it.
            #expect(Array(reply.items.prefix(expected.count)) == expected)
            #expect(reply.items.allSatisfy { isIn(low, $0) })
            do {
                _ = try await search(picture, connection, budget: 2_000, leastShare: 51)
                Issue.record("half of the slots are taken for 51 %")
            } catch let failure as RequestFailure {
                #expect(failure.code == .incomplete)
                #expect(failure.description.contains("missing: slots=32-63"))
            }
            let half = try await search(picture, connection, budget: 2_000, leastShare: 50)
            #expect(half.missing == ["slots=32-63"])
            let told = try deployment.run(
                "search", picture, "--least-share", "80", "--deadline", "1s")
            #expect(told.status == 4)
            #expect(told.errors.contains("INCOMPLETE"), "\(told)")
            kill(high.identifier, SIGCONT)
            try await deployment.untilWorkers(are: 2)
            #expect(try await search(picture, connection).isComplete)
        }

        @Test func slotsThatNobodyHasAreNamed() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(2, to: folder, concertDate: "2027-01-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try deployment.startJournal()
                try deployment.startRouter()
                try deployment.startWorker("low", ["--slots", "0-15"])
                try await deployment.untilAnswering(workers: 1)
                let found = try deployment.run("search", "\(folder)/photo-1.jpg")
                #expect(found.status == 1, "\(found)")
                #expect(found.output.contains("slots=16-63"), "\(found)")
                let wrong = try Command.run(["worker", "--slots", "3-64"])
                #expect(wrong.status == 2)
                #expect(wrong.errors.contains("0-63"), "\(wrong)")
                let both = try Command.run(["worker", "--slots", "0-3", "--type", "album"])
                #expect(both.status == 2)
            }
        }
    }
}
