import Calendar
import Catalog
import Matching
import Messages
import Raster

/// A request that a service cannot answer: what the ERROR will say.
struct ServiceFailure: Error {
    /// The stable code.
    let code: ErrorCode
    /// What is wrong and what is allowed.
    let text: String
    /// More, for programs; empty in most cases.
    var body: [UInt8] = []

    init(_ code: ErrorCode, _ text: String, body: [UInt8] = []) {
        self.code = code
        self.text = text
        self.body = body
    }

    /// The owner of a store does not allow what is asked for.
    init(_ refusal: AccessRefusal) {
        self.init(.accessRequired, refusal.text, body: refusal.json.canonical())
    }

    /// What a client should hear of an error that a module threw.
    init(_ error: any Error) {
        switch error {
        case let failure as ServiceFailure: self = failure
        case let error as JSONError: self.init(.badRequest, "\(error)")
        case let error as CalendarError: self.init(.badRequest, "\(error)")
        case let error as CatalogError: self.init(.badRequest, "\(error)")
        case let error as RasterError:
            self.init(error.code == .stopped ? .deadlineExceeded : .badPicture, "\(error)")
        case let error as MatchingError:
            switch error.code {
            case .printVersion: self.init(.printVersion, "\(error)")
            case .stopped: self.init(.deadlineExceeded, "\(error)")
            case .pictureSize, .printMalformed: self.init(.badRequest, "\(error)")
            }
        default: self.init(.internalFault, "\(error)")
        }
    }
}
