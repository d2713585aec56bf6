extension ContentLine {
    /// What the parameter TYPE says, in lower case, each once: `TYPE=home,work`,
    /// `TYPE="home,work"`, several TYPEs, and words without a name, which older programs write.
    /// PREF of any value is `pref`.
    var types: [String] {
        var types: [String] = []
        for parameter in parameters(countMax: Bounds.cardValuesMax) {
            let words: [Substring]
            switch parameter.name {
            case "TYPE", "": words = parameter.value.split(separator: ",")
            case "PREF": words = ["pref"]
            default: continue
            }
            for word in words.prefix(Bounds.cardValuesMax) {
                let type = word.trimmingSpaces.lowercased()
                let isFresh = !type.isEmpty && !types.contains(type)
                if isFresh, types.count < Bounds.cardTypesMax { types.append(type) }
            }
        }
        return types
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
