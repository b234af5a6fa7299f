/// A message of a FIT file.
struct FITMessage: Sendable {
    /// A field with a value.
    struct Field: Sendable {
        var number: UInt8
        var value: FITValue
        /// The bits of each of the value's elements.
        var bits = 0
        /// Whether the value is a number in the field's unit, as components are, and not to be scaled.
        var isScaled = false
    }

    /// A value that an application on the device added.
    struct DeveloperField: Hashable, Sendable {
        var name: String
        var units: String
        var value: FITValue
    }

    /// The message's number; see ``FITMessageNumber``.
    let number: UInt16
    /// The place of the message in its file.
    let offset: Int
    var fields: [Field] = []
    var developerFields: [DeveloperField] = []
    let profile: FITMessageProfile?

    /// The field with a number.
    subscript(number: UInt8) -> Field? {
        for field in fields where field.number == number { return field }
        return nil
    }

    /// The value of a field that isn't scaled, such as one of an enumeration; of a list, the first.
    func integer(_ number: UInt8) -> Int64? {
        switch self[number]?.value {
        case .integer(let integer): integer
        case .integers(let integers): integers.first.flatMap { $0 == FITValue.invalid ? nil : $0 }
        case .real(let real): Int64(exactly: real.rounded())
        case .reals(let reals): reals.first.flatMap { Int64(exactly: $0.rounded()) }
        case .text, nil: nil
        }
    }

    /// The value of a field in its unit; of a list, the first.
    func number(_ number: UInt8) -> Double? {
        guard let field = self[number] else { return nil }
        switch field.value {
        case .integer(let integer): return scaled(Double(integer), field)
        case .real(let real): return scaled(real, field)
        case .integers, .reals: return numbers(number).first.flatMap { $0.isNaN ? nil : $0 }
        case .text: return nil
        }
    }

    /// The values of a list in the field's unit, NaN where there is none.
    func numbers(_ number: UInt8) -> [Double] {
        guard let field = self[number] else { return [] }
        let scaling = field.isScaled ? FITScaling() : scaling(of: field.number)
        return switch field.value {
        case .integer(let integer): [scaling.number(Double(integer))]
        case .real(let real): [scaling.number(real)]
        case .integers(let list): list.map { $0 == FITValue.invalid ? .nan : scaling.number(Double($0)) }
        case .reals(let list): list.map(scaling.number)
        case .text: []
        }
    }

    func text(_ number: UInt8) -> String? {
        guard case .text(let text) = self[number]?.value else { return nil }
        return text
    }

    /// The sub-field that a field is in this message.
    func subField(_ number: UInt8) -> FITSubField? {
        guard let field = profile?[number], !field.subFields.isEmpty else { return nil }
        return field.subFields.first { sub in sub.conditions.contains { integer($0.field) == $0.value } }
    }

    private func scaled(_ raw: Double, _ field: Field) -> Double? {
        let number = field.isScaled ? raw : scaling(of: field.number).number(raw)
        return number.isFinite ? number : nil
    }

    private func scaling(of number: UInt8) -> FITScaling {
        subField(number)?.scaling ?? profile?[number]?.scaling ?? FITScaling()
    }
}
