/// Several texts in one field of a table: `rock|indie`.
///
/// A bar or backslash inside a text has a backslash before it. A lone bar is a list without texts,
/// which an empty field, that says nothing at all, is not.
enum ListText {
    static func join(_ texts: [String]) -> String {
        guard !texts.isEmpty else { return "|" }
        return texts.map { text in
            text.replacing("\\", with: "\\\\").replacing("|", with: "\\|")
        }.joined(separator: "|")
    }

    static func split(_ field: String) -> [String] {
        guard field != "|", !field.isEmpty else { return [] }
        var texts = [""]
        var isEscaped = false
        for scalar in field.unicodeScalars {
            if isEscaped {
                texts[texts.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "|" {
                texts.append("")
            } else {
                texts[texts.count - 1].unicodeScalars.append(scalar)
            }
        }
        return texts
    }
}
