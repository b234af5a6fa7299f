public import Foundation
import HealthModel

/// A number with its unit. It never changes and may be used from any thread.
public final class HKQuantity: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The number, in ``unit``.
    package let value: Double
    /// The unit the quantity was made with.
    package let unit: HKUnit

    /// A quantity of `value` `unit`.
    public init(unit: HKUnit, doubleValue value: Double) {
        self.unit = unit
        self.value = value
        super.init()
    }

    /// Whether the quantity can be told in `unit`.
    public func `is`(compatibleWith unit: HKUnit) -> Bool {
        self.unit === unit || self.unit.expression.isCompatible(with: unit.expression)
    }

    /// The number in another unit; the same bits when it is the quantity's own.
    ///
    /// An incompatible unit ends the process.
    public func doubleValue(for unit: HKUnit) -> Double {
        do {
            return try validatedValue(for: unit)
        } catch {
            ProgrammerError.raise(error.description)
        }
    }

    /// How this quantity stands to another one: `.orderedAscending` when the other is greater.
    ///
    /// An incompatible quantity ends the process.
    public func compare(_ quantity: HKQuantity) -> ComparisonResult {
        let other = quantity.doubleValue(for: unit)
        if value < other { return .orderedAscending }
        return value > other ? .orderedDescending : .orderedSame
    }

    /// The number in another unit.
    ///
    /// - Throws: ``IncompatibleUnitsError`` where ``doubleValue(for:)`` ends the process.
    package func validatedValue(for unit: HKUnit) throws(IncompatibleUnitsError) -> Double {
        guard let conversion = self.unit.conversion(to: unit) else {
            throw IncompatibleUnitsError(from: self.unit.unitString, to: unit.unitString)
        }
        return conversion.isIdentity ? value : conversion(value)
    }

    /// Number, blank and unit: `1100 m`.
    public override var description: String {
        let isWhole = value == value.rounded() && abs(value) < 1e15
        return "\(isWhole ? String(format: "%.0f", value) : "\(value)") \(unit.unitString)"
    }

    /// Two quantities are equal when their units are compatible and their values the same: 1 m is 100 cm.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQuantity else { return false }
        if self === other { return true }
        if unit == other.unit { return value == other.value || (value.isNaN && other.value.isNaN) }
        guard self.is(compatibleWith: other.unit) else { return false }
        return baseValue == other.baseValue
    }

    // Of the value in base units, so that equal quantities in different units hash alike.
    public override var hash: Int { baseValue.hashValue }

    private var baseValue: Double {
        unit.expression.conversion(to: unit.expression.baseUnit)?(value) ?? value
    }

    /// The quantity itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
