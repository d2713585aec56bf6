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
    private var line: [UInt32]
    private var sums: [UInt64]
    private var rgb: [UInt8]
    private let isCopy: Bool

    /// With what each axis covers; the first row that is added is `rows.first`.
    init(columns: AxisCover, rows: AxisCover) {
        self.columns = columns
        self.rows = rows
        nextRow = rows.first
        let width = 3 * columns.spans.count
        line = [UInt32](repeating: 0, count: width)
        sums = [UInt64](repeating: 0, count: width * Self.openRowsMax)
        rgb = []
        rgb.reserveCapacity(width * rows.spans.count)
        isCopy = columns.keepsPixels && rows.keepsPixels
    }

    /// A source row reaches into at most so many result rows: a result row may be a little thinner
    /// than a source row, where the shorter side was rounded up, but never half as thin.
    private static let openRowsMax = 4

    /// Takes the next source row, from its pixel 0 to at least the last covered one.
    mutating func add(row: UnsafeBufferPointer<UInt8>) {
        defer { nextRow += 1 }
        if isCopy {
            let start = 3 * columns.first
            rgb.append(contentsOf: row[start..<(start + line.count)])
            return
        }
        guard firstOpen < rows.spans.count, nextRow >= rows.spans[firstOpen].first else { return }
        addColumns(of: row)
        var index = firstOpen
        while index < rows.spans.count, rows.spans[index].first <= nextRow {
            let span = rows.spans[index]
            addLine(to: index, weight: rows.weight(of: nextRow, in: span))
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

    /// Sums one source row along the columns into `line`.
    private mutating func addColumns(of row: UnsafeBufferPointer<UInt8>) {
        let whole = columns.wholeWeight
        columns.spans.withUnsafeBufferPointer { spans in
            line.withUnsafeMutableBufferPointer { line in
                for index in 0..<spans.count {
                    let span = spans[index]
                    var at = 3 * span.first
                    var red = UInt32(row[at]) &* span.firstWeight
                    var green = UInt32(row[at + 1]) &* span.firstWeight
                    var blue = UInt32(row[at + 2]) &* span.firstWeight
                    let end = 3 * span.last
                    if at < end {
                        var middle: (red: UInt32, green: UInt32, blue: UInt32) = (0, 0, 0)
                        at += 3
                        while at < end {
                            middle.red &+= UInt32(row[at])
                            middle.green &+= UInt32(row[at + 1])
                            middle.blue &+= UInt32(row[at + 2])
                            at += 3
                        }
                        red &+= middle.red &* whole &+ UInt32(row[end]) &* span.lastWeight
                        green &+= middle.green &* whole &+ UInt32(row[end + 1]) &* span.lastWeight
                        blue &+= middle.blue &* whole &+ UInt32(row[end + 2]) &* span.lastWeight
                    }
                    line[3 * index] = red
                    line[3 * index + 1] = green
                    line[3 * index + 2] = blue
                }
            }
        }
    }

    /// Adds `line` to the sums of one open result row.
    private mutating func addLine(to index: Int, weight: UInt32) {
        let start = index % Self.openRowsMax * line.count
        let weight = UInt64(weight)
        line.withUnsafeBufferPointer { line in
            sums.withUnsafeMutableBufferPointer { sums in
                for at in 0..<line.count {
                    sums[start + at] &+= UInt64(line[at]) &* weight
                }
            }
        }
    }

    /// Divides the sums of a result row whose last source row has come, and clears them.
    private mutating func close(_ index: Int) {
        let start = index % Self.openRowsMax * line.count
        let area = UInt64(columns.total) * UInt64(rows.total)
        let reciprocal = UInt64.max / area
        let width = line.count
        let mean = [UInt8](unsafeUninitializedCapacity: width) { target, count in
            sums.withUnsafeMutableBufferPointer { sums in
                for at in 0..<width {
                    let sum = sums[start + at] &+ area / 2
                    sums[start + at] = 0
                    // The estimate is right or one too small: Granlund and Montgomery, "Division
                    // by invariant integers using multiplication" (1994).
                    var quotient = sum.multipliedFullWidth(by: reciprocal).high
                    if sum &- quotient &* area >= area { quotient &+= 1 }
                    target[at] = UInt8(truncatingIfNeeded: quotient)
                }
            }
            count = width
        }
        rgb.append(contentsOf: mean)
    }
}
