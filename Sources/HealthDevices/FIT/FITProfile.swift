/// The meaning of the numbers in FIT files. Messages and fields are in tables; see `Scripts/generate-fit-profile.py`.
enum FITProfile {}

/// A message: its name and its fields by number.
final class FITMessageProfile: Sendable {
    let name: String
    /// One entry for each number that a field can have.
    private let fields: [FITFieldProfile?]
    /// The traits of fields that decoding needs, by their numbers.
    let traits: [Traits]

    struct Traits: Sendable {
        var scaling = FITScaling()
        var hasSubFields = false
        /// Whether a message can have the field.
        var isKnown = false
        var isAccumulated = false
        /// Whether the field has components, or is the sum of some.
        var expands = false
    }

    init(_ name: String, _ fields: [FITFieldProfile]) {
        self.name = name
        var table = [FITFieldProfile?](repeating: nil, count: 256)
        for field in fields { table[Int(field.number)] = field }
        self.fields = table
        traits = table.map { field in
            guard let field else { return Traits() }
            return Traits(
                scaling: field.scaling, hasSubFields: !field.subFields.isEmpty, isKnown: true,
                isAccumulated: field.isAccumulated,
                expands: field.isAccumulated || !field.components.isEmpty
                    || !field.subFields.allSatisfy(\.components.isEmpty))
        }
    }

    subscript(number: UInt8) -> FITFieldProfile? { fields[Int(number)] }
}

/// A field of a message.
final class FITFieldProfile: Sendable {
    let number: UInt8
    let name: StaticString
    let base: FITBaseType
    let scaling: FITScaling
    /// Whether components that are expanded into the field are the lower bits of a growing value.
    let isAccumulated: Bool
    let components: [FITComponent]
    let subFields: [FITSubField]

    init(
        _ number: UInt8, _ name: StaticString, _ base: FITBaseType, scale: Double = 1, offset: Double = 0,
        isAccumulated: Bool = false, components: [FITComponent] = [], subFields: [FITSubField] = []
    ) {
        (self.number, self.name, self.base) = (number, name, base)
        scaling = FITScaling(scale: scale, offset: offset)
        (self.isAccumulated, self.components, self.subFields) = (isAccumulated, components, subFields)
    }
}

/// Bits of a field that are a value of another one.
struct FITComponent: Sendable {
    let field: UInt8
    let bits: Int
    let scaling: FITScaling

    init(_ field: UInt8, _ bits: Int, _ scale: Double, _ offset: Double) {
        (self.field, self.bits, scaling) = (field, bits, FITScaling(scale: scale, offset: offset))
    }
}

/// The meaning of a field if another field of the message has a certain value.
struct FITSubField: Sendable {
    let name: StaticString
    /// One of these fields has to have its value.
    let conditions: [(field: UInt8, value: Int64)]
    let scaling: FITScaling
    let components: [FITComponent]

    init(
        _ name: StaticString, _ conditions: [(field: UInt8, value: Int64)], scale: Double = 1, offset: Double = 0,
        components: [FITComponent] = []
    ) {
        (self.name, self.conditions, self.components) = (name, conditions, components)
        scaling = FITScaling(scale: scale, offset: offset)
    }
}

/// How a number is stored as an integer: multiplied, after an offset was added.
struct FITScaling: Hashable, Sendable {
    var scale = 1.0
    var offset = 0.0

    func number(_ raw: Double) -> Double { raw / scale - offset }
    func raw(_ number: Double) -> Double { (number + offset) * scale }
}

/// The types of fields. Raw values are the lower five bits of the byte that defines a field.
enum FITBaseType: UInt8, Sendable {
    case `enum`, sint8, uint8, sint16, uint16, sint32, uint32, string, float32, float64
    case uint8z, uint16z, uint32z, byte, sint64, uint64, uint64z

    /// The number of bytes.
    var size: Int {
        switch self {
        case .enum, .sint8, .uint8, .string, .uint8z, .byte: 1
        case .sint16, .uint16, .uint16z: 2
        case .sint32, .uint32, .float32, .uint32z: 4
        case .float64, .sint64, .uint64, .uint64z: 8
        }
    }
}
