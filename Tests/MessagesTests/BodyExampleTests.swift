import Foundation
import Messages
import TestSupport
import Testing

/// The Swift types agree with the JSON schemas on every example of a request or change.
@Suite(.timeLimit(.minutes(1)))
struct BodyExampleTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        /// Reads the document and writes it again.
        let reread: @Sendable (JSONValue) throws -> JSONValue
        var testDescription: String { name }

        init<Body: JSONBody>(_ name: String, _: Body.Type) {
            self.name = name
            reread = { value in
                let body = try Body(parsing: value)
                guard try Body(parsing: body.bytes) == body else {
                    throw JSONError("what was written is read as something else")
                }
                return body.json
            }
        }
    }

    static let kinds = [
        Kind(ServiceName.imageSearch, SearchRequest.self),
        Kind(ServiceName.printMake, PrintRequest.self),
        Kind(ServiceName.entityGet, EntityGetRequest.self),
        Kind(ServiceName.entityList, EntityListRequest.self),
        Kind(ServiceName.typeCheck, TypeCheckRequest.self),
        Kind(ServiceName.intentOpen, OpenRequest.self),
        Kind(ServiceName.searchContinue, ContinueRequest.self),
        Kind(ServiceName.calendarUpcoming, UpcomingRequest.self),
        Kind(ServiceName.contactQuery, ContactQuery.self),
        Kind(ServiceName.healthQuery, HealthQuery.self),
        Kind(ServiceName.accountExport, AccountExportRequest.self),
        Kind(ServiceName.status, StatusRequest.self),
        Kind(RecordKind.entityPut.rawValue, EntityPut.self),
        Kind(RecordKind.entityRemove.rawValue, EntityRemove.self),
        Kind(RecordKind.printPut.rawValue, PrintPut.self),
        Kind(RecordKind.printUse.rawValue, PrintUse.self),
        Kind(RecordKind.calendarChange.rawValue, CalendarChange.self),
        Kind(RecordKind.calendarAccess.rawValue, CalendarAccess.self),
        Kind(RecordKind.zoneDeclare.rawValue, ZoneDeclare.self),
        Kind(RecordKind.contactChange.rawValue, ContactChange.self),
        Kind(RecordKind.contactAccess.rawValue, ContactAccess.self),
        Kind(RecordKind.healthChange.rawValue, HealthChange.self),
        Kind(RecordKind.healthAccess.rawValue, HealthAccess.self),
        Kind(RecordKind.accountErase.rawValue, AccountErase.self),
    ]

    @Test func everyServiceAndRecordKindIsHere() {
        // The entity type's document is the catalog's to read.
        let kinds = RecordKind.allCases.filter { $0 != .typeDeclare }.map(\.rawValue)
        #expect(Self.kinds.map(\.name) == ServiceName.all + kinds)
    }

    @Test(arguments: kinds)
    func validExamplesAreAccepted(_ kind: Kind) throws {
        for (file, value) in try Self.examples(kind.name, "valid") {
            #expect(throws: Never.self, "\(file)") { try kind.reread(value) }
        }
    }

    @Test(arguments: kinds)
    func invalidExamplesAreRefusedWithAReason(_ kind: Kind) throws {
        for (file, value) in try Self.examples(kind.name, "invalid") {
            let error = #expect(throws: JSONError.self, "\(file)") { try kind.reread(value) }
            #expect((error?.description.count ?? 0) > 10, "\(file)")
        }
    }

    private static func examples(
        _ name: String, _ kind: String
    ) throws -> [(file: String, value: JSONValue)] {
        let folder = "schemas/examples/" + name
        let files = try FileManager.default.contentsOfDirectory(
            atPath: PackageRoot.path(folder)
        ).filter { $0.hasPrefix(kind + "-") }.sorted()
        try #require(!files.isEmpty)
        return try files.map { file in
            (file, try JSONValue(parsing: PackageRoot.bytes(folder + "/" + file)))
        }
    }
}
