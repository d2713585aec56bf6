/// The names of the services.
public enum ServiceName {
    /// Pictures, pixels, prints or labels to a mixed, ranked list.
    public static let imageSearch = "image.search"
    /// A picture or pixels to a feature print.
    public static let printMake = "print.make"
    /// Ids to fresh entities.
    public static let entityGet = "entity.get"
    /// Entities by type and id.
    public static let entityList = "entity.list"
    /// A declaration of a type to the entities that it does not fit.
    public static let typeCheck = "type.check"
    /// An id to its open-intent route.
    public static let intentOpen = "intent.open"
    /// A token to the results that a router kept; answered by the router itself.
    public static let searchContinue = "search.continue"
    /// The result of a detached request, by the id in the field job; answered by the router itself.
    public static let jobResult = "job.result"
    /// Forgets a detached request; answered by the router itself.
    public static let jobDrop = "job.drop"
    /// The events of the next days whose titles hold a name of the catalog.
    public static let calendarUpcoming = "calendar.upcoming"
    /// The contacts of an account, with the entities that they are named like.
    public static let contactQuery = "contact.query"
    /// The health readings of an account.
    public static let healthQuery = "health.query"
    /// Everything that is kept of an account.
    public static let accountExport = "account.export"
    /// What each worker and the router are doing.
    public static let status = "status"

    /// The picture of a search to what its parts search with; routers ask for it.
    public static let searchPrepare = "search.prepare"

    /// Every name that clients use, in the order of the specification.
    public static let all = [
        imageSearch, printMake, entityGet, entityList, typeCheck, intentOpen, searchContinue,
        calendarUpcoming, contactQuery, healthQuery, accountExport, status,
    ]

    /// Those whose answers a client can subscribe to.
    public static let lists = [calendarUpcoming, contactQuery, healthQuery]

    /// The stores of accounts that a service reads; none for most.
    public static func stores(of service: String) -> [StoreKind] {
        switch service {
        case imageSearch, calendarUpcoming: [.calendar]
        case contactQuery: [.contacts]
        case healthQuery: [.health]
        case accountExport: StoreKind.allCases
        default: []
        }
    }
}
