/// Points of a picture by where they are, so that those near a place are found at once.
struct PlaceGrid {
    private let points: [(x: Float, y: Float)]
    private let reach: Float
    private let columns: Int
    private let rows: Int
    /// Pixels of a cell's side: at least twice the reach, so that a place touches four cells at most.
    private let side: Float
    /// The points of each cell, row by row.
    private let cells: [[Int]]

    /// A grid of points inside a picture of a size in pixels, to be asked for those within `reach`
    /// pixels of a place.
    init(_ points: [(x: Float, y: Float)], width: Int, height: Int, reach: Float) {
        self.points = points
        self.reach = reach
        let side = max(1, 2 * reach.rounded(.up))
        self.side = side
        columns = Int(Float(width) / side) + 1
        rows = Int(Float(height) / side) + 1
        var cells = [[Int]](repeating: [], count: columns * rows)
        for (index, point) in points.enumerated() {
            cells[Int(point.y / side) * columns + Int(point.x / side)].append(index)
        }
        self.cells = cells
    }

    /// Runs `body` on the index of each point within reach of a place, which may lie outside of the
    /// picture.
    func forEach(near place: (x: Float, y: Float), _ body: (Int) -> Void) {
        for row in touched(place.y, of: rows) {
            for column in touched(place.x, of: columns) {
                for index in cells[row * columns + column] {
                    let (dx, dy) = (points[index].x - place.x, points[index].y - place.y)
                    if dx * dx + dy * dy <= reach * reach { body(index) }
                }
            }
        }
    }

    /// The rows or columns, of so many, that lie within reach.
    private func touched(_ place: Float, of count: Int) -> Range<Int> {
        let end = side * Float(count)
        guard place + reach >= 0, place - reach < end else { return 0..<0 }
        let first = Int(max(0, place - reach) / side)
        return first..<min(count, Int(min(end, place + reach) / side) + 1)
    }
}
