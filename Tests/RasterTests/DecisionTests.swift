import Foundation
import Raster
import TestSupport
import Testing

/// Each odd file is opened, or refused for the reason that `Fixtures/odd-decisions.tsv` writes down.
struct DecisionTests {
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 50_000_000)

    @Test(.needsShared)
    func everyOddFileHasTheOutcomeThatIsWrittenDown() throws {
        let table = try HEIFTests.fixture("odd-decisions.tsv")
        let rows = String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst()
        var decisions: [String: String] = [:]
        for row in rows {
            let cells = row.split(separator: "\t").map(String.init)
            #expect(cells.count == 3, "\(row)")
            decisions[cells[0]] = cells[1]
        }
        for row in try SharedFolder.rows("odd.tsv") {
            let decision = decisions[row[0]] ?? "opened"
            #expect(try outcome(row[0]) == decision, "\(row[0])")
            // What another reader takes needs no word; the rest does.
            #expect(row[8] == "ok" || decisions[row[0]] != nil, "\(row[0])")
        }
    }

    private func outcome(_ path: String) throws -> String {
        let bytes = try SharedFolder.bytes(path)
        do throws(RasterError) {
            _ = try Picture.decode(.encoded(bytes), maxSide: 320, limits: Self.limits)
            return "opened"
        } catch {
            return error.code.rawValue
        }
    }
}
