public import Raster

/// Failures as one picture: a row each with the query, what it should find and what it found.
public struct ContactSheet: Sendable {
    /// Pixels of one picture's longer side, at most.
    static let cell = 200
    private static let margin = 14
    private static let header = 40
    private static let rowHeight = cell + 62
    private static let ink = Color(30, 30, 30)

    /// One row.
    public struct Row: Sendable {
        let failure: Failure
        let query: Bitmap?
        let wanted: Bitmap?
        let found: Bitmap?

        /// A failure with its pictures; nil for one that there is none of.
        public init(_ failure: Failure, query: Bitmap?, wanted: Bitmap?, found: Bitmap?) {
            self.failure = failure
            self.query = query
            self.wanted = wanted
            self.found = found
        }
    }

    /// Draws some rows of `total` failures, up to four beside one another.
    public static func picture(_ rows: [Row], total: Int) -> Bitmap {
        let across = max(1, min(4, (rows.count + 9) / 10))
        let width = 3 * (cell + margin) + margin
        var canvas = Canvas(
            width: across * width,
            height: header + max(1, (rows.count + across - 1) / across) * rowHeight, .white)
        write(
            "\(total) failures" + (rows.count < total ? ", the first \(rows.count)" : ""),
            Point(x: Double(margin), y: 14), size: 13, on: &canvas)
        for (number, row) in rows.enumerated() {
            paint(
                row, left: number % across * width, top: header + number / across * rowHeight,
                on: &canvas)
        }
        return canvas.bitmap
    }

    private static func paint(_ row: Row, left edge: Int, top: Int, on canvas: inout Canvas) {
        let failure = row.failure
        canvas.fillBox(
            left: 0, top: top, right: canvas.width, bottom: top + 1, Color(200, 200, 200))
        let stranger = failure.wanted == nil ? "a stranger" : ""
        let columns: [(Bitmap?, String, String)] = [
            (row.query, "\(failure.kind.rawValue): \(failure.set)", failure.picture),
            (
                row.wanted, distance("should find", failure.wantedDistance),
                failure.wanted ?? stranger
            ),
            (row.found, distance("found", failure.found?.distance), failure.found?.id ?? "nothing"),
        ]
        for (column, (picture, label, name)) in columns.enumerated() {
            let left = edge + margin + column * (cell + margin)
            write(label, Point(x: Double(left), y: Double(top + 10)), size: 9, on: &canvas)
            write(
                shortened(name), Point(x: Double(left), y: Double(top + 28)), size: 7, on: &canvas)
            guard let small = picture?.scaled(maxSide: cell) else { continue }
            canvas.copy(small, left: left, top: top + 48)
        }
    }

    private static func distance(_ label: String, _ millionths: Int?) -> String {
        guard let millionths else { return label }
        return "\(label) at \(EvaluationResult.distance(millionths))"
    }

    /// The end of a name, as much as a column holds.
    private static func shortened(_ name: String) -> String {
        let count = Int(Double(cell) / lettering(7).width(of: 1))
        return name.count > count ? "..." + name.suffix(count - 3) : name
    }

    private static func lettering(_ size: Double) -> Lettering {
        var lettering = Lettering(size: size)
        lettering.weight = 0.13
        lettering.stretch = 0.75
        return lettering
    }

    private static func write(
        _ text: String, _ place: Point, size: Double, on canvas: inout Canvas
    ) {
        canvas.write(text, at: place, lettering(size), ink)
    }
}
