internal import Bytes
internal import Messages

/// All results of one search, before the limit cut them.
struct KeptResult: Sendable {
    let client: Identity
    /// The account that the request was for; nil if for none.
    let account: String?
    let items: [MergeItem]
    let attachments: [ContentHash: SharedBytes]
    /// Completeness, missing parts, position and so on, as the reply said them.
    let fields: Fields
    let isComplete: Bool
    let byteCount: Int
    let expiry: MonotonicTime
}

/// The searches whose results are kept for a while; oldest dropped first.
struct KeptResults: Sendable {
    private var results: [ContentHash: KeptResult] = [:]
    private var order: [ContentHash] = []
    private(set) var byteCount = 0
    let countMax: Int
    let bytesMax: Int

    init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }
    var count: Int { results.count }

    mutating func insert(_ result: KeptResult, for token: ContentHash, at now: MonotonicTime) {
        remove(token)
        guard result.byteCount <= bytesMax, countMax > 0 else { return }
        results[token] = result
        order.append(token)
        byteCount += result.byteCount
        while let oldest = order.first, let kept = results[oldest],
            results.count > countMax || byteCount > bytesMax || kept.expiry <= now
        {
            remove(oldest)
        }
    }
    /// The results of a token, if they are this client's and not too old.
    func find(_ token: ContentHash, client: Identity, at now: MonotonicTime) -> KeptResult? {
        guard let result = results[token], result.client == client, result.expiry > now
        else { return nil }
        return result
    }
    /// Forgets everything that was asked for an account.
    mutating func remove(account: String) {
        for (token, result) in results where result.account == account { remove(token) }
    }
    private mutating func remove(_ token: ContentHash) {
        guard let result = results.removeValue(forKey: token) else { return }
        byteCount -= result.byteCount
        order.removeAll { $0 == token }
    }
}
