import Catalog
import Messages
import TestSupport
import Testing

struct CatalogContentTests {
    @Test func entryStaysWhileTheEntityIsReplaced() throws {
        let types = try Fixtures.shippedTypes()
        var content = CatalogContent()
        let first = content.put(try Fixtures.album("1", by: "Ana", types: types))
        let second = content.put(try Fixtures.album("2", by: "Bo", types: types))
        #expect(first != second)
        #expect(content.put(try Fixtures.album("1", by: "Cy", types: types)) == first)
        #expect(content.count == 2)
        #expect(content.entity(entry: first)?.properties["artistName"] == .string("Cy"))
        #expect(content.entry(of: EntityKey(type: "album", id: "2")) == second)
    }

    @Test func entryOfARemovedEntityIsNeverUsedAgain() throws {
        let types = try Fixtures.shippedTypes()
        var content = CatalogContent()
        let album = try Fixtures.album("1", by: "Ana", types: types)
        let entry = content.put(album)
        #expect(content.remove(album.key) == entry)
        #expect(content.remove(album.key) == nil)
        #expect(content.entity(entry: entry) == nil)
        #expect(content[album.key] == nil)
        #expect(content.put(album) != entry)
    }

    @Test func removedEntityIsNoLongerFoundByNameOrLabel() throws {
        let types = try Fixtures.shippedTypes()
        let concert = try Fixtures.concert("c", by: "Ana", types: types)
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let labelled = try Fixtures.album("b", by: "Bo", types: types, labels: ["vinyl"])
        var content = Fixtures.content([concert, album, labelled])
        let request = UnionRequest(asOf: Fixtures.asOf, labels: ["vinyl"])
        func names() -> [String] {
            Union.items(
                matches: [UnionMatch(key: album.key, distance: 0)], request: request,
                content: content, types: types, calendarHas: { _ in false }
            ).map(\.name)
        }
        #expect(names() == ["album/a", "concert/c", "album/b"])
        content.remove(concert.key)
        content.remove(labelled.key)
        #expect(names() == ["album/a"])
    }

    @Test func replacedEntityIsFoundByItsNewLabelsOnly() throws {
        let types = try Fixtures.shippedTypes()
        var content = Fixtures.content([
            try Fixtures.album("a", by: "Ana", types: types, labels: ["vinyl"])
        ])
        content.put(try Fixtures.album("a", by: "Ana", types: types, labels: ["tape"]))
        func names(_ label: String) -> [String] {
            Union.items(
                matches: [], request: UnionRequest(asOf: Fixtures.asOf, labels: [label]),
                content: content, types: types, calendarHas: { _ in false }
            ).map(\.name)
        }
        #expect(names("vinyl") == [])
        #expect(names("tape") == ["album/a"])
    }

    @Test func replacedConcertFollowsFromItsNewArtistOnly() throws {
        let types = try Fixtures.shippedTypes()
        let ana = try Fixtures.album("a", by: "Ana", types: types)
        let bo = try Fixtures.album("b", by: "Bo", types: types)
        var content = Fixtures.content([
            ana, bo, try Fixtures.concert("c", by: "Ana", types: types),
        ])
        content.put(try Fixtures.concert("c", by: "Bo", types: types))
        let items = Union.items(
            matches: [
                UnionMatch(key: ana.key, distance: 1), UnionMatch(key: bo.key, distance: 2),
            ], request: UnionRequest(asOf: Fixtures.asOf), content: content, types: types,
            calendarHas: { _ in false })
        #expect(items.map(\.name) == ["album/a", "album/b", "concert/c"])
    }

    @Test func replacedEntityIsFoundByItsNewNamesOnly() throws {
        let types = try Fixtures.shippedTypes()
        var content = Fixtures.content([try Fixtures.album("a", by: "Ana", types: types)])
        content.put(try Fixtures.album("a", by: "Bo", types: types))
        #expect(content.calendarNames(types: types, mode: .names).map(\.name) == ["Bo"])
        #expect(content.count(ofType: "album") == 1)
        #expect(content.count(ofType: "movie") == 0)
    }

