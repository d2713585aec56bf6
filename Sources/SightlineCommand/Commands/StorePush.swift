import Journal
import Messages
import Service

/// What `push` finds in files: entries, each with the place where a person finds it again.
struct PushedEntries {
    /// As a change puts them.
    private(set) var texts: [String] = []
    /// Where each of them came from.
    private(set) var places: [String] = []
    /// Places of what cannot be put, and why.
    private(set) var faults: [String] = []

    mutating func add(_ text: String, from place: String) {
        texts.append(text)
        places.append(place)
    }
    mutating func refuse(_ place: String, _ reason: String) { faults.append("\(place): \(reason)") }
}

/// Pushes entries of one collection, and tells what of them counts.
struct StorePush<Definition: StoreDefinition> {
    private let account: String
    private let change: StoreChange<Definition>
    private let entries: PushedEntries
    private let noun: String
    private let arguments: Arguments
    /// Where the last page is stored.
    private var position: Position?
    /// Parts that do not count.
    private var notApplied = 0
    /// Places of entries of which nothing counts.
    private var lost: Set<Int> = []

    /// From a change without entries; the noun is what people call one of them.
    init(
        _ change: StoreChange<Definition>, of account: String, _ entries: PushedEntries,
        noun: String, _ arguments: Arguments
    ) {
        self.account = account
        self.change = change
        self.entries = entries
        self.noun = noun
        self.arguments = arguments
    }

    /// Pushes in as many pages as it takes; the exit status says whether all of it counts.
    mutating func run() async throws -> ExitStatus {
        for fault in entries.faults { tell(fault) }
        var change = change
        change.put = entries.texts
        if !change.put.isEmpty || !change.remove.isEmpty || change.reset {
            try await push(change.pages())
        }
        print(summary)
        return notApplied == 0 ? .success : .negative
    }

    private mutating func push(_ pages: [StoreChange<Definition>]) async throws {
        let budget = try arguments.deadline()
        let answers = try await arguments.withConnection { connection in
            var answers: [(position: Position, answer: ChangeAcknowledgement)] = []
            for page in pages {
                let message = Message.change(
                    page, of: account, source: "sightline \(Definition.change.rawValue)",
                    budgetMilliseconds: budget)
                answers.append(
                    try await AccessComplaint.naming { try await connection.store(message) })
            }
            return answers
        }
        position = answers.last?.position
        var first = 0
        for (page, stored) in zip(pages, answers) {
            take(stored.answer, first)
            first += page.put.count
        }
    }

    private mutating func take(_ answer: ChangeAcknowledgement, _ first: Int) {
        for part in answer.notApplied {
            if part.id == nil, let place = part.place { lost.insert(first + place) }
            let place = part.place.flatMap { name(of: first + $0) } ?? change.collection
            tell("\(place): \(part.text)")
        }
        let more = answer.total - answer.notApplied.count
        if more > 0 {
            tell("\(change.collection): and \(more) more")
            notApplied += more - 1
        }
    }

    private func name(of place: Int) -> String? {
        entries.places.indices.contains(place) ? entries.places[place] : nil
    }

    private mutating func tell(_ text: String) {
        notApplied += 1
        Sightline.complain(TerminalText.escaped(text))
    }

    private var summary: String {
        let count = entries.texts.count - lost.count
        var parts = ["stored \(count) \(noun)\(count == 1 ? "" : "s")"]
        if !change.remove.isEmpty { parts.append("removed \(change.remove.count)") }
        if notApplied > 0 { parts.append("not applied \(notApplied)") }
        return parts.joined(separator: ", ") + (position.map { " at position \($0)" } ?? "")
    }
}

extension Message {
    /// A change of a collection, as commands send it.
    static func change<Definition: StoreDefinition>(
        _ change: StoreChange<Definition>, of account: String, source: String,
        budgetMilliseconds: UInt32
    ) -> Message {
        let collection = "\(account)/\(change.collection)"
        return .change(
            Definition.change, change.json, source: source,
            id: "\(collection)/\(change.revision)/\(ContentHash.of(change.bytes))",
            partitionKey: collection, account: account, budgetMilliseconds: budgetMilliseconds)
    }
}

extension ChangeAcknowledgement.Part {
    /// For people.
    var text: String { (id.map { "\($0): " } ?? "") + "\(code): \(reason)" }
}
