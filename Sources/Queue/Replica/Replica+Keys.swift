internal import Messages

extension Replica {
    /// What a replica has of the journal's account keys.
    enum KeysState: Sendable {
        /// All of them are to be asked for.
        case needed
        /// A KEYS is not answered yet; the keys so far.
        case asked(RequestID, [AccountKey])
        /// The next KEYS is to be sent; the keys so far.
        case more([AccountKey])
        /// They are there, or nobody needs them.
        case had

        var isNeeded: Bool {
            switch self {
            case .needed, .more: true
            case .asked, .had: false
            }
        }
        var isHad: Bool {
            if case .had = self { true } else { false }
        }
        var question: RequestID? {
            if case .asked(let id, _) = self { id } else { nil }
        }
        mutating func forgetQuestion() {
            if case .asked = self { self = .needed }
        }
    }

    /// Asks for all keys, or for those behind the last one that came.
    mutating func askForKeys(_ now: MonotonicTime, _ actions: inout [ReplicaAction]) {
        var sofar: [AccountKey] = []
        if case .more(let keys) = keys { sofar = keys }
        let id = makeQuestion(at: now)
        var message = Message(Header(.keys, requestID: id))
        message.fields.keyID = sofar.last?.id
        keys = .asked(id, sofar)
        actions.append(.send(message))
    }

    /// Takes a page of keys; the last one completes them.
    mutating func takeKeys(_ keyring: Message, _ actions: inout [ReplicaAction]) {
        guard case .asked(let id, let sofar) = keys, id == keyring.header.requestID else {
            actions.append(.fact(.stale))
            return
        }
        let all = sofar + keyring.fields.accountKeys
        guard keyring.header.flags.contains(.complete) || keyring.fields.accountKeys.isEmpty else {
            keys = .more(all)
            return
        }
        keys = .had
        actions.append(.replaceKeys(all))
    }
}
