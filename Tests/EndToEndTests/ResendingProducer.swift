import Foundation
import Journal
import Messages
import Service

/// A producer that sends each change until it is acknowledged.
actor ResendingProducer {
    private(set) var positions: [String: Position] = [:]
    /// Sent and not acknowledged yet.
    private(set) var inFlight: Set<String> = []
    private(set) var resends = 0
    private var next = 0
    private var isStopped = false
    private let count: Int

    init(count: Int) { self.count = count }

    /// Sends until all changes are acknowledged, or until `stop` and those in flight are.
    ///
    /// Each lane pauses between its changes, so that they last as long as the test.
    func run(over connection: RouterConnection, lanes: Int, pause: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<lanes {
                group.addTask {
                    while let id = await self.begin() {
                        await self.send(id, connection)
                        try? await Task.sleep(for: pause)
                    }
                }
            }
        }
    }

    /// Begins no more changes.
    func stop() { isStopped = true }

    var acknowledged: Int { positions.count }

    /// Sends one change until it is acknowledged.
    func send(_ id: String, _ connection: RouterConnection) async {
        while true {
            do {
                let position = try await connection.change(Self.message(id))
                positions[id] = positions[id] ?? position
                inFlight.remove(id)
                return
            } catch {
                resends += 1
                // A journal that is being started says so at once; asking faster helps nobody.
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func begin() -> String? {
        guard !isStopped, next < count else { return nil }
        next += 1
        let id = "event-\(next)"
        inFlight.insert(id)
        return id
    }

    static func message(_ id: String) -> Message {
        let entity = EntityPut(
            entity: EntityName(type: "thing", id: id), properties: ["text": .string(id)])
        return .change(
            .entityPut, entity.json, source: "producer", id: id, partitionKey: id,
            catalog: "main", budgetMilliseconds: 1_000)
    }
}
