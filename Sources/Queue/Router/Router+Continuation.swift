internal import Bytes
internal import Messages

/// Kept results: what a search found beyond its limit, for the app that opens afterwards.
extension Router {
    mutating func keep(
        _ items: [MergeItem], _ attachments: [ContentHash: SharedBytes], isComplete: Bool,
        _ exchange: Exchange, _ fields: inout Fields, _ now: Now
    ) {
        let token = keyedHash(Self.tokenInput(exchange, fields))
        fields.continueToken = token
        fields.set(
            .continueRoute,
            text: Self.fill(configuration.continueRoute, token: token.description))
        let named = Set(items.flatMap(\.attachments))
        let kept = attachments.filter { named.contains($0.key) }
        let size =
            items.reduce(0) { $0 + $1.jsonRange.count + $1.sortSlice.count + $1.unionSlice.count }
            + kept.values.reduce(0) { $0 + $1.count }
        self.kept.insert(
            KeptResult(
                client: exchange.key.client, account: exchange.request.fields.text(.account),
                items: items, attachments: kept, fields: fields,
                isComplete: isComplete, byteCount: size,
                expiry: now.monotonic.adding(milliseconds: configuration.keptMilliseconds)),
            for: token, at: now.monotonic)
    }

    /// Who asked what, answered where: each value preceded by its length, so that no two
    /// questions give the same bytes.
    private static func tokenInput(_ exchange: Exchange, _ reply: Fields) -> [UInt8] {
        let request = exchange.request.fields
        let values: [[UInt8]?] = [
            exchange.key.client.bytes, Array(exchange.service.utf8), exchange.request.body,
            request[.catalog], request[.account], request[.asOf], request[.printVersion],
            reply[.position], reply[.printVersion],
        ]
        return values.reduce(into: []) { bytes, value in
            bytes.append(value == nil ? 0 : 1)
            bytes += bigEndianBytes(UInt32(value?.count ?? 0)) + (value ?? [])
        }
    }

    /// Everything before and behind each `{token}`, with the token between.
    private static func fill(_ route: String, token: String) -> String {
        let placeholder = Array("{token}".utf8)
        let bytes = Array(route.utf8)
        var filled: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: placeholder) {
                filled += token.utf8
                index += placeholder.count
            } else {
                filled.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }

    /// `search.continue`: the router is the server here, so it reads the body.
    mutating func answerContinuation(
        _ message: Message, _ key: RequestKey, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let token = Self.token(of: message) else {
            let text = "body: {\"token\": 64 hexadecimal digits}"
            return refuse(.error(.badRequest, text), key, OwnService.continuation, &actions)
        }
        guard let result = kept.find(token, client: key.client, at: now.monotonic) else {
            let text = "the results are gone; search again"
            return refuse(.error(.notKept, text), key, OwnService.continuation, &actions)
        }
        let limit: UInt32? = message.fields.integer(.limit)
        let final = Self.final(
            result.items, limit: limit.map(Int.init) ?? Limits.resultsDefault,
            fields: result.fields, attachments: result.attachments,
            isComplete: result.isComplete)
        finished.insert(key)
        if result.isComplete { counters.complete += 1 } else { counters.incomplete += 1 }
        reply(final, to: key, &actions)
        let outcome: RouterFact.Outcome = result.isComplete ? .complete : .incomplete
        actions.append(.fact(.finished(key.id, service: OwnService.continuation, outcome)))
        guard configuration.records else { return }
        var recorded = final
        recorded.header.requestID = key.id
        actions.append(
            .exchange(
                request: message, reply: recorded, client: key.client, arrival: now.monotonic))
    }

    private static func token(of message: Message) -> ContentHash? {
        if let token = message.fields.continueToken { return token }
        do throws(JSONError) {
            let body = try JSONValue(parsing: message.body)
            return body["token"]?.text.flatMap { ContentHash(hex: $0) }
        } catch {
            // No JSON: the caller answers BAD_REQUEST.
            return nil
        }
    }
}
