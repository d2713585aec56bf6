public import Foundation
package import Messages
package import Service

/// A place in the journal: which journal, and how many records it held.
public struct JournalPosition: Sendable, Hashable, CustomStringConvertible {
    package let position: Position

    package init(_ position: Position) { self.position = position }
    /// `epoch/sequence`, the epoch in hexadecimal.
    public var description: String { position.description }
}

/// The answer to a request.
public struct Results<Item: Decodable & Sendable>: Sendable {
    /// The results in order.
    public let items: [Item]
    /// As it came.
    package let reply: Reply

    /// - Throws: `DecodingError` if an item is not of the caller's type.
    init(_ reply: Reply) throws {
        self.reply = reply
        let decoder = JSONDecoder()
        items = try reply.items.map { item in
            try decoder.decode(Item.self, from: Data(item.canonical()))
        }
    }

    /// Every part of the catalog answered in time.
    public var isComplete: Bool { reply.isComplete }
    /// The parts that did not.
    public var missing: [String] { reply.missing }
    /// How far the parts came that their deadline stopped in a search, whose results are those found
    /// until then: candidates compared, of how many; nil if none was stopped.
    public var checkedCandidates: (checked: Int, of: Int)? {
        reply.checked.map { (Int($0.checked), Int($0.all)) }
    }
    /// What the answer was computed at; nil where that cannot be said in one.
    public var position: JournalPosition? { reply.position.map(JournalPosition.init) }
    /// The instant that the request was answered for.
    public var asOf: Date? { reply.message.fields.asOf.map(Date.init) }
    /// The token of the next page of a list; nil on the last one.
    public var nextPage: String? { reply.message.fields.text(.nextPage) }
    /// Where "Search in app" leads, with the results kept for some minutes.
    public var continueRoute: String? { reply.continueRoute }
    /// One result that fills the width, rather than a grid.
    public var isSingle: Bool { reply.layout == "single" }

    /// The attachment of a hash in hexadecimal, such as a thumbnail.
    public func attachment(_ hash: String) -> Data? {
        ContentHash(hex: hash).flatMap { reply.attachment($0) }.map { Data($0) }
    }
}

extension Date {
    init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.milliseconds) / 1_000)
    }
    /// Whole milliseconds since 1970.
    var timestamp: Timestamp {
        Timestamp(milliseconds: Int64((timeIntervalSince1970 * 1_000).rounded()))
    }
}
