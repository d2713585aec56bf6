import Foundation
import Messages
import Service

/// Prints what a subscription brings.
struct ListFollower {
    private let isJSON: Bool
    /// A list as people read it.
    private let table: ([JSONValue]) -> String

    init(_ arguments: Arguments, text: @escaping ([JSONValue]) -> String) {
        isJSON = arguments.isSet("json")
        table = text
    }

    /// Goes on until the subscription ends or a signal comes.
    func follow(_ stream: AsyncStream<Subscribed>) async throws -> ExitStatus {
        for await subscribed in stream {
            switch subscribed {
            case .list(let message): try show(message)
            case .ended(let failure): throw failure
            }
        }
        return .success
    }

    private func show(_ message: Message) throws {
        let asOf = message.fields.asOf.map { InstantText.format($0) } ?? ""
        let position = message.fields.position.map { "\($0)" } ?? "none"
        let code = message.fields.text(.errorCode)
        // The one that was printed before, told again by another router.
        if code == nil && message.body.isEmpty { return }
        let body = message.body.isEmpty ? nil : try JSONValue(parsing: message.body)
        if isJSON {
            var line: [String: JSONValue] = [
                "asOf": .string(asOf), "position": .string(position),
            ]
            if let code { line["error"] = .string(code) } else { line["results"] = body }
            print(String(decoding: JSONValue.object(line).canonical(), as: UTF8.self))
        } else {
            print("as of \(asOf), position \(position)")
            print(code.map { refusal($0, message) } ?? table(body?.array ?? []))
            print("")
        }
        fflush(nil)
    }

    private func refusal(_ code: String, _ message: Message) -> String {
        "\(code): \(message.fields.text(.errorText) ?? "")"
    }
}