    @Test func listIsInTheOrderOfBytes() throws {
        let types = try Fixtures.shippedTypes()
        let ids = ["z", "\u{E9}", "e\u{301}", "a", "B", "😀", "\u{FB33}", "10", "9"]
        let content = Fixtures.content(
            try ids.map { try Fixtures.album($0, by: "Ana", types: types) })
        let listed = content.list(limit: 100).map { Array($0.key.id.utf8) }
        #expect(listed.count == ids.count)
        #expect(
            listed == ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func listGoesOnBehindAKeyWhetherOrNotItIsThere() throws {
        let types = try Fixtures.shippedTypes()
        let content = Fixtures.content([
            try Fixtures.album("1", by: "Ana", types: types),
            try Fixtures.album("3", by: "Ana", types: types),
            try Fixtures.concert("2", by: "Ana", types: types),
        ])
        func list(_ type: String?, after: EntityKey?, limit: Int = 10) -> [String] {
            content.list(type: type, after: after, limit: limit).map(\.key.description)
        }
        let first = EntityKey(type: "album", id: "1")
        #expect(list(nil, after: first) == ["album/3", "concert/2"])
        #expect(list("album", after: first) == ["album/3"])
        #expect(list("album", after: EntityKey(type: "album", id: "2")) == ["album/3"])
        #expect(list("concert", after: first) == ["concert/2"])
        #expect(list("album", after: EntityKey(type: "concert", id: "0")) == [])
        #expect(list(nil, after: nil, limit: 2) == ["album/1", "album/3"])
        #expect(list(nil, after: nil, limit: 0) == [])
        #expect(list("nothing", after: nil) == [])
    }

    /// Random changes against the simplest possible model, with snapshots taken on the way.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func contentAgreesWithADictionary(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let types = try Fixtures.shippedTypes()
        var content = CatalogContent()
        var model: [EntityKey: Entity] = [:]
        var snapshots: [(CatalogContent, [EntityKey: Entity])] = []
        for step in 0..<2_000 {
            let id = "\(Int.random(in: 0..<600, using: &random))"
            let isAlbum = Bool.random(using: &random)
            let key = EntityKey(type: isAlbum ? "album" : "concert", id: id)
            if Int.random(in: 0..<10, using: &random) < (step < 1_200 ? 2 : 7) {
                #expect((content.remove(key) != nil) == (model.removeValue(forKey: key) != nil))
            } else {
                let artist = "Artist \(Int.random(in: 0..<50, using: &random))"
                let entity =
                    isAlbum
                    ? try Fixtures.album(id, by: artist, types: types)
                    : try Fixtures.concert(id, by: artist, types: types)
                content.put(entity)
                model[key] = entity
            }
            if step % 400 == 0 { snapshots.append((content, model)) }
        }
        snapshots.append((content, model))
        for (content, model) in snapshots {
            #expect(content.count == model.count)
            #expect(
                content.list(limit: .max)
                    == model.values.sorted { $0.key < $1.key })
            #expect(
                content.count(ofType: "album") == model.keys.count { $0.type == "album" })
            var artists: [String: [EntityKey]] = [:]
            for (key, entity) in model {
                artists[entity.properties["artistName"]?.names.first ?? "", default: []].append(key)
            }
            let names = content.calendarNames(types: types, mode: .names)
            #expect(names.map(\.name) == artists.keys.sorted())
            #expect(
                names.map(\.entities) == artists.keys.sorted().map { artists[$0]?.sorted() ?? [] })
        }
    }

    @Test func calendarNamesAreGroupedWithoutCaseAndSpace() throws {
        let types = try Fixtures.shippedTypes()
        let content = Fixtures.content([
            try Fixtures.album("1", by: "Straße  Nord ", types: types),
            try Fixtures.album("2", by: "STRASSE NORD", types: types),
            try Fixtures.concert("3", by: "straße nord", types: types),
            try Fixtures.entity("movie", "4", ["title": .string("Straße Nord")], types: types),
            try Fixtures.album("5", by: "Ana", types: types),
        ])
        let names = content.calendarNames(types: types, mode: .names)
        #expect(names.map(\.name) == ["Ana", "Straße Nord"])
        #expect(
            names.last?.entities.map(\.description) == ["album/1", "album/2", "concert/3"])
    }

    @Test func thereIsRoomForWhatIsThereAlready() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("1", by: "Ana", types: types)
        #expect(Fixtures.content([album]).hasRoom(for: album.key))
        #expect(CatalogContent().hasRoom(for: album.key))
    }
}
