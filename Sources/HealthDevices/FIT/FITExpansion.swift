/// Expands components into the fields that they are values of.
struct FITExpansion {
    private enum Total {
        /// The value that a message had itself, in the field's unit.
        case whole(Double)
        /// The total to which lower bits have grown, and those that were read last.
        case parts(value: Int64, last: Int64)
    }

    /// The last values of accumulated fields, by number of the message and the field.
    private var totals: [UInt32: Total] = [:]

    /// Adds the fields that are components of others. A field that the message has itself stays.
    mutating func expand(_ message: inout FITMessage) {
        guard let profile = message.profile else { return }
        var next = 0
        while next < message.fields.count {
            let field = message.fields[next]
            next += 1
            guard profile.traits[Int(field.number)].expands, let description = profile[field.number] else { continue }
            if description.isAccumulated, !field.isScaled, let number = message.number(field.number) {
                totals[Self.key(message, field.number)] = .whole(number)
            }
            let subField = description.subFields.isEmpty ? nil : message.subField(field.number)
            let components = subField.map(\.components) ?? description.components
            guard !components.isEmpty else { continue }
            let scaling = subField?.scaling ?? description.scaling
            expand(field, scaling, base: description.base, components, profile, &message)
        }
    }

    private mutating func expand(
        _ field: FITMessage.Field, _ scaling: FITScaling, base: FITBaseType, _ components: [FITComponent],
        _ profile: FITMessageProfile, _ message: inout FITMessage
    ) {
        guard var bits = Self.bits(of: field, scaling, base) else { return }
        let own = message.fields.count
        for component in components {
            guard let read = bits.next(component.bits) else { break }
            var raw = read
            let target = profile.traits[Int(component.field)]
            guard target.isKnown, !message.fields[..<own].contains(where: { $0.number == component.field })
            else { continue }
            if target.isAccumulated { raw = accumulate(raw, component, message) }
            let number = component.scaling.number(Double(raw))
            if let place = message.fields[own...].firstIndex(where: { $0.number == component.field }) {
                var list = message.numbers(component.field)
                list.append(number)
                message.fields[place].value = .reals(list)
            } else {
                message.fields.append(.init(value: .real(number), number: component.field, isScaled: true))
            }
        }
    }

    private mutating func accumulate(_ read: Int64, _ component: FITComponent, _ message: FITMessage) -> Int64 {
        let key = Self.key(message, component.field)
        let mask = component.bits < 63 ? Int64(1) << component.bits - 1 : Int64.max
        var (value, last) = (read, read)
        switch totals[key] {
        case .whole(let number):
            if let raw = Int64(exactly: component.scaling.raw(number).rounded()) { (value, last) = (raw, raw) }
        case .parts(let before, let bits): (value, last) = (before, bits)
        case nil: break
        }
        value &+= (read &- last) & mask
        totals[key] = .parts(value: value, last: read)
        return value
    }

    private static func key(_ message: FITMessage, _ field: UInt8) -> UInt32 {
        UInt32(message.number) << 8 | UInt32(field)
    }

    /// The bits of a field, the first element's first.
    private static func bits(of field: FITMessage.Field, _ scaling: FITScaling, _ base: FITBaseType) -> BitReader? {
        if field.isScaled {
            guard case .real(let number) = field.value,
                let raw = Int64(exactly: scaling.raw(number).rounded()), raw >= 0
            else { return nil }
            return BitReader(raw, width: base.size * 8)
        }
        return switch field.value {
        case .integer(let integer): BitReader(integer, width: Int(field.bits))
        case .integers(let list): list.first.map { BitReader($0, list.dropFirst(), width: Int(field.bits)) }
        case .real, .reals, .text: nil
        }
    }
}

/// Reads numbers of any bits from a list of integers, from the lowest bit of the first one on.
struct BitReader {
    private let first: Int64
    private let rest: ArraySlice<Int64>
    private let width: Int
    private var position = 0

    init(_ first: Int64, _ rest: ArraySlice<Int64> = [], width: Int) {
        (self.first, self.rest, self.width) = (first, rest, width)
    }

    private func element(_ index: Int) -> Int64 { index == 0 ? first : rest[rest.startIndex + index - 1] }

    /// The next bits; `nil` if there are less.
    mutating func next(_ count: Int) -> Int64? {
        guard width > 0, count > 0, count < 64, position + count <= (rest.count + 1) * width else { return nil }
        if count == width, position % width == 0 {
            defer { position += count }
            let element = element(position / width)
            // An invalid element of a list has no value to expand.
            return element == FITValue.invalid ? nil : element & (Int64(1) << count - 1)
        }
        var number: Int64 = 0
        for bit in 0..<count {
            let (index, place) = (position + bit).quotientAndRemainder(dividingBy: width)
            number |= (element(index) >> Int64(place) & 1) << Int64(bit)
        }
        position += count
        return number
    }
}
