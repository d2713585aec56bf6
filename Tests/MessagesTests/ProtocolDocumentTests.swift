import Messages
import TestSupport
import Testing

/// `schemas/PROTOCOL.md` and the code say the same.
@Suite(.timeLimit(.minutes(1)))
struct ProtocolDocumentTests {
    /// The rows of the first table behind a heading, cell by cell.
    private static func table(_ heading: String) throws -> [[String]] {
        let text = String(decoding: try PackageRoot.bytes("schemas/PROTOCOL.md"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == heading })
        return lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
            .dropFirst(2).map { line in
                line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                    .map { cell in
                        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                    }
            }
    }

    @Test func commandsAreTheSame() throws {
        let rows = try Self.table("## 4. Commands")
        let expected = Command.allCases.map { command in
            ["0x" + Hex.encode([command.rawValue]).uppercased(), "\(command)".uppercased()]
        }
        #expect(rows.map { Array($0.prefix(2)) } == expected)
    }

    @Test func fieldsAreTheSame() throws {
        let rows = try Self.table("## 3. Fields")
        let expected = FieldType.allCases.map { ["\($0.rawValue)", "\($0)"] }
        #expect(rows.map { Array($0.prefix(2)) } == expected)
    }

    @Test func errorsAreTheSame() throws {
        let rows = try Self.table("## 9. Errors")
        #expect(rows.map { $0[0] } == ErrorCode.allCases.map(\.rawValue))
        #expect(rows.allSatisfy { ["final", "retry"].contains($0[1]) && !$0[2].isEmpty })
    }

    @Test func faultsAreTheSame() throws {
        let rows = try Self.table("### What makes a message malformed")
        #expect(Set(rows.map { $0[0] }) == Set(WireError.Code.allCases.map(\.rawValue)))
        #expect(rows.count == WireError.Code.allCases.count)
    }

    @Test func servicesAreTheSame() throws {
        #expect(try Self.table("## 7. Services").map { $0[0] } == ServiceName.all)
    }

    @Test func recordKindsAreTheSame() throws {
        let rows = try Self.table("## 8. Records").map { Array($0.prefix(2)) }
        #expect(rows == RecordKind.allCases.map { [$0.rawValue, $0.stream] })
    }

    @Test func limitsAreTheSame() throws {
        let values = Dictionary(
            uniqueKeysWithValues: Limits.table.map { ($0.name, $0.value) })
        let rows = try Self.table("## 10. Limits")
        #expect(rows.count > 20)
        for row in rows {
            #expect(values[row[0]] == Int64(row[1].filter { $0 != "," }), "\(row[0])")
        }
    }
}
