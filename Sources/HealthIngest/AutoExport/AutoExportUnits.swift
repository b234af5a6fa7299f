import HealthModel

/// The unit of a metric, as a HealthKit unit string.
struct AutoExportUnit: Hashable, Sendable {
    /// The unit in which values are stored.
    var unit: String
    /// The number that a posted value is divided by; 100 for percentages, which are fractions of one in HealthKit.
    var divisor: Double
}

extension AutoExportUnit {
    /// Reads the unit that a person's settings produced for a type; `nil` if it doesn't fit the type.
    init?(_ text: String?, for type: TypeDescription) {
        guard let canonical = type.canonicalUnit else { return nil }
        self.init(text, canonical: canonical)
    }

    /// Reads a unit for quantities that are compatible with another unit.
    init?(_ text: String?, canonical: String) {
        let written = Self.plain(text ?? "")
        if written.isEmpty {
            // Only counts may lack a unit.
            guard canonical == "count" || canonical == "appleEffortScore" else { return nil }
            self.init(unit: canonical, divisor: 1)
        } else if written == "%" || written == "percent" {
            guard canonical == "%" else { return nil }
            self.init(unit: "%", divisor: 100)
        } else {
            guard let expected = try? UnitExpression(parsing: canonical) else { return nil }
            let candidates = [Self.units[written.lowercased()], Self.words[canonical]?[written.lowercased()], written]
            for case let candidate? in candidates {
                guard let unit = try? UnitExpression(parsing: candidate), unit.isCompatible(with: expected) else {
                    continue
                }
                // A fraction that is written as a plain number stays as it is.
                self.init(unit: canonical == "%" ? "%" : candidate, divisor: 1)
                return
            }
            return nil
        }
    }

    /// Converts a posted value.
    func callAsFunction(_ value: Double) -> QuantityRecord {
        QuantityRecord(divisor == 1 ? value : value / divisor, unit: unit)
    }

    private static func plain(_ text: String) -> String {
        String(text.filter { !$0.isWhitespace }.map { $0 == "\u{00B5}" || $0 == "\u{03BC}" ? "µ" : $0 })
    }
}
