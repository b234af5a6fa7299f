package import HealthModel

extension ValueNames {
    /// The workout activities that people call so, ascending: `running`, `run` and `jog` are one, `strength` is both kinds
    /// of strength training. Also HealthKit's names and raw values.
    package static func activities(called text: String) -> [UInt] {
        if let raw = UInt(text) ?? WorkoutActivityNames.rawValue(of: text), activity(raw) != nil { return [raw] }
        let wanted = text.lowercased().filter { $0.isLetter || $0.isNumber }
        guard !wanted.isEmpty else { return [] }
        let names = habits[wanted] ?? [wanted]
        let known = names.flatMap { name in activityNames.filter { $0.name.lowercased() == name.lowercased() } }
        if !known.isEmpty { return known.map(\.raw).sorted() }
        // `swim` is swimming, `cycle` cycling.
        let verbs = [wanted + "ing", wanted + String(wanted.suffix(1)) + "ing", String(wanted.dropLast()) + "ing"]
        let doing = activityNames.filter { verbs.contains($0.name.lowercased()) }
        if !doing.isEmpty { return doing.map(\.raw) }
        let words = TypeSynonyms.words(of: text)
        let named = activityNames.filter { words.isSubset(of: $0.words) }.map(\.raw)
        guard named.isEmpty else { return named }
        // The Workout app's “Indoor Run” and “Open Water Swim” have the type of a run and a swim.
        let parts = text.split { !$0.isLetter && !$0.isNumber }
        let essential = parts.filter { !places.contains($0.lowercased()) }
        return essential.count < parts.count ? activities(called: essential.joined(separator: " ")) : []
    }

    /// Words that say where an activity takes place.
    private static let places: Set<String> = [
        "indoor", "outdoor", "pool", "open", "water", "trail", "mountain", "road", "stationary",
    ]

    private static let activityNames: [(raw: UInt, name: String, words: Set<String>)] = (0...4_000).compactMap { raw in
        activity(raw).map { (raw, $0, TypeSynonyms.words(of: $0)) }
    }

    /// Activities by common words that aren't part of their names.
    private static let habits = Dictionary(
        uniqueKeysWithValues: TypeCatalog.values(TypeTables.activityWords).map { word, activities in
            (word, activities.split(separator: " ").map(String.init))
        })
}

/// A word that isn't the name of one workout activity.
package struct ActivityNameError: Error, CustomStringConvertible {
    package let description: String
}

extension ValueNames {
    /// The raw value of the one workout activity that people call so.
    ///
    /// - Throws: ``ActivityNameError`` for a word without an activity or with several.
    package static func activity(called text: String) throws(ActivityNameError) -> UInt {
        let found = activities(called: text)
        if found.count == 1 { return found[0] }
        guard !found.isEmpty else {
            throw ActivityNameError(
                description: "“\(text)” is not a type of activity. Use a name such as running.")
        }
        let names = found.compactMap { activity($0) }.joined(separator: ", ")
        throw ActivityNameError(description: "“\(text)” is more than one type of activity. Use one of \(names).")
    }
}
