import HealthModel

/// Converts between units by their strings.
enum Units {
    /// The value told in another unit; `nil` where one of the strings is no unit or they do not agree.
    static func convert(_ value: Double, from: String, to: String) -> Double? {
        conversion(from, to).map { $0(value) }
    }

    static func conversion(_ from: String, _ to: String) -> UnitConversion? {
        if from == to { return .identity }
        guard let source = try? UnitExpression(parsing: from), let target = try? UnitExpression(parsing: to) else {
            return nil
        }
        return source.conversion(to: target)
    }
}
