/// A table for the README, its columns padded so that it can be read as it is.
struct MarkdownTable {
    private var rows: [[String]]

    init(_ header: String...) { rows = [header] }

    mutating func add(_ row: String...) {
        precondition(row.count == rows[0].count, "a row has as many cells as the header")
        rows.append(row)
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return "| \(cells.joined(separator: " | ")) |"
        }
        let rule = widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|")
        lines.insert("|\(rule)|", at: 1)
        return lines.joined(separator: "\n")
    }
}
