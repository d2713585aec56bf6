/// One calendar, worked out for a span of time.
struct UpcomingCalendar: Sendable {
    private let name: String
    private var zone = ""
    private var span = UpcomingSpan(from: 0, to: 0)
    private var resources: [String: HeldCalendar.Resource] = [:]
    private var series: [String: UpcomingSeries] = [:]
    /// UIDs with hits, and those whose hits have to be worked out for each window.
    private var uidsWithHits: Set<String> = []
    private var denseUIDs: Set<String> = []

    init(name: String) { self.name = name }

    /// Series that are kept.
    var seriesCount: Int { series.count }
    /// Whether some hits have to be worked out for each window.
    var hasDense: Bool { !denseUIDs.isEmpty }

    /// Takes over what changed: only a UID that was put anew is read anew.
    mutating func update(
        to held: HeldCalendar, span wanted: UpcomingSpan, names: UpcomingNames, countMax: Int,
        work: inout UpcomingWork
    ) {
        let isMoved = zone != held.zone || span != wanted
        (zone, span) = (held.zone, wanted)
        if isMoved {
            for uid in series.keys { expand(uid, names, countMax, &work) }
        }
        // Equal copies share their storage, so comparing what did not change costs nothing.
        guard resources != held.resources else { return }
        for uid in resources.keys where held.resources[uid] == nil {
            series[uid] = nil
            uidsWithHits.remove(uid)
            denseUIDs.remove(uid)
        }
        for (uid, resource) in held.resources where series[uid]?.text != resource.text {
            series[uid] = UpcomingSeries(uid: uid, text: resource.text)
            work.read += 1
            expand(uid, names, countMax, &work)
        }
        resources = held.resources
    }

    /// Looks for names in every title again.
    mutating func look(for names: UpcomingNames, work: inout UpcomingWork) {
        for uid in series.keys { look(uid, names, &work) }
    }

    private mutating func expand(
        _ uid: String, _ names: UpcomingNames, _ countMax: Int, _ work: inout UpcomingWork
    ) {
        work.expanded += 1
        series[uid]?.expand(in: span, zone: zone, countMax: countMax)
        if series[uid]?.isDense == true { denseUIDs.insert(uid) } else { denseUIDs.remove(uid) }
        look(uid, names, &work)
    }

    private mutating func look(
        _ uid: String, _ names: UpcomingNames, _ work: inout UpcomingWork
    ) {
        work.lookedThrough += 1
        series[uid]?.look(for: names, calendar: name)
        let hasHits = series[uid]?.hits.isEmpty == false
        if hasHits { uidsWithHits.insert(uid) } else { uidsWithHits.remove(uid) }
    }

    /// The hits that overlap a window inside the span, in no order.
    func hits(
        in window: UpcomingSpan, names: UpcomingNames, countMax: Int
    ) -> [UpcomingHit] {
        var found: [UpcomingHit] = []
        for uid in uidsWithHits where !denseUIDs.contains(uid) {
            for hit in series[uid]?.hits ?? []
            where hit.occurrence.overlaps(from: window.from, to: window.to) {
                found.append(hit)
            }
        }
        for uid in denseUIDs {
            found +=
                series[uid]?.hits(
                    in: window, zone: zone, countMax: countMax, names, calendar: name) ?? []
        }
        return found
    }
}

/// What was worked out so far, to see that nothing is worked out twice.
public struct UpcomingWork: Sendable, Equatable {
    /// Resources that were read.
    public internal(set) var read = 0
    /// Series that were expanded.
    public internal(set) var expanded = 0
    /// Series whose titles were looked through for names.
    public internal(set) var lookedThrough = 0

    /// Nothing yet.
    public init() {}
}
