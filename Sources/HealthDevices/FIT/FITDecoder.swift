import HealthFiles

/// Reads the messages of one FIT file.
struct FITDecoder {
    /// The definition of a data message of a local type.
    private struct Definition {
        struct Field {
            var number: UInt8
            var size: Int
            /// `nil` for a field that can't be read.
            var base: FITBaseType?
        }

        struct DeveloperField {
            var number: UInt8
            var size: Int
            var developer: UInt8
        }

        var number: UInt16
        var isBigEndian: Bool
        var fields: [Field]
        var developerFields: [DeveloperField]
        var size: Int
        var profile: FITMessageProfile?
        /// The number of fields, and of those that most messages get in addition.
        var capacity = 0
    }

    /// A field that an application on the device has described.
    private struct DeveloperDescription {
        var base: FITBaseType
        var name: String
        var units: String
        var scaling: FITScaling
        /// The field of the profile that it represents.
        var native: (message: UInt16, field: UInt8)?
    }

    private let bytes: UnsafeRawBufferPointer
    private let end: Int
    /// The place of the next message.
    private(set) var position: Int
    private(set) var damages: [FileDamage] = []
    /// Whether the last message isn't whole.
    private(set) var isCut = false
    private var definitions = [Definition?](repeating: nil, count: 16)
    private var developers: [UInt16: DeveloperDescription] = [:]
    private var expansion = FITExpansion()
    /// The time to which the five bits of a compressed header refer.
    private var lastTimestamp: Int64?

    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        (position, end) = (range.lowerBound, range.upperBound)
    }

    /// The next message; `nil` at the end and where nothing can be read any more, which ``damages`` tells.
    mutating func next() -> FITMessage? {
        while position < end {
            let start = position
            let header = bytes[start]
            if header & 0xC0 == 0x40 {
                guard define(header) else { return nil }
                continue
            }
            if header == 12 || header == 14, let inner = FITHeader(bytes, at: start) {
                damages.append(.init(offset: start, reason: "it has a second header, which was skipped"))
                position += inner.length
                continue
            }
            let isCompressed = header & 0x80 != 0
            let local = Int(isCompressed ? header >> 5 & 3 : header & 0xF)
            guard let definition = definitions[local] else {
                stop("a message has a local type that isn’t defined")
                return nil
            }
            guard start + 1 + definition.size <= end else {
                cut()
                return nil
            }
            position = start + 1 + definition.size
            return read(definition, at: start, timeOffset: isCompressed ? Int64(header & 0x1F) : nil)
        }
        return nil
    }

    /// Notes why nothing more can be read.
    private mutating func stop(_ reason: String) {
        damages.append(.init(offset: position, reason: "\(reason); what follows was left out"))
    }

    private mutating func cut() {
        isCut = true
        stop("a message ends after the file")
    }

    // MARK: - Definitions

    private mutating func define(_ header: UInt8) -> Bool {
        let start = position
        let hasDeveloperFields = header & 0x20 != 0
        guard let size = definitionSize(at: start, hasDeveloperFields), start + size <= end else {
            cut()
            return false
        }
        let architecture = bytes[start + 2]
        guard architecture <= 1 else {
            stop("a definition has an unknown byte order")
            return false
        }
        let count = Int(bytes[start + 5])
        let number = bytes.loadUnaligned(fromByteOffset: start + 3, as: UInt16.self)
        var definition = Definition(
            number: architecture == 1 ? UInt16(bigEndian: number) : UInt16(littleEndian: number),
            isBigEndian: architecture == 1, fields: [], developerFields: [], size: 0)
        definition.profile = FITProfile.messages[definition.number]
        for field in stride(from: start + 6, to: start + 6 + 3 * count, by: 3) {
            let size = Int(bytes[field + 1])
            var base = FITBaseType(rawValue: bytes[field + 2] & 0x1F)
            if base.map({ size == 0 || size % $0.size != 0 }) ?? true {
                damages.append(
                    .init(
                        offset: field,
                        reason:
                            "field \(bytes[field]) of \(definition.profile?.name ?? "message \(definition.number)") "
                            + "has a size or type that isn’t one, and is left out"))
                base = nil
            }
            definition.fields.append(.init(number: bytes[field], size: size, base: base))
            definition.size += size
        }
        if hasDeveloperFields {
            for field in stride(from: start + 7 + 3 * count, to: start + size, by: 3) {
                let size = Int(bytes[field + 1])
                definition.developerFields.append(
                    .init(number: bytes[field], size: size, developer: bytes[field + 2]))
                definition.size += size
            }
        }
        let expanded = definition.fields.count { definition.profile?.traits[Int($0.number)].expands ?? false }
        definition.capacity = definition.fields.count + definition.developerFields.count + expanded
        definitions[Int(header & 0xF)] = definition
        position = start + size
        return true
    }

    /// The size of a definition; `nil` if the file ends before it is known.
    private func definitionSize(at start: Int, _ hasDeveloperFields: Bool) -> Int? {
        guard start + 6 <= end else { return nil }
        let size = 6 + 3 * Int(bytes[start + 5])
        guard hasDeveloperFields else { return size }
        return start + size < end ? size + 1 + 3 * Int(bytes[start + size]) : nil
    }

    // MARK: - Data

    private mutating func read(_ definition: Definition, at start: Int, timeOffset: Int64?) -> FITMessage {
        var message = FITMessage(number: definition.number, offset: start, profile: definition.profile)
        message.fields.reserveCapacity(definition.capacity)
        var place = start + 1
        for field in definition.fields {
            if let base = field.base,
                let value = FITValue(
                    UnsafeRawBufferPointer(rebasing: bytes[place..<place + field.size]), base,
                    isBigEndian: definition.isBigEndian)
            {
                message.fields.append(.init(value: value, number: field.number, bits: UInt8(base.size * 8)))
            }
            place += field.size
        }
        for field in definition.developerFields {
            let part = UnsafeRawBufferPointer(rebasing: bytes[place..<place + field.size])
            place += field.size
            guard let description = developers[UInt16(field.developer) << 8 | UInt16(field.number)],
                field.size > 0, field.size % description.base.size == 0,
                let value = FITValue(part, description.base, isBigEndian: definition.isBigEndian)
            else { continue }
            add(value, description, to: &message)
        }
        if let time = message.integer(FITField.timestamp) {
            lastTimestamp = time
        } else if let timeOffset, let last = lastTimestamp {
            let time = (last & ~0x1F) &+ timeOffset &+ (timeOffset < last & 0x1F ? 0x20 : 0)
            lastTimestamp = time
            message.fields.append(.init(value: .integer(time), number: FITField.timestamp))
        }
        if message.number == FITMessageNumber.fieldDescription { describe(message) }
        expansion.expand(&message)
        return message
    }

    /// Adds a developer's field, or the field of the profile that it represents if the message lacks it and its unit
    /// is known.
    private func add(_ value: FITValue, _ description: DeveloperDescription, to message: inout FITMessage) {
        let number: Double? =
            switch value {
            case .integer(let integer): Double(integer)
            case .real(let real): real
            case .text, .integers, .reals: nil
            }
        guard let native = description.native, native.message == message.number, message[native.field] == nil,
            let number, number.isFinite,
            let factor = FITDeveloperUnit.factor(description.units, of: native.field, in: native.message)
        else {
            message.developerFields.append(
                .init(name: description.name, units: description.units, value: value))
            return
        }
        message.fields.append(
            .init(value: .real(description.scaling.number(number) * factor), number: native.field, isScaled: true))
    }

    private mutating func describe(_ message: FITMessage) {
        typealias Names = FITField.FieldDescription
        guard let developer = message.integer(Names.developerDataIndex), (0..<255).contains(developer),
            let number = message.integer(Names.fieldDefinitionNumber), (0...255).contains(number),
            let base = message.integer(Names.fitBaseTypeId).flatMap({ FITBaseType(rawValue: UInt8($0 & 0x1F)) })
        else { return }
        var description = DeveloperDescription(
            base: base, name: message.text(Names.fieldName) ?? "", units: message.text(Names.units) ?? "",
            scaling: FITScaling())
        if let scale = message.integer(Names.scale), scale > 0 { description.scaling.scale = Double(scale) }
        if let offset = message.integer(Names.offset) { description.scaling.offset = Double(offset) }
        if let native = message.integer(Names.nativeMesgNum).flatMap({ UInt16(exactly: $0) }),
            let field = message.integer(Names.nativeFieldNum).flatMap({ UInt8(exactly: $0) })
        {
            description.native = (native, field)
        }
        developers[UInt16(developer) << 8 | UInt16(number)] = description
    }
}
