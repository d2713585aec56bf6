import Foundation
import Journal
import Messages
import Service
import TestSupport

/// Changes that a client has sent, and what it was told of them.
actor AcknowledgedChanges {
    private(set) var sent: [String: Message] = [:]
    private(set) var positions: [String: Position] = [:]
    /// Answers that a change was refused or not acknowledged, by their text.
    private(set) var refusals: [String] = []
    private var count = 0
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    /// Sends new changes, some at a time, until a number of them is answered or none is any more.
    func send(_ number: Int, over connection: RouterConnection, inFlight: Int = 6) async {
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<inFlight {
                group.addTask {
                    for _ in 0..<number / inFlight {
                        let (id, message) = await self.next(lane)
                        guard await self.send(id, message, connection) else { return }
                    }
                }
            }
        }
    }

    /// Sends again what was never acknowledged.
    func resend(over connection: RouterConnection) async {
        for (id, message) in sent.sorted(by: { $0.key < $1.key }) where positions[id] == nil {
            _ = await send(id, message, connection)
        }
    }

    private func send(_ id: String, _ message: Message, _ connection: RouterConnection) async
        -> Bool
    {
        do {
            let position = try await connection.change(message)
            positions[id] = position
            return true
        } catch {
            refusals.append("\(error)")
            return false
        }
    }

    private func next(_ lane: Int) -> (String, Message) {
        count += 1
        var random = SeededRandom(seed: seed &+ UInt64(count))
        let id = "power-\(count)"
        // One lane belongs to an account, so that keys are made and records sealed.
        let message =
            lane == 0
            ? Message.change(
                .calendarAccess, CalendarAccess(status: .fullAccess).json, source: "test", id: id,
                partitionKey: id, account: "account \(count / 10)", budgetMilliseconds: 1_000)
            : Self.entity(id, &random)
        sent[id] = message
        return (id, message)
    }

    private static func entity(_ id: String, _ random: inout SeededRandom) -> Message {
        let blobs = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            random.bytes(Int.random(in: 1...3_000, using: &random))
        }
        let padding = String(repeating: "x", count: Int.random(in: 0...900, using: &random))
        var entity = EntityPut(
            entity: EntityName(type: "thing", id: id), properties: ["text": .string(padding)])
        entity.pictures = blobs.map { EntityPut.Picture(picture: ContentHash.of($0)) }
        return .change(
            .entityPut, entity.json, source: "test", id: id, partitionKey: id, catalog: "main",
            blobs: blobs.map { (.picture, $0) }, budgetMilliseconds: 1_000)
    }
}

/// What a journal must hold after the power has failed.
struct SurvivalCheck {
    let sent: [String: Message]
    /// Acknowledged before the power failed.
    let required: [String: Position]

    /// What is wrong with the journal in a folder; empty if nothing is.
    func faults(in folder: String) -> [String] {
        do {
            let journal = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 1)
            var faults: [String] = []
            if let damage = journal.damage { faults.append("damage: \(damage)") }
            var found: [String: Position] = [:]
            var after = journal.firstSequence - 1
            while after < journal.head.sequence {
                let records = try journal.read(
                    after: after, recordsMax: 256, bytesMax: Limits.segmentBytesMax)
                for record in records {
                    let fault = fault(of: record, in: journal, &found)
                    if let fault { faults.append(fault) }
                }
                after += UInt64(records.count)
            }
            for (id, position) in required where found[id] != position {
                faults.append("\(id), acknowledged at \(position.sequence), is lost")
            }
            return faults
        } catch {
            return ["the journal does not open: \(error)"]
        }
    }

    private func fault(
        of record: Record, in journal: SegmentJournal, _ found: inout [String: Position]
    ) -> String? {
        // The journal's own, in front of the first statement of access.
        guard record.kind != .zoneDeclare else { return nil }
        guard let opened = SealedRecord.open(record, with: journal.keyring) else {
            return "record \(record.position?.sequence ?? 0) cannot be decrypted"
        }
        guard let id = opened.fields.text(.changeID), let message = sent[id],
            message.body == opened.body
        else { return "record \(record.position?.sequence ?? 0) is not what was sent" }
        guard
            found.updateValue(record.position ?? Position(epoch: 0, sequence: 0), forKey: id) == nil
        else { return "\(id) is stored twice" }
        for bytes in message.attachments {
            // A blob that cannot be read is what this looks for.
            guard (try? journal.blob(ContentHash.of(bytes))) == bytes else {
                return "a blob of \(id) is lost"
            }
        }
        return nil
    }
}
