public import Foundation
import HealthModel

/// What a lens for one eye is ground to; the base of glasses and contacts.
// Unchecked: the one stored property is a constant value; the compiler checks only final classes.
public class HKLensSpecification: NSObject, @unchecked Sendable {
    /// The names of the record's fields.
    typealias Field = LensDocument

    final let fieldValue: FieldValue

    init(checked fieldValue: FieldValue) {
        self.fieldValue = fieldValue
        super.init()
    }

    /// The fields all lenses have.
    ///
    /// - Throws: for a quantity in a wrong unit or without a finite number.
    static func fields(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?
    ) throws(ObjectRefusal) -> [String: FieldValue?] {
        try VisionUnits.check(sphere, in: .diopter(), named: Field.sphere)
        try VisionUnits.check(cylinder, in: .diopter(), named: Field.cylinder)
        try VisionUnits.check(axis, in: .degreeAngle(), named: Field.axis)
        try VisionUnits.check(addPower, in: .diopter(), named: Field.addPower)
        return [
            Field.sphere: .quantity(sphere.record), Field.cylinder: .quantity(cylinder),
            Field.axis: .quantity(axis), Field.addPower: .quantity(addPower),
        ]
    }

    /// Whether a record has the fields all lenses have, in their units.
    static func isLens(_ fieldValue: FieldValue) -> Bool {
        fieldValue.hasQuantity(Field.sphere, in: .diopter(), isRequired: true)
            && fieldValue.hasQuantity(Field.cylinder, in: .diopter())
            && fieldValue.hasQuantity(Field.axis, in: .degreeAngle())
            && fieldValue.hasQuantity(Field.addPower, in: .diopter())
    }

    /// The power of the lens, in dioptres: negative for short-sighted eyes.
    public var sphere: HKQuantity {
        // Checked when the specification was made.
        quantity(Field.sphere) ?? HKQuantity(unit: .diopter(), doubleValue: 0)
    }

    /// The power added along an axis against astigmatism, in dioptres.
    public var cylinder: HKQuantity? { quantity(Field.cylinder) }

    /// The direction without cylinder power, in degrees.
    public var axis: HKQuantity? { quantity(Field.axis) }

    /// The power added for near sight, in dioptres.
    public var addPower: HKQuantity? { quantity(Field.addPower) }

    final func quantity(_ name: String) -> HKQuantity? { fieldValue[name]?.quantityObject }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKLensSpecification else { return false }
        return type(of: other) == type(of: self) && other.fieldValue == fieldValue
    }

    public override var hash: Int { fieldValue.hashValue }

    public override var description: String { "\(type(of: self)) sphere \(sphere)" }
}
