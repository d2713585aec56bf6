import Messages
import TestSupport
import Testing

/// The limits fit together, and the table tells all of them.
@Suite(.timeLimit(.minutes(1)))
struct LimitsTests {
    /// Name and doc comment of every constant of `Limits.swift`.
    private static func declared() throws -> [(name: String, meaning: String)] {
        let source = String(
            decoding: try PackageRoot.bytes("Sources/Messages/Limits.swift"), as: UTF8.self)
        var result: [(String, String)] = []
        var comment: [Substring] = []
        for line in source.split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("/// ") {
                comment.append(text.dropFirst(4))
            } else {
                if text.hasPrefix("public static let ") {
                    let name = text.dropFirst(18).prefix { $0.isLetter || $0.isNumber }
                    result.append((String(name), comment.joined(separator: " ")))
                }
                comment = []
            }
        }
        return result
    }

    @Test func tableHasEveryLimitOnceAndWithItsMeaning() throws {
        let declared = try Self.declared()
        let rows = Dictionary(grouping: Limits.table, by: \.name)
        for (name, meaning) in declared {
            let row = "Limit(\"\(name)\", \(name), .count, \"\(meaning)\"),"
            #expect(rows[name]?.map(\.meaning) == [meaning], "Limits+Table.swift needs \(row)")
        }
        #expect(Limits.table.map(\.name) == declared.map(\.name))
    }

    @Test func tableHasPositiveValues() {
        for limit in Limits.table { #expect(limit.value > 0, "\(limit.name)") }
        #expect(Limits.table.first?.value == 33_554_432)
    }

    @Test func sizesFitIntoOneAnother() {
        #expect(Limits.nameBytesMax >= 4 * Limits.errorTextCharactersMax)
        #expect(Limits.frameBytesMax <= Limits.messageBytesMax)
        #expect(Limits.messageBytesMax <= Limits.inFlightBytesMax)
        #expect(Limits.bodyBytesMax <= Limits.recordBytesMax)
        #expect(Limits.resourceBytesMax <= Limits.bodyBytesMax)
        #expect(Limits.labelBytesMax <= Limits.nameBytesMax)
        #expect(Limits.pictureBytesMax <= Limits.frameBytesMax)
        #expect(Limits.blobBytesMax <= Limits.frameBytesMax)
        #expect(Limits.recordBytesMax <= Limits.tailBytesMax)
        #expect(Limits.recordBytesMax <= Limits.segmentBytesMax)
        // One record beyond the soft bound of a TAIL still fits a message with one blob.
        #expect(Limits.tailBytesMax + Limits.blobBytesMax <= Limits.messageBytesMax)
        // The list of a change's blobs fits the frames of its message beside header and body.
        #expect(Limits.blobsPerRecordMax + 2 <= Limits.framesMax)
        #expect(
            Limits.picturesPerEntityMax * (2 + Limits.printVersionsMax)
                <= Limits.blobsPerRecordMax)
    }

    @Test func readmeRepeatsTheTable() throws {
        let readme = String(decoding: try PackageRoot.bytes("README.md"), as: UTF8.self)
        for limit in Limits.table {
            let row = "| `\(limit.name)` | \(limit.value) | \(limit.unit.rawValue) |"
            #expect(readme.contains(row), "README.md lacks \(row)")
        }
    }

    @Test func sortKeysFitTheirLength() {
        // Section, distance, type 0, id 0; a child adds weight, type 0, id 0: 2 bytes of length.
        let one = 5 + 2 * (Limits.nameBytesMax + 1)
        #expect(2 * one <= Int(UInt16.max))
    }

    @Test func timesFitIntoOneAnother() {
        let silence = UInt64(Limits.pingIntervalMilliseconds) * Limits.missedPingsMax
        #expect(silence <= 750)
        #expect(silence < Limits.partMemoryMilliseconds)
        #expect(Limits.budgetMillisecondsMin <= Limits.budgetMillisecondsMax)
        #expect(Limits.resultsDefault <= Limits.resultsMax)
        #expect(Limits.distanceDefault <= Limits.distanceMax)
        #expect(Limits.upcomingDaysDefault <= Limits.upcomingDaysMax)
        #expect(Limits.inFlightPerClientMax <= Limits.inFlightMax)
    }
}
