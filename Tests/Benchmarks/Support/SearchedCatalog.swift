import Journal
import Messages

/// The entities that are searched and put: the first few carry prints of drawn pictures, so that
/// searches have something to find, all others synthetic ones.
final class SearchedCatalog {
    let count: Int
    let features: Int
    /// Whether a later put names the prints again, or none.
    var keepsPictures = true
    /// JPEG files of the pictures that the first entities have.
    let files: [[UInt8]]
    /// The encoded prints of the same pictures.
    let drawnPrints: [[UInt8]]
    private var hashes: [ContentHash] = []

    init(count: Int, features: Int) throws {
        self.count = count
        self.features = features
        let pictures = (0..<min(8, count)).map { DrawnPicture(seed: UInt64($0) + 11) }
        files = try pictures.map { try $0.jpeg() }
        drawnPrints = try pictures.map { try $0.print() }
        hashes = (0..<count).map { ContentHash.of(print($0)) }
    }

    /// Declares the type and puts every entity once.
    ///
    /// - Returns: The position of the last one.
    func fill(through client: WireClient) throws -> Position {
        var type = try Samples.typeDeclaration()
        type.header.requestID = client.nextID()
        var newest = try client.success(of: type).fields.position
        for start in stride(from: 0, to: count, by: 100) {
            let numbers = start..<min(start + 100, count)
            for number in numbers {
                var put = firstPut(number)
                put.header.requestID = client.nextID()
                try client.send(put)
            }
            for _ in numbers {
                guard let answer = try client.receive(milliseconds: 30_000),
                    answer.command == .ack
                else { throw BenchError(.answer, "an entity was not stored") }
                newest = answer.fields.position
            }
        }
        guard let newest else { throw BenchError(.answer, "an ACK without a position") }
        return newest
    }

    /// The entity's first put, with its print.
    func firstPut(_ number: Int) -> Message {
        Samples.put(number, prints: [hashes[number]], blobs: [print(number)])
    }

    /// A later put; those that searches look for keep their pictures in any case.
    func put(_ number: Int, turn: Int) -> Message {
        let isWanted = keepsPictures || number < files.count
        return Samples.put(number, turn: turn, prints: isWanted ? [hashes[number]] : [])
    }

    private func print(_ number: Int) -> [UInt8] {
        number < drawnPrints.count
            ? drawnPrints[number] : SyntheticPrints.print(number, features: features)
    }
}
