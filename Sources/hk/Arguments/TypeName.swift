import ArgumentParser
import HealthModel

/// A data type as people type it: `stepCount`, or the whole identifier.
enum TypeName {
    /// The short name of a type: its identifier without the prefix, beginning in lower case.
    static func short(_ identifier: String) -> String {
        TypeDescription.shortName(of: identifier)
    }

    /// The type a word stands for, among the catalog's and those only this store knows.
    static func resolve(_ text: String, dictionaries: StoreDictionaries) throws -> TypeDescription {
        let wanted = text.lowercased()
        let all = TypeCatalog.all + dictionaries.types
        if let exact = all.first(where: { $0.identifier.lowercased() == wanted }) { return exact }
        let byName = all.filter { short($0.identifier).lowercased() == wanted }
        if let found = byName.first { return found }
        let near = suggestions(for: wanted, among: all.map { short($0.identifier) })
        let hint = near.isEmpty ? "“hk types” lists those the store has." : "Did you mean \(near.joined(separator: ", "))?"
        throw UsageError("“\(text)” is no data type. \(hint)")
    }

    /// Names that contain the word or are a slip of the finger away from it; the nearest first.
    private static func suggestions(for wanted: String, among names: [String]) -> [String] {
        let rated = names.compactMap { name -> (rank: Int, name: String)? in
            let distance = distance(name.lowercased(), wanted)
            if distance <= 2, distance < wanted.count { return (distance, name) }
            return wanted.count > 2 && name.lowercased().contains(wanted) ? (3 + name.count - wanted.count, name) : nil
        }
        return rated.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.prefix(5).map(\.name)
    }

    /// How many letters must be put in, taken out or exchanged (Levenshtein).
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}
