import Calendar
import Journal
import Locking
import Messages
import Queue
import Search

/// The services that a worker offers, each a function of a request and the replica's content.
struct Services: Sendable {
    let store: ReplicaStore
    let settings: WorkerSettings
    /// What was worked out for the calendars of accounts before.
    let upcomingShelves = AccountShelves(
        countMax: Limits.upcomingSeriesMax,
        empty: UpcomingBook(occurrencesPerSeriesMax: Limits.occurrencesPerSeriesMax),
        count: \.seriesCount)
    /// What was worked out for the contacts of accounts before.
    let contactShelves = AccountShelves(
        countMax: Limits.contactsRememberedMax, empty: ContactBook(), count: \.count)
    let upcomingNames = UpcomingNameCache()
    /// How long before their deadline searches stop comparing.
    let searchMargin = Locked(SearchMargin())

    /// Forgets what was worked out for an account.
    func forget(_ account: String) {
        upcomingShelves.forget(account)
        contactShelves.forget(account)
    }

    /// Forgets what was worked out for all accounts.
    func forgetAll() {
        upcomingShelves.forgetAll()
        contactShelves.forgetAll()
        upcomingNames.forgetAll()
    }

    /// Answers a request from what the replica held when the job was started; never throws, since
    /// a failure is an answer too.
    func answer(
        _ request: Message, from content: ReplicaContent, stop: StopCondition
    ) -> JobResult {
        do {
            let body = try JSONValue(parsing: request.body)
            let call = ServiceCall(request: request, body: body, content: content, stop: stop)
            return .final(try answer(call))
        } catch {
            let failure = ServiceFailure(error)
            return .failed(
                failure.code, failure.text, body: failure.body, position: content.position)
        }
    }

    private func answer(_ call: ServiceCall) throws -> JobOutput {
        switch call.request.fields.text(.service) {
        case ServiceName.imageSearch: return try search(call)
        case ServiceName.searchPrepare: return try prepareSearch(call)
        case ServiceName.printMake: return try makePrint(call)
        case ServiceName.entityGet: return try getEntities(call)
        case ServiceName.entityList: return try listEntities(call)
        case ServiceName.typeCheck: return try checkType(call)
        case ServiceName.intentOpen: return try openIntent(call)
        case ServiceName.calendarUpcoming: return try upcoming(call)
        case ServiceName.contactQuery: return try contacts(call)
        case ServiceName.healthQuery: return try healthReadings(call)
        case ServiceName.accountExport: return try exportAccount(call)
        case ServiceName.status: return status(call)
        case let other:
            throw ServiceFailure(.unknownService, "this worker does not offer '\(other ?? "")'")
        }
    }
}

/// One request in the hands of a service.
struct ServiceCall {
    /// The request as it came.
    let request: Message
    /// Its body.
    let body: JSONValue
    /// The replica as it stood when the job began.
    let content: ReplicaContent
    /// When to stop.
    let stop: StopCondition

    /// The catalog asked for; an unknown one is an empty one.
    var catalog: ReplicaContent.CatalogState {
        content.catalogs[catalogName] ?? .init()
    }
    /// Its name.
    var catalogName: String { request.fields.text(.catalog) ?? CatalogName.main }
    /// What "now" means for the answer.
    var asOf: Timestamp { request.fields.asOf ?? Timestamp(milliseconds: 0) }
    /// Results wanted at most.
    var limit: Int {
        let wanted = request.fields.integer(.limit, as: UInt32.self).map(Int.init)
        return min(wanted ?? Limits.resultsDefault, Limits.resultsMax)
    }

    /// The attachment of a hash, checked.
    ///
    /// - Throws: `ServiceFailure` if it is not there.
    func attachment(_ hash: ContentHash) throws -> [UInt8] {
        guard let index = request.fields.attachmentHashes.firstIndex(of: hash) else {
            throw ServiceFailure(.badRequest, "the body names \(hash), which is not attached")
        }
        let bytes = request.attachments[index]
        guard ContentHash.of(bytes) == hash else {
            throw ServiceFailure(.badRequest, "the attachment does not have the hash \(hash)")
        }
        return bytes
    }

    /// An answer at the content's position.
    func output(
        _ items: [MergeItem], attachments: [(ContentHash, [UInt8])] = []
    ) -> JobOutput {
        JobOutput(
            items: items, attachments: attachments, position: content.position,
            printVersion: nil)
    }
}
