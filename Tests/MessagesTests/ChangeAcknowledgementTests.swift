import Foundation
import Messages
import TestSupport
import Testing

/// What the answer to a change says of the parts that are not applied.
struct ChangeAcknowledgementTests {
    @Test func nothingToSayIsNoBody() {
        #expect(ChangeAcknowledgement().bytes.isEmpty)
        #expect(ChangeAcknowledgement(parsing: []) == ChangeAcknowledgement())
        #expect(ChangeAcknowledgement(parsing: Array("[1]".utf8)) == ChangeAcknowledgement())
    }

    @Test func examplesAreReadAndWrittenAgain() throws {
        for name in ["valid-01", "valid-02"] {
            let bytes = try PackageRoot.bytes("schemas/examples/change.ack/\(name).json")
            let written = ChangeAcknowledgement(parsing: bytes).bytes
            let read = try JSONValue(parsing: bytes)
            // Parts that are not listed are counted, and cannot be written by who did not add them.
            #expect(try JSONValue(parsing: written)["notApplied"] == read["notApplied"])
            #expect(try JSONValue(parsing: written)["total"] == read["total"])
        }
    }

    @Test func theFirstPartsAreToldAndAllCounted() throws {
        var answer = ChangeAcknowledgement()
        for place in 0..<Limits.refusedPartsShown + 20 {
            answer.add(.init(place: place, code: "notACalendar", reason: "no component"))
        }
        #expect(answer.notApplied.count == Limits.refusedPartsShown)
        #expect(answer.notApplied.last?.place == Limits.refusedPartsShown - 1)
        #expect(answer.total == Limits.refusedPartsShown + 20)
        #expect(ChangeAcknowledgement(parsing: answer.bytes) == answer)
    }

    @Test func longNamesAreCutBetweenCharacters() {
        var answer = ChangeAcknowledgement()
        answer.add(
            .init(
                place: 0, id: String(repeating: "ü", count: 2_000), code: "ruleInvalid",
                reason: String(repeating: "x", count: 5_000)))
        #expect(answer.notApplied[0].id == String(repeating: "ü", count: 512))
        #expect(answer.notApplied[0].reason.utf8.count == Limits.nameBytesMax)
    }
}
