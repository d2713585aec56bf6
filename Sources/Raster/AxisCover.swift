/// Which source pixels each result pixel covers along one axis, and with what weight.
///
/// The axis is measured so finely that every edge falls on a whole number: a source pixel is
/// `unit * count` long and a result pixel `length`, both divided by what they have in common. So
/// the weights of one result pixel are whole numbers that add up to `total`, and nothing is rounded.
struct AxisCover {
    /// One result pixel's share of the source.
    struct Span {
        /// The first covered source pixel.
        var first: Int
        /// The last covered source pixel.
        var last: Int
        /// The weight of the first one.
        var firstWeight: UInt32
        /// The weight of the last one, if it is not the first one too.
        var lastWeight: UInt32
    }

    /// One for each result pixel.
    let spans: [Span]
    /// The weight of a source pixel that is covered whole.
    let wholeWeight: UInt32
    /// The sum of a result pixel's weights.
    let total: UInt32

    /// Divides `length` fine pixels from `start` on into `count` result pixels, where a source
    /// pixel is `unit` fine pixels long.
    init(start: Int, length: Int, unit: Int, count: Int) {
        var divisor = Self.commonDivisor(unit * count, length)
        divisor = Self.commonDivisor(divisor, start * count)
        let whole = unit * count / divisor
        let share = length / divisor
        let origin = start * count / divisor
        wholeWeight = UInt32(whole)
        total = UInt32(share)
        spans = (0..<count).map { index in
            let from = origin + index * share
            let to = from + share
            let first = from / whole
            let last = (to - 1) / whole
            return Span(
                first: first, last: last,
                firstWeight: UInt32(min(to, (first + 1) * whole) - from),
                lastWeight: first == last ? 0 : UInt32(to - last * whole))
        }
    }

    /// The first source pixel that any result pixel covers.
    var first: Int { spans[0].first }
    /// The last source pixel that any result pixel covers.
    var last: Int { spans[spans.count - 1].last }

    /// Whether every result pixel is exactly one source pixel.
    var keepsPixels: Bool { total == wholeWeight && spans[0].firstWeight == total }

    /// The weight of source pixel `index` in a span.
    func weight(of index: Int, in span: Span) -> UInt32 {
        if index == span.first { return span.firstWeight }
        return index == span.last ? span.lastWeight : wholeWeight
    }

    private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}
