internal import Locking
internal import Messages

/// The keyring of a journal with its file.
final class KeyVault: Sendable {
    private struct State: Sendable {
        var keyring: Keyring
        var file: KeyFile?
    }
    private let state: Locked<State>

    /// Opens the key file of a journal's folder.
    init(in folder: Folder, mode: SegmentLog.Mode) throws(JournalError) {
        var keyring = Keyring()
        switch mode {
        case .readOnly:
            keyring = try KeyFile.keyring(in: folder)
            state = Locked(State(keyring: keyring, file: nil))
        case .readWrite:
            let file = try KeyFile(in: folder, keyring: &keyring)
            state = Locked(State(keyring: keyring, file: file))
        }
    }

    /// The keys as they are.
    var keyring: Keyring { state.withLock { $0.keyring } }

    /// Adds keys, on the disk once this returns.
    func add(_ keys: [AccountKey]) throws(JournalError) {
        guard !keys.isEmpty else { return }
        try state.withLock { (state) throws(JournalError) in
            try state.file?.append(keys)
            for key in keys { state.keyring.add(key) }
        }
    }

    /// Notes what was stated under keys, on the disk once this returns; what is known already
    /// costs nothing.
    func state(_ stated: [(key: KeyID, status: AccessStatus)]) throws(JournalError) {
        try state.withLock { (state) throws(JournalError) in
            var keyring = state.keyring
            var ids: [KeyID] = []
            for (id, status) in stated where keyring[id] != nil {
                guard keyring.access(under: id) != status else { continue }
                keyring.state(status, under: id)
                ids.append(id)
            }
            guard !ids.isEmpty else { return }
            try state.file?.append(accessUnder: ids, of: keyring)
            state.keyring = keyring
        }
    }

    /// Destroys keys, those of them that there are.
    func destroy(_ ids: some Sequence<KeyID>) throws(JournalError) {
        try state.withLock { (state) throws(JournalError) in
            var keyring = state.keyring
            var isChanged = false
            for id in ids where keyring.remove(id) != nil { isChanged = true }
            guard isChanged else { return }
            try state.file?.replace(by: keyring)
            state.keyring = keyring
        }
    }
}
