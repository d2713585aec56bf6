import Journal
import Matching
import Messages
import Service

/// What is stored in the benchmarks: the same for the same number.
enum Samples {
    static let type = "album"
    static let source = "bench"

    /// The declaration of the type that the entities have.
    static func typeDeclaration() throws -> Message {
        let json = try JSONValue(parsing: Array(typeText.utf8))
        return .change(
            .typeDeclare, json, source: source, id: "type", partitionKey: type,
            budgetMilliseconds: 10_000)
    }

    /// A change that puts an entity; about 600 bytes as a record.
    ///
    /// - Parameters:
    ///   - number: Names the entity.
    ///   - turn: Of several puts of one entity, so that each is a change of its own.
    ///   - prints: Hashes of prints that are stored already, or that `blobs` brings.
    static func put(
        _ number: Int, turn: Int = 0, prints: [ContentHash] = [], blobs: [[UInt8]] = [],
        labels: [String] = []
    ) -> Message {
        var entity = EntityPut(
            entity: name(number), properties: properties(number, turn: turn), labels: labels,
            revision: "\(ContentHash.of(Array("\(number)/\(turn)".utf8)))")
        entity.pictures = prints.map {
            EntityPut.Picture(picture: nil, prints: [ServiceVersions.featurePrint: $0])
        }
        var message = Message.change(
            .entityPut, entity.json, source: source, id: "main/album/\(number)/\(turn)",
            partitionKey: "main/album/\(number)", catalog: CatalogName.main,
            budgetMilliseconds: 10_000)
        message.fields.blobs = entity.blobs
        message.fields.attachmentHashes = blobs.map(ContentHash.of)
        message.attachments = blobs
        return message
    }

    /// A change that removes an entity.
    static func removal(_ number: Int, turn: Int = 0) -> Message {
        .change(
            .entityRemove, EntityRemove(entity: name(number)).json, source: source,
            id: "remove/\(number)/\(turn)", partitionKey: "main/album/\(number)",
            catalog: CatalogName.main, budgetMilliseconds: 10_000)
    }

    /// A change of a calendar of an account; about 900 bytes as a record, and sealed when stored.
    static func calendarChange(_ number: Int) -> Message {
        let text = """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\nBEGIN:VEVENT\r\n\
            UID:event-\(number)@bench.example\r\nDTSTAMP:20261101T120000Z\r\n\
            DTSTART:20261205T190000Z\r\nDTEND:20261205T213000Z\r\n\
            SUMMARY:Tickets: The Paper Lanterns (\(number))\r\n\
            LOCATION:Kesselhaus\\, Knaackstrasse 97\\, Berlin\r\n\
            DESCRIPTION:Doors open at seven. Bring the printed tickets.\r\n\
            STATUS:CONFIRMED\r\nSEQUENCE:0\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
            """
        let change = CalendarChange(
            calendar: "home", revision: number, zone: "Europe/Berlin", put: [text])
        return .change(
            .calendarChange, change.json, source: source, id: "calendar/\(number)",
            partitionKey: "bench", account: "bench", budgetMilliseconds: 10_000)
    }

    /// The access without which no calendar of the account is taken.
    static func calendarAccess() -> Message {
        .change(
            .calendarAccess, CalendarAccess(status: .fullAccess).json, source: source,
            id: "access", partitionKey: "bench", account: "bench", budgetMilliseconds: 10_000)
    }

    static func name(_ number: Int) -> EntityName {
        EntityName(type: type, id: "album-\(number)")
    }

    private static func properties(_ number: Int, turn: Int) -> [String: JSONValue] {
        [
            "name": .string("Low Tide Radio, volume \(number)"),
            "artistName": .string("The Paper Lanterns \(number % 997)"),
            "genres": .array([.string("indie folk"), .string("chamber pop")]),
            "note": .string("Second pressing \(turn), 180 g, gatefold sleeve with lyrics"),
        ]
    }

    private static let typeText = """
        {"type":"album","version":1,"display":{"name":{"en":"Album"},"title":"{name}",
        "subtitle":"{artistName}"},"open":"sightline://album/{id}","properties":{
        "name":{"kind":"string","required":true},"artistName":{"kind":"string","required":true},
        "genres":{"kind":"stringList"},"note":{"kind":"string"}}}
        """
}

extension Message {
    /// The record that this change becomes, as a producer states it.
    var record: Record { Record(fields: fields, body: body) }

    /// The entry that a journal stores.
    var journalEntry: JournalEntry {
        JournalEntry(
            record: record, blobs: attachments, recordedTime: Timestamp(milliseconds: 0))
    }
}
