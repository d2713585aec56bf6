import Journal
import Locking
import Messages

/// Lets replicas see a journal up to a position only, and more of it step by step, so that a
/// replay applies each record at its recorded place.
final class PositionGate: Sendable {
    private struct State {
        var sequence: UInt64
        var whenMoved: (@Sendable () -> Void)?
    }
    private let state: Locked<State>

    /// Shows nothing behind a sequence.
    init(sequence: UInt64) {
        state = Locked(State(sequence: sequence))
    }

    /// Tells the journal's role when the gate moves.
    func notify(_ whenMoved: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenMoved = whenMoved }
    }

    /// Shows the records up to a later sequence; an earlier one changes nothing.
    func move(to sequence: UInt64) {
        let whenMoved = state.withLock { state in
            state.sequence = max(state.sequence, sequence)
            return state.whenMoved
        }
        whenMoved?()
    }

    /// The record may be seen.
    func lets(_ record: Record) -> Bool {
        (record.position?.sequence ?? 0) <= state.withLock { $0.sequence }
    }

    /// The journal's head as far as it may be seen.
    func head(of backend: any JournalBackend) -> Position {
        let sequence = min(backend.head.sequence, state.withLock { $0.sequence })
        return Position(epoch: backend.epoch, sequence: sequence)
    }
}
