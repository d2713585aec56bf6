/// A page as small squares, each flat or not, and the cuts through the flat ones.
struct PageBlocks {
    /// Pixels of a square's side.
    private static let side = 4
    /// Difference of grey levels within a square beyond which it is not flat.
    private static let flatRange: UInt8 = 10
    /// Squares of a region's shorter side, at least (32 pixels). Lines of text are lower.
    private static let regionMin = 8
    /// Largest ratio of a region's sides.
    private static let aspectMax = 5

    /// Squares around a region that belong to it.
    private static let margin = 3
    /// Squares of a region's longer side beyond which lines that frame it are looked through.
    private static let framedMin = 160
    /// Squares of a line, at least: 160 pixels.
    private static let lineMin = 40
    /// Busy squares of nine that make their middle a part of a picture and not of a line.
    private static let solidMin = 7

    private let page: GrayImage
    private let columns: Int
    private let rows: Int
    /// Sums of busy squares above and left of each corner, `columns + 1` a row.
    private let sums: [Int32]

    /// The squares of a page.
    init(_ page: GrayImage) {
        self.page = page
        let columns = (page.width + Self.side - 1) / Self.side
        rows = (page.height + Self.side - 1) / Self.side
        self.columns = columns
        sums = Self.sums(columns, rows) { Self.isBusy(page, $0, $1) }
    }

    /// The same page with only those of its busy squares that a condition holds for.
    private init(_ blocks: PageBlocks, keeping condition: (Int, Int) -> Bool) {
        (page, columns, rows) = (blocks.page, blocks.columns, blocks.rows)
        sums = Self.sums(columns, rows, condition)
    }

    /// Without long thin lines.
    private var withoutLines: PageBlocks {
        var isLine = [Bool](repeating: false, count: columns * rows)
        for row in 0..<rows {
            markLine(in: &isLine, count: columns) { ($0, row) }
        }
        for column in 0..<columns {
            markLine(in: &isLine, count: rows) { (column, $0) }
        }
        return PageBlocks(self) { isBusy($0, $1) && !isLine[$1 * columns + $0] }
    }

    /// Marks the long runs of busy squares along one row or column.
    private func markLine(
        in isLine: inout [Bool], count: Int, at place: (Int) -> (column: Int, row: Int)
    ) {
        var start = 0
        for index in 0...count {
            let here = index < count ? place(index) : (-1, -1)
            if index < count, isBusy(here.0, here.1),
                isThin(here, along: place(0), place(count - 1))
            {
                continue
            }
            if index - start >= Self.lineMin {
                for each in start..<index {
                    let (column, row) = place(each)
                    isLine[row * columns + column] = true
                }
            }
            start = index + 1
        }
    }

    /// Whether the squares on both sides of a line through a square are flat.
    private func isThin(
        _ square: (column: Int, row: Int), along first: (column: Int, row: Int),
        _ last: (column: Int, row: Int)
    ) -> Bool {
        first.row == last.row
            ? !isBusy(square.column, square.row - 1) && !isBusy(square.column, square.row + 1)
            : !isBusy(square.column - 1, square.row) && !isBusy(square.column + 1, square.row)
    }

    /// Only those with busy squares on most sides.
    private var solid: PageBlocks {
        PageBlocks(self) { column, row in
            let around = Box(
                left: max(0, column - 1), top: max(0, row - 1), right: min(columns, column + 2),
                bottom: min(rows, row + 2))
            return busy(around) >= Self.solidMin
        }
    }

    private func isBusy(_ column: Int, _ row: Int) -> Bool {
        guard 0..<columns ~= column, 0..<rows ~= row else { return false }
        return busy(Box(left: column, top: row, right: column + 1, bottom: row + 1)) > 0
    }

    private static func sums(
        _ columns: Int, _ rows: Int, _ isSet: (Int, Int) -> Bool
    ) -> [Int32] {
        var sums = [Int32](repeating: 0, count: (columns + 1) * (rows + 1))
        for row in 0..<rows {
            var line: Int32 = 0
            for column in 0..<columns {
                if isSet(column, row) { line += 1 }
                sums[(row + 1) * (columns + 1) + column + 1] =
                    sums[row * (columns + 1) + column + 1] + line
            }
        }
        return sums
    }

