public import Foundation

/// The specification of a lens for one eye; the base class of glasses and contacts.
// Unchecked: the one stored property is a constant value; the compiler checks only final classes.
open class HKLensSpecification: NSObject, _CVarArgObject, @unchecked Sendable {
    final let fields: Fields

    /// Creates a lens from values that have been validated.
    init(_ fields: Fields) {
        self.fields = fields
    }

    /// The power of the lens, in diopters: negative for short-sighted eyes.
    open var sphere: HKQuantity { fields.sphere }

    /// The power added along an axis to correct astigmatism, in diopters.
    open var cylinder: HKQuantity? { fields.cylinder }

    /// The direction without cylinder power, in degrees.
    open var axis: HKQuantity? { fields.axis }

    /// The power added for near vision, in diopters.
    open var addPower: HKQuantity? { fields.addPower }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKLensSpecification else { return false }
        return type(of: other) == type(of: self) && other.fields == fields
    }

    open override var hash: Int { fields.hashValue }

    open override var description: String { "\(type(of: self)) sphere \(sphere)" }
}

extension HKLensSpecification.Fields {
    /// Checks the units of all quantities, and that they are finite.
    func validate() throws(InvalidObjectError) {
        for (name, quantity, unit) in quantities { try VisionUnits.check(quantity, in: unit, named: name) }
    }
}

/// The specification of a lens of glasses for one eye.
open class HKGlassesLensSpecification: HKLensSpecification, NSSecureCoding, NSCopying,
    // Unchecked: adds no stored property to its superclass.
    @unchecked Sendable
{
    /// Creates a lens. Powers are in diopters, the axis in degrees, distances in a unit of length; a quantity in
    /// another unit ends the process.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        vertexDistance: HKQuantity?, prism: HKVisionPrism?, farPupillaryDistance: HKQuantity?,
        nearPupillaryDistance: HKQuantity?
    ) {
        let fields = Fields(
            sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower, vertexDistance: vertexDistance,
            prism: prism, farPupillaryDistance: farPupillaryDistance, nearPupillaryDistance: nearPupillaryDistance)
        ProgrammerError.checked { () throws(InvalidObjectError) in try fields.validate() }
        super.init(fields)
    }

    override init(_ fields: Fields) {
        super.init(fields)
    }

    /// The distance from the lens to the eye.
    open var vertexDistance: HKQuantity? { fields.vertexDistance }

    /// The prism of the lens; `nil` if it has none.
    open var prism: HKVisionPrism? { fields.prism }

    /// The distance from the nose to the pupil for far vision.
    open var farPupillaryDistance: HKQuantity? { fields.farPupillaryDistance }

    /// The distance from the nose to the pupil for near vision.
    open var nearPupillaryDistance: HKQuantity? { fields.nearPupillaryDistance }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = FieldValueCoding.fields(Fields.self, from: coder) else { return nil }
        super.init(fields)
    }

    open func encode(with coder: NSCoder) { FieldValueCoding.encode(fields, with: coder) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The specification of a contact lens for one eye.
open class HKContactsLensSpecification: HKLensSpecification, NSSecureCoding, NSCopying,
    // Unchecked: adds no stored property to its superclass.
    @unchecked Sendable
{
    /// Creates a lens. Powers are in diopters, the axis in degrees, curve and diameter in a unit of length; a
    /// quantity in another unit ends the process.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        baseCurve: HKQuantity?, diameter: HKQuantity?
    ) {
        let fields = Fields(
            sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower, baseCurve: baseCurve,
            diameter: diameter)
        ProgrammerError.checked { () throws(InvalidObjectError) in try fields.validate() }
        super.init(fields)
    }

    override init(_ fields: Fields) {
        super.init(fields)
    }

    /// The radius of the back of the lens.
    open var baseCurve: HKQuantity? { fields.baseCurve }

    /// The diameter of the lens.
    open var diameter: HKQuantity? { fields.diameter }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = FieldValueCoding.fields(Fields.self, from: coder) else { return nil }
        super.init(fields)
    }

    open func encode(with coder: NSCoder) { FieldValueCoding.encode(fields, with: coder) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The units that the measures of a lens require.
enum VisionUnits {
    /// Returns the number of a quantity in a unit.
    ///
    /// - Throws: for an incompatible unit, and for a number that is not finite.
    static func value(
        of quantity: HKQuantity, in unit: HKUnit, named name: String
    ) throws(InvalidObjectError) -> Double {
        guard let value = try? quantity.validatedValue(for: unit) else {
            throw InvalidObjectError(
                reason: "The \(name) of a lens requires unit \(unit.unitString), not \(quantity.unit.unitString)")
        }
        guard value.isFinite else {
            throw InvalidObjectError(reason: "The \(name) of a lens must be finite")
        }
        return value
    }

    /// Checks an optional quantity.
    static func check(_ quantity: HKQuantity?, in unit: HKUnit, named name: String) throws(InvalidObjectError) {
        guard let quantity else { return }
        _ = try value(of: quantity, in: unit, named: name)
    }
}
