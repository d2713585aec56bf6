/// A binary heap: the least element is at hand.
struct Heap<Element: Comparable & Sendable>: Sendable {
    /// In no order but that the first one is the least.
    private(set) var elements: [Element] = []

    var first: Element? { elements.first }
    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = elements.popLast(), !elements.isEmpty else { return }
        elements[0] = last
        sink()
    }

    /// Keeps what is wanted.
    mutating func filter(_ isWanted: (Element) -> Bool) {
        elements = elements.filter(isWanted)
        // A sorted array is a heap.
        elements.sort()
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < elements.count && elements[child] < elements[least] {
                least = child
            }
            guard least != parent else { return }
            elements.swapAt(parent, least)
            parent = least
        }
    }
}
