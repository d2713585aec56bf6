/// What a message asks for or answers, as one byte of the header.
///
/// `schemas/PROTOCOL.md` says which role may send which command in which state.
public enum Command: UInt8, Sendable, CaseIterable {
    /// First message on a connection: identity, incarnation, offers.
    case hello = 0x01
    /// The answer to a HELLO.
    case welcome = 0x02
    /// A worker grants credit to a router.
    case ready = 0x03
    /// A request for a service.
    case request = 0x04
    /// Some of the results, from a worker to a router only.
    case partial = 0x05
    /// The last results of a request.
    case final = 0x06
    /// The request, change or connection failed; ends it.
    case error = 0x07
    /// The sender no longer wants the request.
    case cancel = 0x08
    /// Are you there?
    case ping = 0x09
    /// I am.
    case pong = 0x0A
    /// A worker takes no new requests and hands back what it has not begun.
    case draining = 0x0B
    /// The sender leaves, or tells the peer that it was replaced.
    case bye = 0x0C
    /// A durable change, to the journal.
    case record = 0x10
    /// The journal stored the change; carries its position.
    case ack = 0x11
    /// A replica asks for the records after a position.
    case subscribe = 0x20
    /// Records in order of position, from the journal to a replica.
    case tail = 0x21
    /// A replica asks for a chunk of a snapshot.
    case fetch = 0x22
    /// A chunk of a snapshot, from the journal to a replica.
    case chunk = 0x23
    /// A peer of the journal asks for account keys.
    case keys = 0x24
    /// Account keys, from the journal to a peer.
    case keyring = 0x25
    /// A list that a client subscribed to is another now; from a worker: something changed that
    /// lists may depend on.
    case notify = 0x30
}
