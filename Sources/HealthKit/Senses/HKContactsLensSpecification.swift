public import Foundation
import HealthModel

/// What a contact lens for one eye is ground to.
public class HKContactsLensSpecification: HKLensSpecification, NSSecureCoding, NSCopying, FieldValueCoding,
    // Unchecked: adds no stored property to its superclass.
    @unchecked Sendable
{
    /// A lens. Powers are in dioptres, the axis in degrees, curve and diameter in a unit of length; a
    /// quantity in another unit ends the process.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        baseCurve: HKQuantity?, diameter: HKQuantity?
    ) {
        let value = ProgrammerError.checked { () throws(ObjectRefusal) in
            var fields = try HKLensSpecification.fields(
                sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
            for (name, length) in [(Field.baseCurve, baseCurve), (Field.diameter, diameter)] {
                try VisionUnits.check(length, in: .meter(), named: name)
                fields[name] = .quantity(length)
            }
            return FieldValue.present(fields)
        }
        super.init(checked: value)
    }

    override init(checked fieldValue: FieldValue) {
        super.init(checked: fieldValue)
    }

    required convenience init?(_ fieldValue: FieldValue) {
        guard Self.isLens(fieldValue), fieldValue.hasQuantity(Field.baseCurve, in: .meter()),
            fieldValue.hasQuantity(Field.diameter, in: .meter())
        else { return nil }
        self.init(checked: fieldValue)
    }

    /// The radius of the lens's back.
    public var baseCurve: HKQuantity? { quantity(Field.baseCurve) }

    /// The width of the lens.
    public var diameter: HKQuantity? { quantity(Field.diameter) }

    public class var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let value = Self.decode(from: coder) else { return nil }
        self.init(checked: value)
    }

    public func encode(with coder: NSCoder) { SecureRecord.encode(fieldValue, with: coder) }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
