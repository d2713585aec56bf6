/// Scales RGB rows down as they come: each result pixel is the exact mean of the area that it
/// covers, rounded half up.
///
/// All sums are whole numbers and only the last step rounds, so that a mirrored or turned picture
/// gives the mirrored or turned result, bit for bit.
struct AreaScaler {
    /// How the columns are covered.
    let columns: AxisCover
    /// How the rows are covered.
    let rows: AxisCover

    private var nextRow: Int
    private var firstOpen = 0
    /// Weighted sums of source rows, for each result row that is not finished.
    private var columnSums: [UInt32]
    private var rgb: [UInt8]
    private let isCopy: Bool

    /// With what each axis covers; the first row that is added is `rows.first`.
    init(columns: AxisCover, rows: AxisCover) {
        self.columns = columns
        self.rows = rows
        nextRow = rows.first
        isCopy = columns.keepsPixels && rows.keepsPixels
        columnSums = []
        rgb = []
        if !isCopy { columnSums = Array(repeating: 0, count: sourceWidth * Self.openRowsMax) }
        rgb.reserveCapacity(3 * columns.spans.count * rows.spans.count)
    }

    /// A source row reaches into at most so many result rows: a result row may be a little thinner
    /// than a source row, where the shorter side was rounded up, but never half as thin.
    private static let openRowsMax = 4

    /// Bytes of a source row from its first to its last covered pixel.
    private var sourceWidth: Int { 3 * (columns.last - columns.first + 1) }

    /// Takes the next source row, from its pixel 0 to at least the last covered one.
    mutating func add(row: UnsafeBufferPointer<UInt8>) {
        defer { nextRow += 1 }
        let start = 3 * columns.first
        let covered = UnsafeBufferPointer(rebasing: row[start..<(start + sourceWidth)])
        if isCopy {
            rgb.append(contentsOf: covered)
            return
        }
        var index = firstOpen
        while index < rows.spans.count, rows.spans[index].first <= nextRow {
            let span = rows.spans[index]
            add(covered, to: index, weight: rows.weight(of: nextRow, in: span))
            index += 1
            if span.last == nextRow {
                close(firstOpen)
                firstOpen += 1
            }
        }
    }

    /// The scaled picture; every covered row must have been added.
    func finish() -> Bitmap {
        Bitmap(width: columns.spans.count, height: rows.spans.count, rgb: rgb)
    }

    /// Where the sums of an open result row begin.
    private func place(of index: Int) -> Int { index % Self.openRowsMax * sourceWidth }

    private mutating func add(
        _ row: UnsafeBufferPointer<UInt8>, to index: Int, weight: UInt32
    ) {
        let place = place(of: index)
        columnSums.withUnsafeMutableBufferPointer { sums in
            let sums = UnsafeMutableBufferPointer(rebasing: sums[place..<(place + row.count)])
            for at in 0..<row.count { sums[at] &+= UInt32(row[at]) &* weight }
        }
    }

    /// Turns the sums of a result row whose last source row has come into pixels, and clears them.
    private mutating func close(_ index: Int) {
        let area = UInt64(columns.total) * UInt64(rows.total)
        // Half of the sum's type is as good wherever all sums fit in it, and twice as fast.
        if area * 256 <= UInt64(UInt32.max) {
            rgb.append(contentsOf: means(place: place(of: index), area: UInt32(area)))
        } else {
            rgb.append(contentsOf: means(place: place(of: index), area: area))
        }
    }

    private mutating func means<Sum: FixedWidthInteger & UnsignedInteger>(
        place: Int, area: Sum
    ) -> [UInt8] {
        let width = 3 * columns.spans.count
        let sourceWidth = sourceWidth
        return [UInt8](unsafeUninitializedCapacity: width) { target, count in
            columnSums.withUnsafeMutableBufferPointer { sums in
                let sums = UnsafeMutableBufferPointer(rebasing: sums[place..<(place + sourceWidth)])
                withUnsafeTemporaryAllocation(of: Sum.self, capacity: width) { areaSums in
                    columns.sum(UnsafeBufferPointer(sums), into: areaSums)
                    Self.divide(areaSums, by: area, into: target)
                }
                sums.update(repeating: 0)
            }
            count = width
        }
    }

    /// Divides, rounding half up.
    private static func divide<Sum: FixedWidthInteger & UnsignedInteger>(
        _ sums: UnsafeMutableBufferPointer<Sum>, by area: Sum,
        into target: UnsafeMutableBufferPointer<UInt8>
    ) {
        // The estimate is right or one too small: Granlund and Montgomery, "Division by invariant
        // integers using multiplication" (1994).
        let reciprocal = Sum.max / area
        let half = area / 2
        for at in 0..<sums.count {
            let sum = sums[at] &+ half
            let quotient = Sum(truncatingIfNeeded: sum.multipliedFullWidth(by: reciprocal).high)
            let isShort = sum &- quotient &* area >= area
            target[at] = UInt8(truncatingIfNeeded: quotient &+ (isShort ? 1 : 0))
        }
    }
}

extension AxisCover {
    /// Adds up RGB values along the axis, by their weights; `values` begins with the pixel `first`.
    fileprivate func sum<Sum: FixedWidthInteger & UnsignedInteger>(
        _ values: UnsafeBufferPointer<UInt32>, into sums: UnsafeMutableBufferPointer<Sum>
    ) {
        let whole = Sum(truncatingIfNeeded: wholeWeight)
        let origin = first
        spans.withUnsafeBufferPointer { spans in
            for index in 0..<spans.count {
                let span = spans[index]
                let start = 3 * (span.first - origin)
                let end = 3 * (span.last - origin)
                let firstWeight = Sum(truncatingIfNeeded: span.firstWeight)
                // No weight where first and last are the same pixel.
                let lastWeight = Sum(truncatingIfNeeded: span.lastWeight)
                for channel in 0..<3 {
                    var middle: Sum = 0
                    var at = start + 3 + channel
                    while at < end {
                        middle &+= Sum(truncatingIfNeeded: values[at])
                        at += 3
                    }
                    let left = Sum(truncatingIfNeeded: values[start + channel]) &* firstWeight
                    let right = Sum(truncatingIfNeeded: values[end + channel]) &* lastWeight
                    sums[3 * index + channel] = left &+ middle &* whole &+ right
                }
            }
        }
    }
}
