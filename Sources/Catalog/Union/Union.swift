public import Messages

/// The mixed list of results that a search returns.
public enum Union {
    /// The results of a search, in order, with the keys by which a router merges them.
    ///
    /// Matches stand by distance, then type and id; directly behind each stands what its type's
    /// relations bring along, by weight (higher first), type and id; then what relations group
    /// at the end; then the entities that carry one of the request's labels, by type and id.
    /// Every entity comes once, at its first place. So a match that a better match is related to
    /// stands behind that one, as related, and what it brings along follows it there (at most
    /// `Limits.relationLevelsMax` levels deep); a match that is better than the one it is related
    /// to stays where it is.
    ///
    /// The list is not cut at the limit: parts of other workers are merged with it first. It
    /// begins from at most as many matches, and adds at most as many by labels, as the limit
    /// says, which is all that any cut can show; it has at most `Limits.resultsMax` items.
    ///
    /// - Parameters:
    ///   - matches: In any order; of several for one entity the nearest counts. Matches of
    ///     entities that are not there, or whose type is not declared or not wanted, are left out.
    ///   - known: Matches that another worker's list begins with. They begin nothing here, but one
    ///     that is related to a match brings along here what it would bring along in a list of all.
    ///   - request: What the search asks for.
    ///   - content: The catalog.
    ///   - types: Declared types.
    ///   - calendarHas: Whether the caller's calendar has an entity. Asked for entities with both
    ///     a name to look for in calendars and a date, the only ones that can be in one.
    public static func items(
        matches: [UnionMatch], known: [UnionMatch] = [], request: UnionRequest,
        content: CatalogContent, types: EntityTypes, calendarHas: (Entity) -> Bool
    ) -> [MergeItem] {
        guard request.limit > 0 else { return [] }
        var list = UnionList(request: request, content: content, types: types)
        list.begin(with: matches)
        list.know(known)
        var results = list.run()
        results += list.labelAdditions(except: results)
        return results.prefix(Limits.resultsMax).map { result in
            item(result, request: request, isInCalendar: calendarHas)
        }
    }

    /// Of the entities that matches bring along those that would bring along others themselves if
    /// they matched, too.
    public static func related(
        to matches: [UnionMatch], known: [UnionMatch] = [], request: UnionRequest,
        content: CatalogContent, types: EntityTypes
    ) -> [EntityKey] {
        guard request.limit > 0, types.all.contains(where: { !$0.relations.isEmpty }) else {
            return []
        }
        var list = UnionList(request: request, content: content, types: types)
        list.begin(with: matches)
        list.know(known)
        return list.run().compactMap { result in
            guard case .related = result.origin, !result.type.relations.isEmpty else { return nil }
            return result.entity.key
        }
    }

    private static func item(
        _ result: UnionResult, request: UnionRequest, isInCalendar: (Entity) -> Bool
    ) -> MergeItem {
        let (entity, type) = (result.entity, result.type)
        var members = EntityView.members(of: entity, type: type, locale: request.locale)
        var parentKey: [UInt8] = []
        switch result.origin {
        case .match(let match):
            members["kind"] = .string("match")
            members["distance"] = .integer(match.distance)
            if let inliers = match.inliers { members["inliers"] = .integer(inliers) }
            if let outline = match.outline {
                members["outline"] = .array(
                    outline.map { .array($0.map { .integer($0) }) })
            }
        case .related(let parent, let relation):
            members["kind"] = .string("related")
            members["parent"] = EntityView.name(parent)
            members["relation"] = .string(relation)
            parentKey = parent.unionKey
        case .label: members["kind"] = .string("label")
        }
        if !type.calendarNames(of: entity).isEmpty, !type.dates(of: entity).isEmpty,
            isInCalendar(entity)
        {
            members["inCalendar"] = .bool(true)
        }
        let thumbnail = request.wantsThumbnails ? entity.thumbnail : nil
        if let thumbnail { members["thumbnail"] = .string(thumbnail.description) }
        return MergeItem(
            sortKey: result.sortKey.bytes, unionKey: entity.key.unionKey, parentKey: parentKey,
            json: JSONValue.object(members).canonical(), attachments: thumbnail.map { [$0] } ?? [])
    }
}
