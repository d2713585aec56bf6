import Foundation
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// The entity packs with their sample data, which `deploy/samples` draws and writes.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct EntityPackTests {
        private static let python = ProcessInfo.processInfo.environment["SIGHTLINE_PYTHON"]
        private static let day = "2026-12-01"
        private static let asOf = "2026-12-01T12:00:00Z"

        @Test(.enabled(if: python != nil || SharedFolder.isRequired))
        func photographOfEachPackFindsWhatBelongsToIt() async throws {
            let python = try #require(Self.python, "deploy/test sets SIGHTLINE_PYTHON")
            try await withTemporaryDirectory { folder in
                let script = PackageRoot.path("deploy/samples.py")
                let written = try Command.run([script, folder, Self.day], executable: python)
                #expect(written.status == 0, "\(written)")
                let server = Deployment(folder: folder)
                try await server.serve()
                let files = [
                    ("music", "album.jsonl"), ("music", "concert.jsonl"), ("film", "movie.jsonl"),
                    ("film", "soundtrack.jsonl"), ("film", "theater.jsonl"),
                    ("film", "showtime.jsonl"), ("commerce", "product.csv"),
                ]
                for (pack, file) in files {
                    let type = String(file.prefix { $0 != "." })
                    let imported = try server.run(
                        "import", type, "\(folder)/\(pack)/\(file)", "--catalog", pack)
                    #expect(imported.status == 0, "\(file) \(imported)")
                }
                #expect(
                    try found("music", in: folder, server).map(\.name) == [
                        "album/album-1", "concert/concert-4",
                    ])
                #expect(
                    try found("film", in: folder, server).map(\.name) == [
                        "movie/movie-1", "showtime/showtime-1", "showtime/showtime-2",
                        "soundtrack/soundtrack-1",
                    ])
                // The photograph is of the back, which is one of three pictures.
                let products = try found("commerce", in: folder, server)
                #expect(
                    products.map(\.name) == [
                        "product/product-1", "product/product-2", "product/product-3",
                    ])
                #expect(products[0].title == "Kessel Eins")
                #expect(products[0].route == "sightline://product/KT-100")
            }
        }

        private struct Found {
            let name: String
            let title: String
            let route: String
        }

        private func found(
            _ pack: String, in folder: String, _ server: Deployment
        ) throws -> [Found] {
            let result = try server.run(
                "search", "\(folder)/\(pack)/photo.jpg", "--catalog", pack, "--json", "--as-of",
                Self.asOf, "--near", "52.52,13.40", "--locale", "de_DE")
            let items = try JSONValue(parsing: Array(result.output.utf8))["results"]?.array ?? []
            return items.map { item in
                Found(
                    name: "\(item["type"]?.text ?? "")/\(item["id"]?.text ?? "")",
                    title: item["display"]?["title"]?.text ?? "",
                    route: item["route"]?.text ?? "")
            }
        }
    }
}
