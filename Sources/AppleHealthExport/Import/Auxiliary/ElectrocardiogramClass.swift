import Foundation
import HealthModel

/// The classification of an electrocardiogram, recognized in the languages of iOS.
package enum ElectrocardiogramClass: Int, CaseIterable, Sendable {
    case notSet = 0
    case sinusRhythm = 1
    case atrialFibrillation = 2
    case lowHeartRate = 3
    case highHeartRate = 4
    case poorReading = 5
    case inconclusive = 6
    case unrecognized = 100

    /// The classification with this name; `nil` for a text in another language or a new wording.
    package init?(_ text: String) {
        let plain = Self.folded(text)
        // “Inconclusive: Low Heart Rate” in any language.
        let reason = Self.names[.inconclusive]?.first { plain.hasPrefix($0 + " ") }.map {
            String(plain.dropFirst($0.count + 1))
        }
        let known = plain.isEmpty ? .notSet : Self.byName[plain] ?? reason.flatMap { Self.byName[$0] }
        guard let known else { return nil }
        self = known
    }

    /// The English name, as in archives.
    var english: String { self == .notSet ? "" : Self.rows["\(self)"]?.first ?? "" }

    /// Whether a text for symptoms means that there were none.
    static func meansNone(_ text: String) -> Bool { none.contains(folded(text)) }

    /// The text without differences in case, punctuation, spaces and dashes, and of words that are joined, as
    /// `sinusRhythm`.
    private static func folded(_ text: String) -> String {
        text.replacing(/(?<lower>[a-z])(?<upper>[A-Z])/) { "\($0.lower) \($0.upper)" }
            .lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }

    /// The names by class, as ``table`` has them.
    private static let rows: [String: [String]] = TypeCatalog.values(table).reduce(into: [:]) { rows, row in
        rows[row.identifier] = row.value.components(separatedBy: " | ")
    }
    /// The longest names of a class first.
    private static let names: [ElectrocardiogramClass: [String]] = allCases.reduce(into: [:]) { names, kind in
        names[kind] = rows["\(kind)"]?.map(folded).sorted { $0.count > $1.count }
    }
    private static let byName: [String: ElectrocardiogramClass] = names.reduce(into: [:]) { known, entry in
        for name in entry.value { known[name] = entry.key }
    }
    private static let none = Set((rows["noSymptoms"] ?? []).map(folded))
}
