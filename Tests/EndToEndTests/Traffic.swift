import Foundation
import Journal
import Messages
import Service
import TestSupport

/// Requests and changes in any number for a server with the covers of `Covers.write`.
struct Traffic {
    /// The instant that every request is for.
    static let asOf = "2026-12-01T12:00:00Z"
    static let concertDate = "2026-12-20T19:00:00Z"
    private let connection: RouterConnection
    private let print: [UInt8]
    private let printVersion: String?
    private var random = SeededRandom(seed: 15)

    /// Makes the print that searches are made with.
    init(_ connection: RouterConnection, photo: [UInt8]) async throws {
        self.connection = connection
        let made = try await connection.request(
            .request(
                ServiceName.printMake,
                PrintRequest(
                    subject: .picture(ContentHash.of(photo)), region: nil, source: false,
                    thumbnail: false
                ).json, attachments: [photo], budgetMilliseconds: 10_000))
        let hash = made.items.first?["print"]?.text.flatMap { ContentHash(hex: $0) }
        print = hash.flatMap { made.attachment($0) } ?? []
        printVersion = made.message.fields.text(.printVersion)
    }

    /// Sends so many requests, eight at a time, with a change behind every 20.
    mutating func send(_ count: Int) async throws {
        for start in stride(from: 0, to: count, by: 20) {
            let requests = (start..<min(start + 20, count)).map { request($0) }
            for batch in stride(from: 0, to: requests.count, by: 8) {
                await withTaskGroup(of: Void.self) { group in
                    for request in requests[batch..<min(batch + 8, requests.count)] {
                        group.addTask { [connection] in _ = await connection.send(request) }
                    }
                }
            }
            try await change(start / 20)
        }
    }

    private mutating func request(_ number: Int) -> Message {
        let album = EntityName(
            type: "album", id: "album-\(Int.random(in: 1...6, using: &random))")
        var request: Message
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            request = .request(
                ServiceName.imageSearch, SearchRequest(subject: .print(ContentHash.of(print))).json,
                attachments: [print], budgetMilliseconds: 10_000)
            request.fields.set(.printVersion, text: printVersion)
        case 1...3:
            request = .request(
                ServiceName.entityGet, EntityGetRequest(entities: [album]).json,
                budgetMilliseconds: 10_000)
        case 4, 5:
            request = .request(ServiceName.intentOpen, album.json, budgetMilliseconds: 10_000)
        default:
            request = .request(
                ServiceName.entityList, EntityListRequest(type: nil, after: nil).json,
                budgetMilliseconds: 10_000)
        }
        request.fields.asOf = InstantText.parse(Self.asOf)
        return request
    }

    private mutating func change(_ number: Int) async throws {
        let concert = EntityName(type: "concert", id: "more-\(number % 5)")
        guard number % 3 != 2 else {
            try await connection.change(
                .entityRemove(concert, catalog: CatalogName.main, budgetMilliseconds: 10_000))
            return
        }
        let put = EntityPut(
            entity: concert,
            properties: [
                "name": .string("Evening \(number)"), "artistName": .string("Artist 2"),
                "date": .string(Self.concertDate),
            ])
        try await connection.change(
            .change(
                .entityPut, put.json, source: "test", id: "\(number)",
                partitionKey: "main/concert/\(concert.id)", catalog: CatalogName.main,
                budgetMilliseconds: 10_000))
    }
}

/// A message log, written again with other times.
enum Recording {
    /// Copies a log and changes each exchange on the way; `change` gets its index from 0.
    static func copy(
        _ folder: String, to copy: String, _ change: (Int, inout RecordedExchange) -> Void
    ) throws {
        let writer = try MessageLogWriter(folder: copy, newEpoch: 1)
        var index = 0
        try MessageLogReader(folder: folder).forEach { entry in
            guard case .exchange(var exchange, nil) = entry.content else { return }
            change(index, &exchange)
            index += 1
            try writer.append([.plain(exchange)])
        }
        try writer.sync()
    }

    /// The number of the last entry.
    static func last(_ folder: String) throws -> UInt64 {
        try MessageLogReader(folder: folder).last
    }

    /// Nanoseconds from the first request to the last.
    static func span(_ folder: String) throws -> UInt64 {
        try MessageLogSummary(of: MessageLogReader(folder: folder)).spanNanoseconds
    }
}
