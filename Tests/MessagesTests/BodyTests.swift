import Messages
import Testing

/// What the schemas cannot say: limits in bytes, places in refusals, defaults.
@Suite(.timeLimit(.minutes(1)))
struct BodyTests {
    static let hash = String(repeating: "0a", count: 32)

    private static func value(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }
    private static func fault<Body: JSONBody>(_: Body.Type, _ text: String) throws -> String {
        let value = try value(text)
        let error = #expect(throws: JSONError.self) { try Body(parsing: value) }
        return error?.description ?? ""
    }

    @Test func absentMembersHaveTheirDefaults() throws {
        let search = try SearchRequest(parsing: try Self.value("{}"))
        #expect(search == SearchRequest(subject: .none))
        #expect(search.maxDistance == 1_000_000)
        #expect(search.types == nil)
        #expect(try UpcomingRequest(parsing: try Self.value("{}")).days == 90)
        let change = try CalendarChange(
            parsing: try Self.value(#"{"calendar":"home","revision":1}"#))
        #expect(change == CalendarChange(calendar: "home", revision: 1, zone: "UTC"))
    }

    @Test(arguments: [
        (#"{"near":{"latitude":91,"longitude":0}}"#, "near.latitude must be a number from -90"),
        (#"{"near":{"latitude":1,"longitude":0,"x":1}}"#, "member near.x is unknown; allowed: lat"),
        (#"{"labels":["a",""]}"#, "labels[1] must be text of 1 to 256 bytes"),
        (#"{"maxDistance":2000001}"#, "maxDistance must be a whole number from 0 to 2000000"),
        (#"{"zeta":1,"alpha":1}"#, "member alpha is unknown; allowed: picture, pixels"),
        (#"{"print":"1"}"#, "print must be a hash: 64 hexadecimal digits"),
        (#"{"types":[]}"#, "types must be a list of 1 to 256"),
        (#"[]"#, "the body must be an object"),
    ])
    func refusalsNameThePlaceAndWhatIsAllowed(_ body: String, _ reason: String) throws {
        #expect(try Self.fault(SearchRequest.self, body).hasPrefix(reason))
    }

    @Test func placesReachIntoLists() throws {
        let text = #"{"entities":[{"type":"a","id":"b"},{"type":"a","id":""}]}"#
        #expect(try Self.fault(EntityGetRequest.self, text).hasPrefix("entities[1].id must be"))
        let put = #"{"type":"a","id":"b","properties":{},"pictures":[{"prints":{"v":"x"}}]}"#
        #expect(try Self.fault(EntityPut.self, put).hasPrefix("pictures[0].prints.v must be"))
    }

    @Test func namesAreMeasuredInBytes() throws {
        let fits = String(repeating: "\u{FC}", count: 512)
        let name = try EntityName(
            parsing: .object(["type": .string("a"), "id": .string(fits)]))
        #expect(name.id.utf8.count == Limits.nameBytesMax)
        #expect(throws: JSONError.self) {
            try EntityName(parsing: .object(["type": .string("a"), "id": .string(fits + "a")]))
        }
        let label = String(repeating: "\u{FC}", count: 129)
        #expect(throws: JSONError.self) {
            try SearchRequest(parsing: .object(["labels": .array([.string(label)])]))
        }
    }

    @Test func resourcesAreMeasuredInBytes() throws {
        let body = { (count: Int) in
            JSONValue.object([
                "calendar": .string("c"), "revision": .integer(1),
                "put": .array([
                    .object(["ics": .string(String(repeating: "\u{FC}", count: count))])
                ]),
            ])
        }
        let most = Limits.resourceBytesMax / 2
        #expect(try CalendarChange(parsing: body(most)).put.count == 1)
        #expect(throws: JSONError.self) { try CalendarChange(parsing: body(most + 1)) }
    }

    @Test func bodiesAreBounded() {
        let space = [UInt8](repeating: 0x20, count: Limits.bodyBytesMax - 2)
        #expect(throws: Never.self) { try StatusRequest(parsing: space + Array("{}".utf8)) }
        #expect(throws: JSONError.self) { try StatusRequest(parsing: space + Array(" {}".utf8)) }
    }

    @Test func videoPixelsHavePlanesThatFit() throws {
        let hash = try #require(ContentHash(hex: Self.hash))
        let tight = VideoDescription(range: .video, matrix: .bt709, width: 5, height: 3)
        #expect(tight.chroma == VideoDescription.Plane(offset: 15, bytesPerRow: 6))
        let pixels = try PixelDescription(hash: hash, width: 5, height: 3, video: tight)
        #expect(pixels.bytesMin == 15 + 12)
        #expect(try PixelDescription(parsing: pixels.json) == pixels)
        let short = VideoDescription(
            range: .full, matrix: .bt601, luma: .init(offset: 0, bytesPerRow: 5),
            chroma: .init(offset: 15, bytesPerRow: 5))
        #expect(throws: JSONError.self) {
            try PixelDescription(hash: hash, width: 5, height: 3, video: short)
        }
    }

    @Test func pixelsHaveRowsThatFit() throws {
        let hash = try #require(ContentHash(hex: Self.hash))
        let tight = try PixelDescription(hash: hash, layout: .bgra, width: 3, height: 2)
        #expect(tight.bytesPerRow == 12)
        #expect(tight.bytesMin == 24)
        let padded = try PixelDescription(
            hash: hash, layout: .gray, width: 3, height: 2, bytesPerRow: 64)
        #expect(padded.bytesMin == 67)
        #expect(throws: JSONError.self) {
            try PixelDescription(hash: hash, layout: .rgba, width: 3, height: 2, bytesPerRow: 11)
        }
        #expect(throws: JSONError.self) {
            try PixelDescription(hash: hash, layout: .rgba, width: 4_096, height: 2_049)
        }
        #expect(throws: Never.self) {
            try PixelDescription(hash: hash, layout: .rgba, width: 4_096, height: 2_048)
        }
    }

    @Test func entityNamesCompareAsBytes() {
        let composed = EntityName(type: "album", id: "\u{E9}")
        let decomposed = EntityName(type: "album", id: "e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
        #expect(EntityName(type: "a", id: "z") < EntityName(type: "ab", id: "a"))
        #expect(EntityName(type: "a", id: "\u{FB33}") < EntityName(type: "a", id: "\u{1F600}"))
    }

    @Test func nothingThatWasStatedIsLostWhenWritten() throws {
        let hash = try #require(ContentHash(hex: Self.hash))
        let search = SearchRequest(
            subject: .pixels(
                try PixelDescription(
                    hash: hash, layout: .gray, width: 9, height: 9, bytesPerRow: 16)),
            region: RegionDescription(x: 1, y: 2, width: 3, height: 4), labels: ["tower"],
            near: Coordinates(latitude: -12.5, longitude: 179.75), locale: "en_US",
            platform: "iOS", maxDistance: 7, types: ["album"], thumbnails: true)
        #expect(try SearchRequest(parsing: search.bytes) == search)
        let put = EntityPut(
            entity: EntityName(type: "album", id: "1"), properties: ["name": .string("x")],
            labels: ["l"],
            pictures: [EntityPut.Picture(picture: hash, prints: ["v1": hash], thumbnail: hash)],
            revision: "r1")
        #expect(try EntityPut(parsing: put.bytes) == put)
        let change = CalendarChange(
            calendar: "home", revision: 5, zone: "Europe/Berlin", reset: true, put: ["BEGIN"],
            remove: ["u"])
        #expect(try CalendarChange(parsing: change.bytes) == change)
    }

    @Test func coordinatesRefuseWhatIsNoNumber() {
        #expect(Coordinates(latitude: .nan, longitude: 0) == nil)
        #expect(Coordinates(latitude: 0, longitude: .infinity) == nil)
        #expect(Coordinates(latitude: 90, longitude: -180) != nil)
        #expect(RegionDescription(x: 0, y: 0, width: .max, height: 1) == nil)
    }
}
