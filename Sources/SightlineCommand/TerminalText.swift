/// Text of strangers as a terminal may show it.
enum TerminalText {
    /// The text with what would steer a terminal, break a line or turn the direction of writing
    /// in the form `\u{1B}`.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: steers) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if steers(scalar) {
                escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}",
            "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
            true
        default: false
        }
    }
}
