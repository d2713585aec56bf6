/// Columns of text, aligned.
struct Table {
    var header: [String]
    var rows: [[String]]

    /// One line a row, two spaces between columns, no space at the end of a line; nothing in a
    /// cell steers the terminal.
    var text: String {
        let all = ([header] + rows).map { $0.map(TerminalText.escaped) }
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
