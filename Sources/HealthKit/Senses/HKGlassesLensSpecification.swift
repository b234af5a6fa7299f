public import Foundation
import HealthModel

/// What a lens of glasses for one eye is ground to.
public class HKGlassesLensSpecification: HKLensSpecification, NSSecureCoding, NSCopying, FieldValueCoding,
    // Unchecked: adds no stored property to its superclass.
    @unchecked Sendable
{
    /// A lens. Powers are in dioptres, the axis in degrees, distances in a unit of length; a quantity in
    /// another unit ends the process.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        vertexDistance: HKQuantity?, prism: HKVisionPrism?, farPupillaryDistance: HKQuantity?,
        nearPupillaryDistance: HKQuantity?
    ) {
        let value = ProgrammerError.checked { () throws(ObjectRefusal) in
            var fields = try HKLensSpecification.fields(
                sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
            let distances = [
                (Field.vertexDistance, vertexDistance), (Field.farPupillaryDistance, farPupillaryDistance),
                (Field.nearPupillaryDistance, nearPupillaryDistance),
            ]
            for (name, distance) in distances {
                try VisionUnits.check(distance, in: .meter(), named: name)
                fields[name] = .quantity(distance)
            }
            fields[Field.prism] = prism?.fieldValue
            return FieldValue.present(fields)
        }
        super.init(checked: value)
    }

    override init(checked fieldValue: FieldValue) {
        super.init(checked: fieldValue)
    }

    required convenience init?(_ fieldValue: FieldValue) {
        let distances = [Field.vertexDistance, Field.farPupillaryDistance, Field.nearPupillaryDistance]
        guard Self.isLens(fieldValue), distances.allSatisfy({ fieldValue.hasQuantity($0, in: .meter()) })
        else { return nil }
        if let prism = fieldValue[Field.prism] {
            guard HKVisionPrism(prism) != nil else { return nil }
        }
        self.init(checked: fieldValue)
    }

    /// From the lens to the eye.
    public var vertexDistance: HKQuantity? { quantity(Field.vertexDistance) }

    /// How the lens shifts what the eye sees; `nil` where it does not.
    public var prism: HKVisionPrism? { fieldValue[Field.prism].flatMap { HKVisionPrism($0) } }

    /// From the nose to the pupil when looking far.
    public var farPupillaryDistance: HKQuantity? { quantity(Field.farPupillaryDistance) }

    /// From the nose to the pupil when looking near.
    public var nearPupillaryDistance: HKQuantity? { quantity(Field.nearPupillaryDistance) }

    public class var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let value = Self.decode(from: coder) else { return nil }
        self.init(checked: value)
    }

    public func encode(with coder: NSCoder) { SecureRecord.encode(fieldValue, with: coder) }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