    /// The regions that no flat line cuts, with a margin; what is large is cut once more without
    /// the lines that frame its parts, and then without all that is not solid.
    func regions() -> [PageRegion] {
        var boxes = cut(Box(left: 0, top: 0, right: columns, bottom: rows))
        for blocks in [withoutLines, solid] {
            boxes = boxes.flatMap { box in
                max(box.width, box.height) > Self.framedMin ? blocks.cut(box) : [box]
            }
        }
        return boxes.filter(Self.isPossible).map(region)
    }

    private func cut(_ whole: Box) -> [Box] {
        var found: [Box] = []
        var waiting = [whole]
        while let box = waiting.popLast() {
            guard let box = trimmed(box) else { continue }
            if let parts = parts(of: box) { waiting += parts } else { found.append(box) }
        }
        return found
    }

    private struct Box {
        var left, top, right, bottom: Int
        var width: Int { right - left }
        var height: Int { bottom - top }
    }

    private static func isBusy(_ page: GrayImage, _ column: Int, _ row: Int) -> Bool {
        var (least, most) = (UInt8.max, UInt8.min)
        for y in row * side..<min((row + 1) * side, page.height) {
            for x in column * side..<min((column + 1) * side, page.width) {
                let value = page.pixels[y * page.width + x]
                least = min(least, value)
                most = max(most, value)
            }
        }
        return most - least > flatRange
    }

    private static func isPossible(_ box: Box) -> Bool {
        min(box.width, box.height) >= regionMin
            && max(box.width, box.height) <= aspectMax * min(box.width, box.height)
    }

    /// Busy squares in a box.
    private func busy(_ box: Box) -> Int32 {
        let corner = { (column: Int, row: Int) in self.sums[row * (self.columns + 1) + column] }
        return corner(box.right, box.bottom) - corner(box.left, box.bottom)
            - corner(box.right, box.top) + corner(box.left, box.top)
    }

    private func isFlat(column: Int, in box: Box) -> Bool {
        busy(Box(left: column, top: box.top, right: column + 1, bottom: box.bottom)) == 0
    }

    private func isFlat(row: Int, in box: Box) -> Bool {
        busy(Box(left: box.left, top: row, right: box.right, bottom: row + 1)) == 0
    }

    /// A box without the flat lines along its edges; nil if nothing remains.
    private func trimmed(_ box: Box) -> Box? {
        guard busy(box) > 0 else { return nil }
        var box = box
        while isFlat(column: box.left, in: box) { box.left += 1 }
        while isFlat(column: box.right - 1, in: box) { box.right -= 1 }
        while isFlat(row: box.top, in: box) { box.top += 1 }
        while isFlat(row: box.bottom - 1, in: box) { box.bottom -= 1 }
        return box
    }

    /// The two boxes on both sides of the widest flat gap; nil without one.
    private func parts(of box: Box) -> [Box]? {
        let across = Self.widestGap(box.left..<box.right) { isFlat(column: $0, in: box) }
        let down = Self.widestGap(box.top..<box.bottom) { isFlat(row: $0, in: box) }
        var (first, second) = (box, box)
        if let across, across.count >= down?.count ?? 0 {
            first.right = across.lowerBound
            second.left = across.upperBound
        } else if let down {
            first.bottom = down.lowerBound
            second.top = down.upperBound
        } else {
            return nil
        }
        return [second, first]
    }

    private static func widestGap(
        _ lines: Range<Int>, isFlat: (Int) -> Bool
    ) -> Range<Int>? {
        var widest: Range<Int>?
        var start: Int?
        for line in lines {
            if isFlat(line) {
                if start == nil { start = line }
            } else if let first = start {
                if line - first > widest?.count ?? 0 { widest = first..<line }
                start = nil
            }
        }
        return widest
    }

    private func region(_ box: Box) -> PageRegion {
        let left = max(0, (box.left - Self.margin) * Self.side)
        let top = max(0, (box.top - Self.margin) * Self.side)
        return PageRegion(
            x: left, y: top,
            width: min(page.width, (box.right + Self.margin) * Self.side) - left,
            height: min(page.height, (box.bottom + Self.margin) * Self.side) - top)
    }
}
