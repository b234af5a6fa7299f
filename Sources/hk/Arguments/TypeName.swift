import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthModel

/// Short names of data types, such as `stepCount`.
enum TypeName {
    /// The short name of a type: its identifier without the prefix, starting with a lowercase letter.
    static func short(_ identifier: String) -> String {
        TypeDescription.shortName(of: identifier)
    }

    /// What people call types, where the words of the identifier are others or several types share them.
    private static let aliases: [(name: String, type: String)] = [
        ("steps", "stepCount"), ("weight", "bodyMass"), ("sleep", "sleepAnalysis"), ("hr", "heartRate"),
        ("pulse", "heartRate"), ("calories", "activeEnergyBurned"), ("energy", "activeEnergyBurned"),
        ("distance", "distanceWalkingRunning"), ("hrv", "heartRateVariabilitySDNN"), ("bmi", "bodyMassIndex"),
        ("spo2", "oxygenSaturation"), ("ecg", "electrocardiogram"), ("exercise", "appleExerciseTime"),
        ("stairs", "flightsClimbed"), ("temperature", "bodyTemperature"), ("water", "dietaryWater"),
        ("rings", "activitySummary"), ("mindfulness", "mindfulSession"), ("route", "workoutRoute"),
        ("routes", "workoutRoute"), ("bp", "bloodPressure"), ("carbs", "dietaryCarbohydrates"),
        ("floors", "flightsClimbed"), ("bloodsugar", "bloodGlucose"),
    ]

    /// The type that people call so.
    private static func alias(_ name: String) -> String? {
        aliases.first { $0.name == name }?.type
    }

    /// The type with a short name or an identifier, in the catalog or known to this store only; a common name such as
    /// `steps`; or the only type whose name contains all these words, such as `glucose` or `resting heart rate`.
    ///
    /// - Throws: ``UsageError``, with suggestions, if there is none.
    static func resolve(_ text: String, dictionaries: StoreDictionaries) throws -> TypeDescription {
        let wanted = text.lowercased()
        let all = TypeCatalog.all + dictionaries.types
        if let exact = all.first(where: { $0.identifier.lowercased() == wanted }) { return exact }
        func named(_ name: String) -> TypeDescription? { all.first { short($0.identifier).lowercased() == name } }
        if let found = named(wanted) { return found }
        let letters = wanted.filter { $0.isLetter || $0.isNumber }
        if let found = alias(letters).flatMap({ named($0.lowercased()) }) { return found }
        return try search(text, letters, among: all)
    }

    /// The only type whose name contains the words of a text.
    private static func search(_ text: String, _ letters: String, among all: [TypeDescription]) throws
        -> TypeDescription
    {
        func having(_ asked: Set<String>) -> [TypeDescription] {
            all.filter { !asked.isEmpty && asked.isSubset(of: words(of: short($0.identifier))) }
        }
        var asked = words(of: text)
        var named = having(asked)
        if named.isEmpty {
            // `resting hr`.
            asked = asked.reduce(into: []) { $0.formUnion(alias($1).map(words) ?? [$1]) }
            named = having(asked)
        }
        // All words of a name are that name, whatever their order and spelling.
        if let found = named.first(where: { words(of: short($0.identifier)) == asked }) { return found }
        if named.count == 1 { return named[0] }
        let near =
            named.isEmpty
            ? suggestions(for: letters, among: all.map { short($0.identifier) })
            : named.map { short($0.identifier) }.sorted { ($0.count, $0) < ($1.count, $1) }
        let hint =
            near.isEmpty
            ? "“hk types” lists the types in the store." : "Did you mean \(near.prefix(5).joined(separator: ", "))?"
        throw UsageError("“\(text)” is not a data type. \(hint)")
    }

    /// The words of a name in lowercase and the singular: `stepCount`, `step-count` and `Step counts` have the same.
    private static func words(of name: String) -> Set<String> {
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        let words = parts.flatMap { NameOutput.words(String($0)).lowercased().split(separator: " ") }
        return Set(
            words.map { $0.count > 3 && $0.last == "s" && !$0.hasSuffix("ss") ? String($0.dropLast()) : String($0) })
    }

    /// Names that contain the word, or that differ from it by a typing error or have a common name that does; the most
    /// similar first.
    private static func suggestions(for wanted: String, among names: [String]) -> [String] {
        var ranks: [String: Int] = [:]
        for (spelling, name) in names.map({ ($0.lowercased(), $0) }) + aliases.map({ ($0.name, $0.type) }) {
            let distance = distance(spelling, wanted)
            if distance <= 2, distance * 2 < wanted.count {
                ranks[name] = min(distance, ranks[name] ?? .max)
            } else if wanted.count > 2, spelling.contains(wanted) {
                ranks[name] = min(3 + spelling.count - wanted.count, ranks[name] ?? .max)
            }
        }
        return ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(5).map(\.key)
    }

    /// The Levenshtein distance of two strings, in UTF-8 code units.
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

/// Names for people.
enum NameOutput {
    /// A category value in words, such as `asleep deep`, or as a number if it has no name.
    static func text(_ value: Int, of type: TypeDescription) -> String {
        if type.categoryEnumeration == "HKCategoryValue" { return "–" }
        return ValueNames.name(of: value, of: type).map(words) ?? "\(value)"
    }

    /// `asleepREM` as `asleep REM`, `americanFootball` as `american football`.
    static func words(_ name: String) -> String {
        var words = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isStart = letter.isUppercase && index > 0 && !letters[index - 1].isUppercase
            // Abbreviations stay uppercase.
            let isAbbreviation = letter.isUppercase && (index + 1 == letters.count || letters[index + 1].isUppercase)
            let isWithin = letter.isUppercase && index > 0 && letters[index - 1].isUppercase
            words += (isStart ? " " : "") + (isAbbreviation || isWithin ? String(letter) : letter.lowercased())
        }
        return words
    }
}

/// Completes the names of data types in a shell: those of the store, or all if there is no store.
enum TypeCompletion {
    /// One name.
    static let name = CompletionKind.custom { words, _, _ in names(in: words) }

    /// Names separated by commas.
    static let list = CompletionKind.custom { words, _, prefix in
        let earlier = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
        return names(in: words).map { earlier + $0 }
    }

    /// The names, with the most frequent type first.
    private static func names(in words: [String]) -> [String] {
        guard let options = try? StoreOptions.parse(store(in: words)), let engine = try? options.openEngine(),
            let types = try? engine.typeOverview(as: .person), !types.isEmpty
        else { return TypeCatalog.all.map { TypeName.short($0.identifier) } }
        try? engine.close()
        return types.sorted { ($0.count, $1.type.identifier) > ($1.count, $0.type.identifier) }
            .map { TypeName.short($0.type.identifier) }
    }

    /// The store option of an unfinished command line.
    private static func store(in words: [String]) -> [String] {
        for (index, word) in words.enumerated() {
            if word.hasPrefix("--store=") { return [word] }
            if word == "--store", index + 1 < words.count { return ["--store", words[index + 1]] }
        }
        return []
    }
}
