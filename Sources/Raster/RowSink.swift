/// Takes a decoder's rows in order, keeps what the plan wants, and scales it down as it comes.
struct RowSink {
    private let format: RowFormat
    private var scaler: AreaScaler
    private var line: [UInt8]

    /// Rows between two questions whether to stop, at most.
    private static let rowsBetweenPollsMax = 64
    /// Pixels between two questions, at most, however wide the rows: some ten milliseconds.
    static let pixelsBetweenPolls = 1 << 18

    /// Rows of so many stored pixels between two questions whether to stop.
    static func rowsBetweenPolls(of width: Int) -> Int {
        max(1, min(rowsBetweenPollsMax, pixelsBetweenPolls / max(1, width)))
    }

    /// For rows of `format`, of a picture whose sides have been divided by `reduction`.
    init(plan: DecodePlan, format: RowFormat, reduction: Int = 1) {
        self.format = format
        scaler = plan.scaler(reduction: reduction)
        line = [UInt8](repeating: 0, count: 3 * (scaler.columns.last + 1))
    }

    /// The first pixel of a row that is used.
    var firstColumn: Int { scaler.columns.first }
    /// The last pixel of a row that is used.
    var lastColumn: Int { scaler.columns.last }
    /// The first row that is used.
    var firstRow: Int { scaler.rows.first }
    /// The last row that is used.
    var lastRow: Int { scaler.rows.last }

    /// Takes row after row, from `firstRow` to `lastRow`.
    ///
    /// `offset` is the number of the row's first pixel in its picture, at most `firstColumn`.
    mutating func add(_ row: UnsafePointer<UInt8>, offset: Int = 0) {
        let last = scaler.columns.last
        let format = format
        let first = scaler.columns.first
        line.withUnsafeMutableBufferPointer { line in
            guard let start = line.baseAddress else { return }
            format.convert(
                row, from: first - offset, through: last - offset, to: start + 3 * offset)
        }
        line.withUnsafeBufferPointer { scaler.add(row: $0) }
    }

    /// The scaled picture, as stored.
    func finish() -> Bitmap { scaler.finish() }
}
