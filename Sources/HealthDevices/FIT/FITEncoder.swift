/// Writes the messages of one FIT file, as ``FITDecoder`` reads them.
struct FITEncoder {
    /// The definition of the data messages of a local type.
    private struct Definition: Hashable {
        struct Field: Hashable {
            var number: UInt8
            var size: UInt8
            var base: FITBaseType
        }

        var number: UInt16
        var fields: [Field]
    }

    /// The version of the format, 2.0, and of the profile, 21.32, whose numbers are used.
    private static let (protocolVersion, profileVersion): (UInt8, UInt16) = (0x20, 2_132)

    private var body: [UInt8] = []
    private var definitions = [Definition?](repeating: nil, count: 16)
    /// The local type that was defined last.
    private var newest = 15

    /// Appends a message with the fields that have a value which their type can represent.
    ///
    /// - Parameter fields: Raw values as `.integer`, values in the field's unit as `.real`, and texts.
    mutating func add(_ number: UInt16, _ fields: [(number: UInt8, value: FITValue?)]) {
        guard let profile = FITProfile.messages[number] else {
            preconditionFailure("Message \(number) has no profile.")
        }
        var definition = Definition(number: number, fields: [])
        var data: [UInt8] = []
        for field in fields {
            guard let value = field.value, let description = profile[field.number],
                let bytes = Self.bytes(value, description)
            else { continue }
            definition.fields.append(
                .init(number: field.number, size: UInt8(bytes.count), base: description.base))
            data += bytes
        }
        guard !definition.fields.isEmpty else { return }
        body.append(local(definition))
        body += data
    }

    /// The file with its header and checksums.
    func file() -> [UInt8] {
        var header: [UInt8] = [14, Self.protocolVersion]
        header += Self.bytes(Int64(Self.profileVersion), 2) + Self.bytes(Int64(body.count), 4) + Array(".FIT".utf8)
        header += Self.checksum(header)
        return header + body + Self.checksum(header + body)
    }

    /// The local type of a definition, which is written if it isn't one of the last sixteen.
    private mutating func local(_ definition: Definition) -> UInt8 {
        if let known = definitions.firstIndex(of: definition) { return UInt8(known) }
        newest = (newest + 1) % definitions.count
        definitions[newest] = definition
        body += [0x40 | UInt8(newest), 0, 0] + Self.bytes(Int64(definition.number), 2)
        body.append(UInt8(definition.fields.count))
        for field in definition.fields {
            body += [field.number, field.size, field.base.rawValue | (field.base.size > 1 ? 0x80 : 0)]
        }
        return UInt8(newest)
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        Self.bytes(Int64(bytes.withUnsafeBytes(FITChecksum.value)), 2)
    }

    private static func bytes(_ value: Int64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
    }

    /// The bytes of a value; `nil` if the field's type can't represent it.
    private static func bytes(_ value: FITValue, _ field: FITFieldProfile) -> [UInt8]? {
        switch value {
        case .integer(let integer): raw(of: integer, field)
        case .real(let number): Int64(exactly: field.scaling.raw(number).rounded()).flatMap { raw(of: $0, field) }
        case .text(let text):
            // A text ends with a zero, and has 255 bytes at most.
            field.base == .string && !text.isEmpty ? Array(prefix(of: text, bytes: 254).utf8) + [0] : nil
        case .integers, .reals: nil
        }
    }

    private static func prefix(of text: String, bytes count: Int) -> Substring {
        var text = text[...]
        while text.utf8.count > count { text.removeLast() }
        return text
    }

    private static func raw(of value: Int64, _ field: FITFieldProfile) -> [UInt8]? {
        let base = field.base
        /// One more than the largest number with a sign.
        let half = Int64(1) << (8 * base.size - 1)
        // The largest value means that there is none, in types with a z the value 0.
        let range: ClosedRange<Int64>? =
            switch base {
            case .enum, .uint8, .byte, .uint16, .uint32: 0...2 * half - 2
            case .uint8z, .uint16z, .uint32z: 1...2 * half - 1
            case .sint8, .sint16, .sint32: -half...half - 2
            case .string, .float32, .float64, .sint64, .uint64, .uint64z: nil
            }
        return range.map { $0.contains(value) } ?? false ? bytes(value, base.size) : nil
    }
}
