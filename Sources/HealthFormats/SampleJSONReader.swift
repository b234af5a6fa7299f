package import Foundation
package import HealthEngine
import HealthJSON
package import HealthModel

/// Reads samples and objects from JSON with HealthKit's property names. The counterpart is ``SampleJSONWriter``.
///
/// Nothing is validated but the form: the engine applies HealthKit's rules. A reader is for one thread at a time.
package struct SampleJSONReader {
    private let dictionaries: StoreDictionaries
    var values: ValueJSONReader
    private var types: [String: TypeDescription] = [:]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - dictionaries: The types of the store.
    ///   - timeZone: The time zone of dates without an offset.
    package init(dictionaries: StoreDictionaries, timeZone: TimeZone) {
        self.dictionaries = dictionaries
        values = ValueJSONReader(instants: LocalClock(timeZone: timeZone))
    }

    /// Reads a batch: an array of samples, an object with the member `samples`, or a single sample.
    ///
    /// - Throws: ``JSONSyntaxError``; ``SampleReadingError`` for the first sample that is not of the expected form.
    package mutating func batch(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [SaveItem] {
        try JSONReader.scan(bytes) { json in
            let batch = try batch(&json)
            try json.end()
            return batch
        }
    }

    /// Reads lines, each with a sample. Empty lines are ignored.
    ///
    /// - Throws: As ``batch(_:)-(UnsafeBufferPointer<UInt8>)``.
    package mutating func lines(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [SaveItem] {
        try JSONReader.scan(bytes) { json in
            var items: [SaveItem] = []
            while try !json.isAtEnd() { try collect(&json, into: &items) }
            return items
        }
    }

    /// Reads a batch as part of a text.
    private mutating func batch(_ json: inout JSONReader) throws -> [SaveItem] {
        switch try json.kind() {
        case .array: return try array(&json)
        case .object:
            var (batch, fields) = ([SaveItem]?.none, SampleFields())
            try json.object { json, name in
                if name == "samples" {
                    batch = try array(&json)
                } else if try !json.acceptNull() {
                    // A batch can have other members; a sample must be of the right form.
                    if batch != nil { try json.skip() } else { try read(name, &json, into: &fields) }
                }
            }
            if let batch { return batch }
            do {
                return [try item(fields)]
            } catch var error as SampleReadingError {
                error.index = 0
                throw error
            }
        default: throw SampleReadingError(member: nil, reason: "A list of samples is expected.")
        }
    }

    private mutating func array(_ json: inout JSONReader) throws -> [SaveItem] {
        try values.check(&json, is: .array, "samples", "A list")
        var items: [SaveItem] = []
        try json.array { json, _ in try collect(&json, into: &items) }
        return items
    }

    /// Reads one sample.
    private mutating func collect(_ json: inout JSONReader, into items: inout [SaveItem]) throws {
        do {
            guard try json.kind() == .object else {
                throw SampleReadingError(member: nil, reason: "A sample is an object.")
            }
            items.append(try item(fields(&json)))
        } catch var error as SampleReadingError {
            error.index = items.count
            throw error
        }
    }

    private mutating func fields(_ json: inout JSONReader) throws -> SampleFields {
        var fields = SampleFields()
        try json.object { json, name in
            if try json.acceptNull() { return }
            try read(name, &json, into: &fields)
        }
        return fields
    }

    private mutating func read(_ name: String, _ json: inout JSONReader, into fields: inout SampleFields) throws {
        switch name {
        case "type": fields.type = try type(&json)
        case "startDate": fields.start = try values.instant(&json, name)
        case "endDate": fields.end = try values.instant(&json, name)
        case "quantity": fields.quantity = try values.number(&json, name)
        case "unit": fields.unit = try values.unit(&json, name)
        case "uuid": fields.uuid = try values.uuid(&json, name)
        case "value":
            if try json.kind() == .string {
                fields.valueName = try json.string()
            } else {
                fields.value = try values.number(&json, name)
            }
        case "valueName": fields.valueName = try fields.valueName ?? values.string(&json, name)
        case "metadata": fields.metadata = try values.metadata(&json, name)
        case "device": fields.deviceName = try values.string(&json, name)
        case "deviceDetails": fields.device = try device(&json)
        case "source": fields.source = try values.string(&json, name)
        case "bundleIdentifier": fields.bundleIdentifier = try values.string(&json, name)
        case "sourceVersion": fields.sourceVersion = try values.string(&json, name)
        case "productType": fields.productType = try values.string(&json, name)
        case "operatingSystemVersion": fields.system = try system(&json)
        case "objects":
            var members: [SampleFields] = []
            try values.list(&json, name) { json, index in
                do {
                    guard try json.kind() == .object else {
                        throw SampleReadingError(member: nil, reason: "A sample is an object.")
                    }
                    members.append(try self.fields(&json))
                } catch var error as SampleReadingError {
                    error.member = "objects[\(index)]" + (error.member.map { ".\($0)" } ?? "")
                    throw error
                }
            }
            fields.members = members
        default:
            if try !readObjectMember(name, &json, into: &fields) { try json.skip() }
        }
    }

    // MARK: Parts

    private mutating func type(_ json: inout JSONReader) throws -> TypeDescription {
        try values.check(&json, is: .string, "type", "A string")
        let name = try json.string()
        if let known = types[name] { return known }
        let type = try dictionaries.type(named: name).required("type", "This is not a data type of HealthKit.")
        types[name] = type
        return type
    }

    private func device(_ json: inout JSONReader) throws -> DeviceRecord {
        var device = DeviceRecord()
        try values.object(&json, "deviceDetails") { json, name in
            guard let member = DeviceRecord.members.first(where: { $0.name == name }) else { return try json.skip() }
            device[keyPath: member.property] = try values.string(&json, "deviceDetails.\(name)")
        }
        return device
    }

    private func system(_ json: inout JSONReader) throws -> OperatingSystemVersionRecord {
        let numbers = try values.string(&json, "operatingSystemVersion").split(separator: ".").map { Int($0) ?? 0 }
        func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
        return OperatingSystemVersionRecord(major: number(0), minor: number(1), patch: number(2))
    }
}
