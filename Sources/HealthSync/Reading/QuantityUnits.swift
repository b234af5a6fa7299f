import Foundation
import HealthKit

/// Finds the unit of a quantity, which HealthKit has no property for.
///
/// `HKQuantity` describes itself as its number and its unit string, as in `61 count/min`. The unit of the description
/// is used if all its parts are units that HealthKit documents and the quantity can be converted to it, so that the
/// number is sent as it was saved. Otherwise the number is converted to a common unit of the same dimension.
struct QuantityUnits {
    private var known: [String: HKUnit?] = [:]

    /// A quantity as a number and a unit string.
    mutating func parts(of quantity: HKQuantity) -> SyncQuantity {
        let unit = unit(of: quantity)
        return SyncQuantity(quantity.doubleValue(for: unit), unit: unit.unitString)
    }

    /// The unit of a quantity, or a common unit of the same dimension.
    mutating func unit(of quantity: HKQuantity) -> HKUnit {
        let description = quantity.description
        if let space = description.firstIndex(of: " ") {
            let text = String(description[description.index(after: space)...])
            if let unit = unit(named: text), quantity.is(compatibleWith: unit) { return unit }
        }
        return Self.common.first { quantity.is(compatibleWith: $0) } ?? .count()
    }

    private mutating func unit(named text: String) -> HKUnit? {
        if let found = known[text] { return found }
        // HealthKit raises an exception for a string that is not a unit, so nothing else is given to it.
        let unit = Self.isUnit(text) ? HKUnit(from: text) : nil
        known[text] = unit
        return unit
    }

    // MARK: Unit strings

    /// Whether a text consists of documented units, joined by `*`, `.` and one `/`, with parentheses and powers.
    static func isUnit(_ text: String) -> Bool {
        // No unit is longer. Text of a server may be anything.
        guard text.utf8.count <= 100 else { return false }
        var depth = 0
        var expectsUnit = true
        var (isBelow, mayHavePower) = (false, false)
        var rest = text[...]
        while let mark = rest.first {
            let hadUnit = mayHavePower
            mayHavePower = false
            switch mark {
            case "(" where expectsUnit:
                depth += 1
                rest = rest.dropFirst()
            case ")" where !expectsUnit && depth > 0:
                depth -= 1
                mayHavePower = true
                rest = rest.dropFirst()
            case "/", "*", ".", "·":
                guard !expectsUnit, mark != "/" || depth == 0 && !isBelow else { return false }
                if mark == "/" { isBelow = true }
                expectsUnit = true
                rest = rest.dropFirst()
            case "^":
                let power = rest.dropFirst().prefix { $0.isNumber || $0 == "-" }
                guard hadUnit, let number = Int(power), (1...9).contains(number.magnitude) else { return false }
                rest = rest.dropFirst(power.count + 1)
            default:
                var name = rest.prefix { $0.isLetter || $0 == "_" || $0 == "%" }
                rest = rest.dropFirst(name.count)
                if rest.first == "<" {
                    let mass = rest.dropFirst().prefix { $0.isNumber || $0 == "." }
                    guard name.hasSuffix("mol"), let number = Double(mass), number > 0, number.isFinite,
                        rest.dropFirst(mass.count + 1).first == ">"
                    else { return false }
                    rest = rest.dropFirst(mass.count + 2)
                    name = name.dropLast(3).isEmpty ? "g" : name.dropLast(3) + "g"
                }
                guard expectsUnit, isAtom(String(name)) else { return false }
                expectsUnit = false
                mayHavePower = true
            }
        }
        return depth == 0 && !expectsUnit
    }

    private static func isAtom(_ name: String) -> Bool {
        if atoms.contains(name) { return true }
        return prefixes.contains { name.hasPrefix($0) && metric.contains(String(name.dropFirst($0.count))) }
    }

    /// Units that take the prefixes of the International System of Units.
    private static let metric: Set<String> = [
        "g", "m", "L", "l", "Pa", "s", "J", "K", "S", "Hz", "V", "W", "mol", "rad", "lx",
    ]
    private static let prefixes = ["f", "p", "n", "mc", "m", "c", "d", "da", "h", "k", "M", "G", "T"]
    /// Units without a prefix.
    private static let atoms: Set<String> = metric.union([
        "oz", "lb", "st", "in", "ft", "yd", "mi", "fl_oz_us", "fl_oz_imp", "pt_us", "pt_imp", "cup_us", "cup_imp",
        "mmHg", "inHg", "cmAq", "atm", "dBASPL", "min", "hr", "d", "cal", "kcal", "Cal", "degC", "degF", "count",
        "%", "IU", "dBHL", "D", "pD", "deg", "appleEffortScore",
    ])

    /// One unit of every dimension of HealthKit's types.
    private static let common: [HKUnit] = [
        "count", "count/min", "kcal", "g", "m", "s", "m/s", "%", "degC", "mmHg", "mg/dL", "mL", "L/min", "W", "IU",
        "dBASPL", "dBHL", "ml/(kg*min)", "kcal/(kg*hr)", "mcS", "V", "Hz", "D", "pD", "deg", "lx", "appleEffortScore",
        "mmol<180.15588000005408>/L", "kcal/hr", "g/L", "kg/m^2",
    ].map { HKUnit(from: $0) }
}
