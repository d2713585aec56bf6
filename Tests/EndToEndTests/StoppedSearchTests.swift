import Evaluation
import Foundation
import Journal
import Messages
import Raster
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// A search whose time ends while candidates are compared.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct StoppedSearchTests {
        private static let albums = 60
        private static let triesMax = 30

        /// A white page with a cover in each of 20 places.
        private static func page() -> Bitmap {
            let (width, height, side) = (2_400, 1_600, 220)
            var rgb = [UInt8](repeating: 250, count: 3 * width * height)
            for number in 0..<20 {
                let cover = Covers.cover(seed: UInt64(number + 1)).scaled(maxSide: side)
                let (left, top) = (80 + 460 * (number % 5), 60 + 390 * (number / 5))
                for y in 0..<cover.height {
                    let to = 3 * ((y + top) * width + left)
                    rgb.replaceSubrange(
                        to..<to + 3 * cover.width,
                        with: cover.rgb[3 * y * cover.width..<3 * (y + 1) * cover.width])
                }
            }
            return Bitmap(width: width, height: height, rgb: rgb)
        }

        private func request(_ picture: [UInt8]?, _ budget: UInt32) -> Message {
            let subject: SearchRequest.Subject =
                picture.map { .picture(ContentHash.of($0)) } ?? .none
            let request = SearchRequest(
                subject: subject, region: nil, labels: [], near: nil, locale: nil, platform: nil,
                maxDistance: 1_000_000, types: nil, thumbnails: true)
            var message = Message.request(
                ServiceName.imageSearch, request.json, attachments: picture.map { [$0] } ?? [],
                catalog: CatalogName.main, budgetMilliseconds: budget)
            message.fields.set(.limit, integer: UInt32(100))
            return message
        }

        @Test func whatWasFoundInTimeIsShownWithHowFarItCame() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(Self.albums, to: folder, concertDate: "2027-01-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                let imported = try deployment.run("import", "album", "\(folder)/albums.jsonl")
                #expect(imported.status == 0, "\(imported)")
                let connection = try RouterConnection.open(deployment.client, name: "stopped")
                defer { connection.close() }
                let picture = try Self.page().png()
                let whole = try await connection.request(request(picture, 60_000))
                #expect(whole.isComplete && whole.checked == nil)
                #expect(whole.items.count >= 15)

                let reply = try await stopped(picture, connection, whole)
                let checked = try #require(reply.checked)
                #expect(checked.checked > 0 && checked.checked < checked.all, "\(checked)")
                #expect(!reply.isComplete)
                #expect(reply.missing == [ServiceName.imageSearch])
                let ids = Set(reply.items.compactMap { $0["id"]?.text })
                #expect(ids.isSubset(of: whole.items.compactMap { $0["id"]?.text }))
                #expect(!ids.isEmpty || checked.checked < 30)
            }
        }

        /// The reply to a search that its deadline stopped: with budgets from near what decoding
        /// needs, until one ends while candidates are compared.
        private func stopped(
            _ picture: [UInt8], _ connection: RouterConnection, _ whole: Reply
        ) async throws -> Reply {
            let stages = whole.diagnostics?["parts"]?.array?.first?["stages"]?.text ?? ""
            let times = Dictionary(
                stages.split(separator: ",").compactMap { stage -> (String, Int)? in
                    let parts = stage.split(separator: "=")
                    return parts.count == 2 ? (String(parts[0]), Int(parts[1]) ?? 0) : nil
                }, uniquingKeysWith: { $1 })
            let (decode, print) = (times["decode"] ?? 0, times["print"] ?? 0)
            var budget = (decode + print + (times["match"] ?? 0) / 2) / 1_000 + 15
            for _ in 0..<Self.triesMax {
                // Many that are fast, or the router would refuse a budget below the median.
                for _ in 0..<8 { _ = try await connection.request(request(nil, 5_000)) }
                do {
                    let reply = try await connection.request(request(picture, UInt32(budget)))
                    if reply.checked != nil { return reply }
                    budget = reply.isComplete ? budget * 9 / 10 : budget * 11 / 10
                } catch let failure as RequestFailure {
                    #expect(failure.code == .deadlineExceeded, "\(failure)")
                    budget = budget * 11 / 10
                }
            }
            throw RequestFailure.timedOut
        }
    }
}
