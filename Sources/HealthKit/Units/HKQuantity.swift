public import Foundation
package import HealthModel

/// A number with its unit. Quantities are immutable and may be used from any thread.
public final class HKQuantity: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, Sendable {
    /// The number, in ``unit``.
    package let value: Double
    /// The unit the quantity was created with.
    package let unit: HKUnit

    /// Creates a quantity of `value` in `unit`.
    public init(unit: HKUnit, doubleValue value: Double) {
        self.unit = unit
        self.value = value
    }

    /// Whether the quantity can be converted to `unit`.
    public func `is`(compatibleWith unit: HKUnit) -> Bool {
        self.unit === unit || self.unit.expression.isCompatible(with: unit.expression)
    }

    /// The number in another unit; unchanged for the quantity's own unit.
    ///
    /// An incompatible unit ends the process.
    public func doubleValue(for unit: HKUnit) -> Double {
        do {
            return try validatedValue(for: unit)
        } catch {
            ProgrammerError.raise(error.description)
        }
    }

    /// Compares this quantity with another: `.orderedAscending` if the other is greater.
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

    /// The number and the unit, such as `1100 m`.
    public override var description: String {
        let isWhole = value == value.rounded() && abs(value) < 1e15
        return "\(isWhole ? String(format: "%.0f", value) : "\(value)") \(unit.unitString)"
    }

    /// Two quantities are equal when their values in the same unit are: 1 m is equal to 100 cm. The conversion rounds
    /// once, so that 57 cm is equal to 0.57 m although ``doubleValue(for:)`` can differ in the last bit.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQuantity else { return false }
        if self === other { return true }
        if unit == other.unit { return value == other.value || (value.isNaN && other.value.isNaN) }
        guard self.is(compatibleWith: other.unit) else { return false }
        return baseValue == other.baseValue
    }

    // Of the value in base units, so that equal quantities in different units have the same hash.
    public override var hash: Int { baseValue.hashValue }

    private var baseValue: Double {
        unit.expression.exactConversion(to: unit.expression.baseUnit)?(value) ?? value
    }

    /// Returns the quantity itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension HKQuantity {
    /// The quantity as the model keeps it: the number as given, with its unit string.
    package var record: QuantityRecord { QuantityRecord(value, unit: unit.unitString) }

    /// The quantity of a record; `nil` when its unit does not parse.
    convenience init?(_ record: QuantityRecord) {
        self.init(record.value, unit: record.unit)
    }

    /// The quantity of a record; `nil` when its unit does not parse or has another dimension.
    convenience init?(_ record: QuantityRecord, compatibleWith unit: HKUnit) {
        self.init(record)
        guard self.is(compatibleWith: unit) else { return nil }
    }

    /// A number with a unit string; `nil` when the string does not parse.
    convenience init?(_ value: Double, unit: String) {
        guard let unit = HKUnit.parsed(unit) else { return nil }
        self.init(unit: unit, doubleValue: value)
    }

    /// The quantity of a record. A unit string that does not parse, which only a store written by a
    /// later version can hold, becomes the unit without dimension.
    convenience init(record: QuantityRecord) {
        self.init(unit: HKUnit.parsed(record.unit) ?? HKUnit.make(.null), doubleValue: record.value)
    }
}

extension HKQuantity {
    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    /// Decodes a quantity; `nil` for a damaged archive.
    public convenience init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(QuantityRecord.self, from: coder) else { return nil }
        self.init(record)
    }
}

/// Two units without a conversion.
package struct IncompatibleUnitsError: Error, Hashable, CustomStringConvertible {
    /// The unit string converted from.
    package var from: String
    /// The unit string converted to.
    package var to: String

    /// The original's message.
    package var description: String { "Attempt to convert incompatible units: \(from), \(to)" }
}
