import Locking

/// What other threads tell a role; posting wakes the role's loop.
final class Mailbox<Letter: Sendable>: Sendable {
    private let letters = Locked<[Letter]>([])
    private let signal: WakeSignal

    init(waking signal: WakeSignal) {
        self.signal = signal
    }

    /// Adds a letter, from any thread.
    func post(_ letter: Letter) {
        let wasEmpty = letters.withLock { letters in
            letters.append(letter)
            return letters.count == 1
        }
        if wasEmpty { signal.wake() }
    }

    /// Everything posted since the last call, in order.
    func takeAll() -> [Letter] {
        letters.withLock { letters in
            let taken = letters
            letters.removeAll()
            return taken
        }
    }
}
