import Foundation
import TestSupport

/// A Swift file of the package, as text.
struct SourceFile {
    /// Relative to the package's root.
    let path: String
    /// The folder below Sources or Tests.
    let target: String
    let lines: [String]

    static func all(below folder: String) -> [SourceFile] {
        let root = PackageRoot.path(folder)
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
            guard let data = FileManager.default.contents(atPath: "\(root)/\(name)") else {
                return nil
            }
            return SourceFile(
                path: "\(folder)/\(name)", target: String(name.prefix { $0 != "/" }),
                lines: String(decoding: data, as: UTF8.self).components(separatedBy: "\n"))
        }
    }

    /// The modules that the file imports.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let index = words.firstIndex(of: "import"), index <= 1, index + 1 < words.count
            else { return nil }
            return words[index + 1]
        }
    }

    /// Functions and initialisers with the number of their lines, from the line of the name to
    /// the closing brace at the same indentation.
    var functions: [(name: String, lines: Int)] {
        var found: [(String, Int)] = []
        for (number, line) in lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isComment, text.contains("func ") || text.hasPrefix("init(") else {
                continue
            }
            let indentation = line.prefix { $0 == " " }
            guard let end = lines[number...].firstIndex(of: "\(indentation)}") else { continue }
            found.append((String(text.prefix(60)), end - number + 1))
        }
        return found
    }
}

extension String {
    /// The line is a comment.
    var isComment: Bool { trimmingCharacters(in: .whitespaces).hasPrefix("//") }
}
