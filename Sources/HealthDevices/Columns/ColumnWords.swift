import HealthFiles
import HealthFormats
package import HealthModel

/// The meaning of a column’s name: what it has, and in which unit.
package struct ColumnWords {
    /// The contents of a column besides measurements.
    enum Role: String {
        case start, time, end, zone, value, unit, type, unclear
    }

    private(set) var role: Role?
    private(set) var type: TypeDescription?
    /// The unit in the name, as it is written.
    private(set) var unit: String?

    /// Reads a name such as `Weight (kg)`, `weight_kg` or `Blutzucker mg/dL`.
    init(_ name: String) {
        let words = name.split { $0.isWhitespace || $0 == "_" }.map(String.init)
        var readings: [(name: String, unit: String?)] = [(words.joined(separator: " "), nil)]
        if let match = name.wholeMatch(of: /(.+?)[\s_]*[(\[](.+)[)\]]\s*/) {
            readings = [(String(match.1).replacing("_", with: " "), String(match.2))]
        } else if words.count > 1 {
            let rest = words.dropLast().last == "in" ? words.dropLast(2) : words.dropLast()
            readings.append((rest.joined(separator: " "), words[words.count - 1]))
        }
        for (name, unit) in readings {
            if let meaning = Self.meanings[name.lowercased()], meaning.hasPrefix("@") {
                // What can be several types is one of them in some unit, as fat in percent is.
                if let unit, let known = Self.meanings["\(name) \(unit)".lowercased()], !known.hasPrefix("@") {
                    (type, self.unit) = (Self.type(called: "\(name) \(unit)"), unit)
                    return
                }
                role = Role(rawValue: String(meaning.dropFirst()))
                return
            }
            guard let found = Self.type(called: name) else { continue }
            if let unit, ColumnUnit.string(unit, like: Self.canonical(found), of: found) == nil {
                // Another word in brackets isn’t a unit, and one of another quantity says that it is another type.
                guard (try? UnitExpression(words: unit)) == nil else { continue }
                type = found
                return
            }
            (type, self.unit) = (found, unit)
            return
        }
    }

    /// The type of quantity, or blood pressure, that people call this way; `nil` for what may be several.
    package static func type(called name: String) -> TypeDescription? {
        let key = name.lowercased()
        guard !key.isEmpty else { return nil }
        if let meaning = meanings[key] {
            return meaning.hasPrefix("@") ? nil : TypeSearch(meaning, in: StoreDictionaries()).found
        }
        let found = shipped[key] ?? TypeSearch(name, in: StoreDictionaries()).found
        return found?.kind == .quantity || found?.shortName == "bloodPressure" ? found : nil
    }

    static func canonical(_ type: TypeDescription) -> String { type.canonicalUnit ?? "mmHg" }

    /// The types of the columns that the mappings of services have, if a name has one type in all of them.
    private static let shipped: [String: TypeDescription] = {
        var found: [String: Set<TypeDescription>] = [:]
        let services = ((try? FileRegistry.devices()) ?? []).compactMap { Swift.type(of: $0) as? any TableService.Type }
        for mapping in services.flatMap({ $0.mappings }) where mapping.elements.isEmpty && mapping.rows == nil {
            for sample in mapping.samples where sample.conditions.isEmpty {
                guard case .quantity(let type, let number) = sample.kind, let column = number.text.column,
                    number.divisor == nil, number.multiplier == nil, number.factor == 1, column.member == nil
                else { continue }
                for name in column.names {
                    let plain = name.replacing(#/[\s_]*[(\[].*[)\]]|\*/#, with: "").lowercased()
                    found[plain, default: []].insert(type)
                }
            }
        }
        return found.compactMapValues { $0.count == 1 ? $0.first : nil }
    }()
}
