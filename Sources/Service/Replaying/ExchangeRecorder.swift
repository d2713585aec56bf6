import Messages

final class ExchangeRecorder: Sendable {
    init(folder: String, log: Log) throws {}
    func record(request: Message, reply: Message, client: Identity) {}
    func stop() {}
}
