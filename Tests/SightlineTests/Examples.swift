import Foundation
import Sightline

// The examples of Sources/Sightline/Sightline.docc, which a test finds here word for word.

struct AlbumProperties: Decodable, Sendable {
    let name: String
    let artistName: String?
}

func printAlbums(in photo: Data) async throws {
    let client = try await SightlineClient.connect(to: "127.0.0.1:5570")
    let results = try await client.search(photo, as: AlbumProperties.self)
    for album in results.items where album.kind == .match {
        print(album.properties.name, album.properties.artistName ?? "", album.route)
    }
    if !results.isComplete { print("missing: \(results.missing)") }
    await client.close()
}

func nearbyConcerts(_ photo: Data, _ client: SightlineClient) async throws -> [String] {
    var search = PictureSearch(picture: photo)
    search.near = (latitude: 52.52, longitude: 13.40)
    search.types = ["album", "concert"]
    search.limit = 20
    return try await client.search(search).items
        .filter { $0.kind == .related }
        .map(\.display.title)
}

func searchWithinHalfASecond(
    _ photo: Data, _ client: SightlineClient
) async throws -> [String] {
    try await Deadline.within(.milliseconds(500)) {
        async let matches = client.search(photo)
        async let labels = client.search(PictureSearch(labels: ["building"]))
        return try await (matches.items + labels.items).map(\.id)
    }
}

func firstAnswer(_ photo: Data, _ client: SightlineClient) async throws -> String? {
    let search = Task { try await client.search(photo).items.first?.route }
    // The view is gone: the server hears CANCEL and stops.
    search.cancel()
    do {
        return try await search.value
    } catch let error as SightlineError where error.code == .cancelled {
        return nil
    }
}

func submitTonight(_ photo: Data, _ client: SightlineClient) async throws -> String {
    let request = try PictureSearch(picture: photo).request(as: AlbumProperties.self)
    let job = try await client.submit(request, key: "nightly-2026-12-01")
    return job.id
}

func fetch(_ id: String, _ client: SightlineClient) async throws -> [String] {
    let job = client.job(id, as: SearchResult<AlbumProperties>.self)
    do {
        let results = try await Deadline.within(.seconds(30)) { try await job.result() }
        try await job.drop()
        return results.items.map(\.properties.name)
    } catch let error as SightlineError where error.code == .unfinished {
        return []
    } catch let error as SightlineError where error.code == .notFound {
        // Lost, dropped or too old: submit it again.
        throw error
    }
}

func publishConcert(_ client: SightlineClient) async throws {
    try await client.stateAccess(of: "ada", .fullAccess)
    var update = CalendarUpdate(account: "ada", calendar: "home", revision: 7)
    update.zone = "Europe/Berlin"
    update.put = [
        """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//Example//EN\r
        BEGIN:VEVENT\r
        UID:concert@example\r
        DTSTAMP:20261101T080000Z\r
        DTSTART:20261220T190000Z\r
        SUMMARY:Artist 1 live\r
        END:VEVENT\r
        END:VCALENDAR\r

        """
    ]
    do {
        try await client.publish(update)
    } catch {
        guard error.code == .accessRequired else { throw error }
        print("ask the owner of the account first")
    }
}

func followConcerts(_ client: SightlineClient) async throws {
    let query = UpcomingQuery(account: "ada")
    for try await list in client.followUpcoming(query) {
        switch list {
        case .events(let events, _):
            for event in events { print(event.start, event.title) }
        case .accessRequired(let text): print(text)
        }
    }
}

func albumIDs(_ client: SightlineClient) async throws -> [String] {
    struct Album: Decodable, Sendable { let id: String }
    var request = try ServiceRequest<Album>("entity.list", body: ["type": "album"])
    request.limit = 100
    return try await client.send(request).items.map(\.id)
}
