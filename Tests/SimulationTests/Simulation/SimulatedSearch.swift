import Messages

/// The service of the simulation: what each part finds for a question, and what the merged reply
/// must be, computed without the code that is tested.
enum SimulatedSearch {
    static let service = "image.search"
    static let parts = ["slots=0-31", "slots=32-63"]
    /// What is done once for both parts.
    static let prepare = "search.prepare"
    /// A service that finds nothing and must not be tried twice at a time.
    static let once = "once"

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 32)
    }

    /// Results 0 ..< n of a question; even ones are found by both parts, odd ones by one. Each
    /// has a child.
    static func items(question: UInt64, part: String) -> [MergeItem] {
        var items: [MergeItem] = []
        let mine: UInt64 = part == parts[0] ? 1 : 3
        for number in 0..<(question % 6) where number % 2 == 0 || number % 4 == mine {
            let distance = mix(question &* 131 &+ number &* 7 &+ mine) % 1_000
            let sortKey = bigEndianBytes(distance) + bigEndianBytes(number) + [UInt8(mine)]
            let union = bigEndianBytes(number)
            let json = "{\"n\":\(number),\"part\":\"\(part)\"}"
            items.append(
                MergeItem(sortKey: sortKey, unionKey: union, json: Array(json.utf8)))
            let childJSON = "{\"child\":\(number),\"part\":\"\(part)\"}"
            items.append(
                MergeItem(
                    sortKey: sortKey + [0], unionKey: union + [1], parentKey: union,
                    json: Array(childJSON.utf8)))
        }
        return items
    }

    /// Says where the part's replica stood; stands behind all results.
    static func positionItem(part: String, at sequence: UInt64) -> MergeItem {
        MergeItem(
            sortKey: [0xFF] + Array(part.utf8), unionKey: [0xFF] + Array(part.utf8),
            json: Array("{\"at\":\(sequence),\"part\":\"\(part)\"}".utf8))
    }

    /// The texts of a complete reply, position items left out.
    static func expected(question: UInt64, limit: Int) -> [String] {
        var best: [[UInt8]: MergeItem] = [:]
        for item in parts.flatMap({ items(question: question, part: $0) }) {
            if let other = best[item.unionKey],
                other.sortKey.lexicographicallyPrecedes(item.sortKey)
            {
                continue
            }
            best[item.unionKey] = item
        }
        return best.values.sorted { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
            .prefix(limit).map { String(decoding: $0.json, as: UTF8.self) }
    }

    /// Every text that may stand in any reply.
    static func possible(question: UInt64) -> Set<String> {
        Set(
            parts.flatMap { items(question: question, part: $0) }.map {
                String(decoding: $0.json, as: UTF8.self)
            })
    }

    /// What `prepare` makes of a picture.
    static func prepared(_ picture: [UInt8]) -> (hash: ContentHash, bytes: [UInt8]) {
        let bytes = [0xAA] + picture
        return (hash(of: bytes), bytes)
    }

    /// A hash that needs no library.
    static func hash(of bytes: [UInt8]) -> ContentHash {
        let sum = bytes.reduce(UInt64(7)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let all = (0..<4).flatMap { bigEndianBytes(mix(sum &+ UInt64($0))) }
        return ContentHash(bytes: all) ?? SimulatedHash.zero
    }

    static func request(
        question: UInt64, limit: UInt32, budget: UInt32, picture: [UInt8]? = nil
    ) -> Message {
        var message = Message(Header(.request, budgetMilliseconds: budget))
        message.fields.set(.service, text: service)
        message.fields.set(.limit, integer: limit)
        message.body = Array("{\"q\":\(question)}".utf8)
        if let picture {
            message.fields.attachmentHashes = [hash(of: picture)]
            message.attachments = [picture]
        }
        return message
    }

    static func question(of request: Message) -> UInt64 {
        UInt64(String(decoding: request.body.dropFirst(5).dropLast(), as: UTF8.self)) ?? 0
    }
}

/// The objects of a reply's body as texts; they hold no nested object.
func texts(ofBody body: [UInt8]) -> [String] {
    String(decoding: body, as: UTF8.self).dropFirst().dropLast()
        .split(separator: "}").map { ($0.first == "," ? $0.dropFirst() : $0) + "}" }
}
