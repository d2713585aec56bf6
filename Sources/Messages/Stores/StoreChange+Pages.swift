extension StoreChange {
    /// Bytes of what is put and removed in one page, well within a body.
    private static var pageBytesMax: Int { Limits.bodyBytesMax / 2 }

    /// This change in as many as the limits ask for, with one revision. Of a reset all but the last
    /// are incomplete; the token comes with the last.
    ///
    /// An entry whose text alone exceeds a page is a page of its own.
    public func pages() -> [StoreChange] {
        var pages = [emptyPage]
        var bytes = 0
        func makeRoom(for size: Int, _ count: (StoreChange) -> Int) {
            let isFull = count(pages[pages.count - 1]) >= Limits.resourcesPerChangeMax
            if isFull || (bytes > 0 && bytes + size > Self.pageBytesMax) {
                pages.append(emptyPage)
                bytes = 0
            }
            bytes += size
        }
        for id in remove {
            makeRoom(for: id.utf8.count + 3) { $0.remove.count }
            pages[pages.count - 1].remove.append(id)
        }
        for text in put {
            makeRoom(for: Definition.entry(of: text).canonical().count + 16) { $0.put.count }
            pages[pages.count - 1].put.append(text)
        }
        if reset { for index in pages.indices.dropLast() { pages[index].complete = false } }
        pages[pages.count - 1].token = token
        return pages
    }

    private var emptyPage: StoreChange {
        StoreChange(
            collection: collection, revision: revision, zone: zone, reset: reset,
            complete: complete)
    }
}
