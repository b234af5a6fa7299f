package import HealthModel

extension StoreDictionaries {
    /// The type with an identifier or a short name, such as `HKQuantityTypeIdentifierStepCount` or `stepCount`; of the
    /// catalog or of this store, or with a name that people call it by, such as “Blood Oxygen” or `resting hr`.
    package func type(named name: String) -> TypeDescription? {
        type(identifier: name) ?? TypeSearch(name, in: self).found
    }
}

/// The search for the data type that a person means.
package struct TypeSearch {
    private let text: String
    /// The types of this store that the catalog doesn't have.
    private let own: [TypeDescription]
    /// Longer texts are not names of types, and comparing them takes long.
    private static let maximumLength = 100

    /// Searches in the catalog and among the types that are known to this store only.
    package init(_ text: String, in dictionaries: StoreDictionaries) {
        (self.text, own) = (text, dictionaries.types)
    }

    private var types: [TypeDescription] { text.utf8.count > Self.maximumLength ? [] : TypeCatalog.all + own }

    /// The types of the catalog by their names in lowercase: applications send these with every batch.
    private static let identifiers = Dictionary(
        TypeCatalog.all.map { ($0.identifier.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    private static let shortNames = Dictionary(
        TypeCatalog.all.map { ($0.shortName.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

    /// The type with this identifier or short name, in any case; a common name such as `steps`; or the only type whose
    /// name contains all these words, such as `glucose` or `resting heart rate`.
    package var found: TypeDescription? {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let wanted = text.lowercased()
        if let exact = Self.identifiers[wanted] ?? own.first(where: { $0.identifier.lowercased() == wanted }) {
            return exact
        }
        if let named = Self.shortNames[wanted] ?? own.first(where: { $0.shortName.lowercased() == wanted }) {
            return named
        }
        if let called = TypeSynonyms.type(called: text) { return called }
        let (asked, named) = containing
        // All words of a name are that name, whatever their order and spelling.
        return named.first { TypeSynonyms.words(of: $0.shortName) == asked } ?? (named.count == 1 ? named[0] : nil)
    }

    /// The words that are searched for, and the types whose names contain them.
    private var containing: (words: Set<String>, types: [TypeDescription]) {
        func having(_ asked: Set<String>) -> [TypeDescription] {
            types.filter { !asked.isEmpty && asked.isSubset(of: TypeSynonyms.words(of: $0.shortName)) }
        }
        let asked = TypeSynonyms.words(of: text)
        let named = having(asked)
        guard named.isEmpty else { return (asked, named) }
        // `resting hr`.
        let meant = asked.reduce(into: Set<String>()) {
            $0.formUnion(TypeSynonyms.type(called: $1).map { TypeSynonyms.words(of: $0.shortName) } ?? [$1])
        }
        return (meant, having(meant))
    }

    /// The short names of types that may be meant where none is found, the most similar first.
    package var suggestions: [String] {
        let named = containing.types
        let near =
            named.isEmpty
            ? similar(to: [text.lowercased(), TypeSynonyms.key(text)])
            : named.map(\.shortName).sorted { ($0.count, $0) < ($1.count, $1) }
        return Array(near.prefix(5))
    }

    /// Names that contain the word, or that differ from it by a typing error or have a common name that does; the most
    /// similar first.
    private func similar(to spellings: [String]) -> [String] {
        var ranks: [String: Int] = [:]
        let names = types.isEmpty ? [] : TypeSynonyms.all
        for (spelling, name) in types.map({ ($0.shortName.lowercased(), $0.shortName) })
            + names.map({ ($0.name, $0.type) })
        {
            for wanted in spellings {
                let distance = Self.distance(spelling, wanted)
                if distance <= 2, distance * 2 < wanted.count {
                    ranks[name] = min(distance, ranks[name] ?? .max)
                } else if wanted.count > 2, spelling.contains(wanted) {
                    ranks[name] = min(3 + spelling.count - wanted.count, ranks[name] ?? .max)
                }
            }
        }
        // Two errors are only assumed where one doesn't explain the word.
        if ranks.values.contains(1) { ranks = ranks.filter { $0.value != 2 } }
        return ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    /// The optimal string alignment distance of two strings, in UTF-8 code units: two swapped letters are one error.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var (previous, row) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var next = [i + 1]
            for j in b.indices {
                var distance = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, previous[j - 1] + 1) }
                next.append(distance)
            }
            (previous, row) = (row, next)
        }
        return row[b.count]
    }
}

extension TypeKind {
    /// The name in JSON, such as `quantity`.
    package var name: String { "\(self)" }
}

extension AggregationStyle {
    /// The name in JSON, such as `discreteArithmetic`.
    package var name: String { "\(self)" }
}

extension ValueNames {
    /// The raw values of a category type that have names, in ascending order, with the names.
    package static func all(of type: TypeDescription) -> [(value: Int, name: String)] {
        guard let range = type.categoryValues else { return [] }
        return range.compactMap { value in name(of: value, of: type).map { (value, $0) } }
    }
}

extension TypeDescription {
    /// The category in which the Health app shows the type, such as `heart` or `symptoms`; `nil` for a type that is unknown
    /// to this version.
    package var healthCategory: String? { healthCategories[identifier] }
}

private let healthCategories: [String: String] = TypeCatalog.values(TypeTables.categories).reduce(into: [:]) {
    $0[$1.identifier] = String($1.value)
}
