/// The contacts of an account in order, kept so that a question costs no more than what changed
/// since the one before, and what is shown.
///
/// Each card is read once and its names are looked for once; it is read anew when it is put anew,
/// and looked through anew when the names change. The answers are those that working everything out
/// for each question would give.
public struct ContactBook: Sendable {
    /// A contact: its address book, and its UID there.
    public struct Place: Sendable, Hashable {
        /// The address book.
        public let addressBook: String
        /// The UID that is held.
        public let uid: String
    }

    private struct Entry: Sendable {
        /// By which contacts are sorted.
        let key: [UInt8]
        let names: [String]
        let isGroup: Bool
        var isNamed = false
    }

    private var held: [String: [String: HeldCollection.Resource]] = [:]
    private var entries: [Place: Entry] = [:]
    /// All places by key.
    private var all: [Place] = []
    /// Those that have a name that is looked for, by key.
    private var named: [Place] = []
    private var stamp: Stamp?
    /// Cards that were read so far.
    public private(set) var readCount = 0

    /// A book that knows nothing yet.
    public init() {}

    /// Contacts that are kept.
    public var count: Int { entries.count }

    /// The contacts behind a key, by title, address book and UID.
    ///
    /// - Parameters:
    ///   - collections: address books by name.
    ///   - names: those that are looked for; a contact has one if one of its own is that, whole.
    ///   - onlyNamed: only contacts that have one.
    ///   - text: only contacts in one of whose names this text stands, as whole words; nil for all.
    ///   - key: of the last contact that was seen; nil to begin at the first.
    ///   - countMax: contacts at most.
    public mutating func places(
        in collections: [String: HeldCollection], names: UpcomingNames, onlyNamed: Bool,
        with text: String?, after key: [UInt8]?, countMax: Int
    ) -> [Place] {
        update(to: collections, names)
        let places = onlyNamed ? named : all
        let wanted = text.map { NameIndex(names: [$0]) }
        var found: [Place] = []
        for place in places[firstIndex(in: places, after: key)...] {
            guard found.count < countMax else { break }
            guard let wanted else {
                found.append(place)
                continue
            }
            let entry = entries[place]
            if entry?.names.contains(where: { !wanted.matches(in: $0).isEmpty }) == true {
                found.append(place)
            }
        }
        return found
    }

    /// The key by which a contact stands in the order.
    public static func key(title: String, addressBook: String, uid: String) -> [UInt8] {
        Array("\(title)\u{0}\(addressBook)\u{0}\(uid)".utf8)
    }

    /// The card that is held under a UID; nil if it cannot be read.
    public static func card(_ text: [UInt8]) -> ContactCard? {
        let reading = try? VCard.read(text, bytesMax: text.count, cardBytesMax: .max)
        return reading?.cards.first
    }

    // MARK: Changes

    private mutating func update(
        to collections: [String: HeldCollection], _ names: UpcomingNames
    ) {
        let hasNewNames = stamp != names.stamp
        stamp = names.stamp
        if hasNewNames {
            for place in entries.keys { look(at: place, for: names) }
        }
        var gone: Set<Place> = []
        var fresh: [Place] = []
        for (name, old) in held {
            let new = collections[name]?.resources ?? [:]
            // Equal copies share their storage, so comparing what did not change costs nothing.
            guard old != new else { continue }
            for (uid, resource) in old where new[uid]?.text != resource.text {
                gone.insert(Place(addressBook: name, uid: uid))
            }
        }
        for (name, collection) in collections where held[name] != collection.resources {
            let old = held[name] ?? [:]
            for (uid, resource) in collection.resources where old[uid]?.text != resource.text {
                let place = Place(addressBook: name, uid: uid)
                if read(resource.text, place, names) {
                    fresh.append(place)
                } else {
                    gone.insert(place)
                }
            }
        }
        held = collections.mapValues(\.resources)
        guard !gone.isEmpty || !fresh.isEmpty || hasNewNames else { return }
        sort(without: gone, with: fresh, anew: hasNewNames)
    }

    /// Whether the card of a place could be read.
    private mutating func read(_ text: [UInt8], _ place: Place, _ names: UpcomingNames) -> Bool {
        readCount += 1
        guard let card = Self.card(text) else { return false }
        entries[place] = Entry(
            key: Self.key(title: card.title, addressBook: place.addressBook, uid: place.uid),
            names: card.names.map(\.text), isGroup: card.kind == .group)
        look(at: place, for: names)
        return true
    }

    private mutating func look(at place: Place, for names: UpcomingNames) {
        guard let entry = entries[place] else { return }
        entries[place]?.isNamed =
            !entry.isGroup
            && entry.names.contains { name in
                names.words.matches(in: name).contains { $0.isWhole(of: name) }
            }
    }

    // MARK: Order

    private mutating func sort(without gone: Set<Place>, with fresh: [Place], anew: Bool) {
        let new = Set(fresh)
        let kept = all.filter { !gone.contains($0) && !new.contains($0) }
        for place in gone where !new.contains(place) { entries[place] = nil }
        all = merged(kept, fresh.sorted { precedes($0, $1) })
        if anew {
            named = all.filter { entries[$0]?.isNamed == true }
        } else {
            let stayed = named.filter { !gone.contains($0) && !new.contains($0) }
            let added = fresh.filter { entries[$0]?.isNamed == true }
            named = merged(stayed, added.sorted { precedes($0, $1) })
        }
    }

    private func merged(_ left: [Place], _ right: [Place]) -> [Place] {
        guard !right.isEmpty else { return left }
        var result: [Place] = []
        result.reserveCapacity(left.count + right.count)
        var rest = right[...]
        for place in left {
            while let next = rest.first, precedes(next, place) { result.append(rest.removeFirst()) }
            result.append(place)
        }
        return result + rest
    }

    private func precedes(_ left: Place, _ right: Place) -> Bool {
        (entries[left]?.key ?? []).lexicographicallyPrecedes(entries[right]?.key ?? [])
    }

    /// The place of the first contact behind a key.
    private func firstIndex(in places: [Place], after key: [UInt8]?) -> Int {
        guard let key else { return 0 }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            let isBehind = key.lexicographicallyPrecedes(entries[places[middle]]?.key ?? [])
            if isBehind { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension NameMatch {
    /// Whether nothing but punctuation stands beside it.
    public func isWhole(of text: String) -> Bool {
        let bytes = Array(text.utf8)
        let rest =
            String(decoding: bytes[..<place.lowerBound], as: UTF8.self)
            + String(decoding: bytes[place.upperBound...], as: UTF8.self)
        return !rest.contains { $0.isLetter || $0.isNumber }
    }
}
