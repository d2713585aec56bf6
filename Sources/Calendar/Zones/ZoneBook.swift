/// Looks zones up by the names that a calendar uses, and keeps those that were expanded.
struct ZoneBook {
    /// Of floating and all-day values.
    let viewer: Zone
    /// Instants after it need no exact zone.
    private let through: Int64
    private var known: [String: Zone?] = [:]
    /// The VTIMEZONEs of the resource that is being expanded, and those looked up among them.
    private var components = ZoneSet.empty
    private var own: [String: Zone] = [:]
    /// VTIMEZONEs of different resources are mostly the same ones.
    private var tables: [(component: ZoneComponent, table: ZoneTable)] = []

    /// Takes every name for UTC.
    static var onlyUTC: ZoneBook {
        var book = ZoneBook(viewer: .utc, through: 0)
        book.isOnlyUTC = true
        return book
    }
    private var isOnlyUTC = false

    init(viewer: Zone, through: Int64) {
        self.viewer = viewer
        // Events that begin in the window may end after it.
        self.through = min(through + 400 * 86_400, Bounds.secondsMax)
    }

    /// Turns to another resource, whose own zones come before those of the same name elsewhere.
    mutating func begin(_ components: ZoneSet) {
        guard components !== self.components else { return }
        self.components = components
        own = [:]
    }

    /// The zone of a TZID: the object's own VTIMEZONE, else IANA, else a Windows name; nil if none.
    mutating func zone(named name: String) -> Zone? {
        if isOnlyUTC { return .utc }
        if let zone = own[name] { return zone }
        if let component = components[name], own.count < Bounds.zonesMax {
            let zone = Zone.table(table(of: component))
            own[name] = zone
            return zone
        }
        if let zone = known[name] { return zone }
        let zone = ZoneNames.zone(named: name)
        known[name] = zone
        return zone
    }

    private mutating func table(of component: ZoneComponent) -> ZoneTable {
        if let found = tables.first(where: { $0.component == component }) { return found.table }
        let table = ZoneTable(component, through: through)
        tables.append((component, table))
        // A short list: searching it stays cheaper than expanding.
        if tables.count > 64 { tables.removeFirst() }
        return table
    }
}
