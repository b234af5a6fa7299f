package import HealthModel

/// The names that people call types by: those in the Health app, and common ones.
package enum TypeSynonyms {
    /// The names of all types with the short names of these, as they are compared.
    package static let all: [(name: String, type: String)] = TypeCatalog.values(TypeTables.names).flatMap { row in
        let type = TypeDescription.shortName(of: row.identifier)
        return row.value.split(separator: ",").map { (name: key($0), type: type) }
    }

    private static let types = Dictionary(all.map { ($0.name, $0.type) }) { first, _ in first }
    private static let shortNames = Dictionary(TypeCatalog.all.map { (key($0.shortName), $0) }) { first, _ in first }

    /// The type that people call so, or whose short name it is in another spelling.
    package static func type(called name: String) -> TypeDescription? {
        let key = key(name)
        return shortNames[key] ?? types[key].flatMap { shortNames[Self.key($0)] }
    }

    /// The letters and digits of a name in lowercase, its words in the singular.
    package static func key(_ name: some StringProtocol) -> String {
        var name = name.lowercased()
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            name = String(name.map { $0.isLetter || $0.isNumber ? $0 : " " })
        }
        // In bytes, because a command compares its argument with all names before it does anything else.
        return name.utf8.split { byte in
            byte < 0x80
                && !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
        }.reduce(into: "") { $0 += singular(Substring($1)) }
    }

    /// The words of a name in lowercase and the singular: `stepCount`, `step-count` and `Step counts` have the same.
    package static func words(of name: some StringProtocol) -> Set<String> {
        var (words, wasUppercase) = ([""], false)
        for letter in name {
            let isWord = letter.isLetter || letter.isNumber
            // Abbreviations are one word.
            if !isWord || letter.isUppercase && !wasUppercase { words.append("") }
            if isWord { words[words.count - 1] += letter.lowercased() }
            wasUppercase = letter.isUppercase
        }
        return Set(words.filter { !$0.isEmpty }.map { String(singular($0[...])) })
    }

    /// A word without the s of the plural.
    private static func singular(_ word: Substring) -> Substring {
        let bytes = word.utf8
        let isPlural = bytes.count > 3 && bytes.last == UInt8(ascii: "s") && bytes.dropLast().last != UInt8(ascii: "s")
        return isPlural ? word.dropLast() : word
    }
}
