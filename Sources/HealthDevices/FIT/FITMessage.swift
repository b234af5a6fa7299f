/// The messages of a file by their numbers.
struct FITMessages: Sendable {
    private var groups: [UInt16: [FITMessage]] = [:]

    mutating func append(_ message: FITMessage) {
        groups[message.number, default: []].append(message)
    }

    /// Appends the messages of a file that continues this one.
    mutating func append(_ other: FITMessages) {
        groups.merge(other.groups) { $0 + $1 }
    }

    /// The numbers that messages have.
    var numbers: [UInt16] { groups.keys.sorted() }

    /// The messages with a number, in order; see ``FITMessageNumber``.
    subscript(number: UInt16) -> [FITMessage] { groups[number] ?? [] }

    /// The messages with changes.
    func map(_ change: (FITMessage) -> FITMessage) -> FITMessages {
        var changed = self
        changed.groups = groups.mapValues { $0.map(change) }
        return changed
    }

    /// The messages with one of some numbers, in order.
    func ordered(_ numbers: [UInt16]) -> [FITMessage] {
        numbers.flatMap { self[$0] }.sorted { $0.offset < $1.offset }
    }
}

/// A message of a FIT file.
struct FITMessage: Sendable {
    /// A field with a value. Long recordings have hundreds of thousands of them, so it is kept small.
    struct Field: Sendable {
        var value: FITValue
        var number: UInt8
        /// The bits of each of the value's elements.
        var bits: UInt8 = 0
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

    /// Changes a field that has a value, in its unit.
    mutating func set(_ number: UInt8, _ value: Double) {
        guard let place = fields.firstIndex(where: { $0.number == number }) else { return }
        fields[place] = Field(value: .real(value), number: number, isScaled: true)
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
        self[number].flatMap { self.number(of: $0) }
    }

    /// The value of one of ``fields`` in its unit; of a list, the first.
    func number(of field: Field) -> Double? {
        switch field.value {
        case .integer(let integer): scaled(Double(integer), field)
        case .real(let real): scaled(real, field)
        case .integers, .reals: numbers(of: field).first.flatMap { $0.isNaN ? nil : $0 }
        case .text: nil
        }
    }

    /// The values of a list in the field's unit, NaN where there is none.
    func numbers(_ number: UInt8) -> [Double] {
        self[number].map { numbers(of: $0) } ?? []
    }

    private func numbers(of field: Field) -> [Double] {
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
        guard let traits = profile?.traits[Int(number)] else { return FITScaling() }
        return traits.hasSubFields ? subField(number)?.scaling ?? traits.scaling : traits.scaling
    }
}
