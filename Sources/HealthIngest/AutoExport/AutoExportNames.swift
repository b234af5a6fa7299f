import HealthModel

/// The names of metrics and symptoms, and the data types they mean.
///
/// Health Auto Export writes the words of the type's name in snake case and, for some, the words of the Health app. A
/// name in another language is unknown: the caller reports it and keeps the entries.
enum AutoExportNames {
    /// The type of a metric, such as `step_count`.
    static func type(ofMetric name: String) -> TypeDescription? {
        identifiers[normalized(name)].flatMap { TypeCatalog.description(for: $0) }
    }

    /// The category type of a symptom or an entry of cycle tracking, such as `Headache`.
    static func category(_ name: String) -> TypeDescription? {
        type(ofMetric: name).flatMap { $0.kind == .category ? $0 : nil }
    }

    /// Lower-case words joined by underscores.
    static func normalized(_ name: String) -> String {
        var result = ""
        for character in name.lowercased() {
            if character.isLetter || character.isNumber {
                result.append(character)
            } else if !result.isEmpty, result.last != "_" {
                result.append("_")
            }
        }
        while result.last == "_" { result.removeLast() }
        return result
    }

    private static let identifiers: [String: String] = TypeCatalog.values(table).reduce(into: [:]) { found, row in
        for name in row.value.split(separator: ", ") { found[String(name)] = row.identifier }
    }
}

extension AutoExportNames {
    /// The raw value of a category from the words of the Health app, such as `Moderate` or `Not Present`.
    static func categoryValue(_ words: String, of type: TypeDescription) -> Int? {
        guard let enumeration = type.categoryEnumeration else { return nil }
        let name = words.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
        if let value = CategoryValueNames.rawValue(of: enumeration + name, in: enumeration) { return value }
        // “luteinizingHormoneSurge” and “asleepREM” have capitals within, and presence is written for severities.
        for value in type.categoryValues ?? 0...0
        where ValueNames.name(of: value, of: type)?.lowercased() == name.lowercased() { return value }
        switch (enumeration, name.lowercased()) {
        case ("HKCategoryValueSeverity", "present"): return 0
        case ("HKCategoryValueSeverity", "none"): return 1
        default: return enumeration == "HKCategoryValue" ? 0 : nil
        }
    }

    /// The raw value of a workout's activity, from the name in the Health app.
    static func activity(_ name: String) -> UInt? {
        let words = normalized(name)
        if let known = activities[words] { return known }
        let joined = words.split(separator: "_").joined()
        return activityNames[joined] ?? activityNames[joined.replacing("training", with: "")]
    }

    private static let activityNames: [String: UInt] = {
        var found: [String: UInt] = [:]
        for value in Array(1...90) + [3000] {
            if let name = ValueNames.activity(UInt(value)) { found[name.lowercased()] = UInt(value) }
        }
        return found
    }()
}
