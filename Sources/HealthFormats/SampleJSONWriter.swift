package import Foundation
package import HealthEngine
package import HealthJSON
package import HealthModel

/// Writes samples and objects as JSON with HealthKit's property names, directly from columns. The counterpart is
/// ``SampleJSONReader``.
///
/// What many samples have in common (sources, devices, metadata, names of values) is formatted once. A writer is for
/// one thread at a time. Docs/API.md describes the members.
package struct SampleJSONWriter {
    /// The parts of a sample that the writer includes besides its values.
    package struct Options: Sendable {
        /// The unit to which all quantities are converted.
        package var unit: String?
        /// The units to which the others are converted, by type; without one, they are in the unit they were saved in.
        package var units: [TypeCode: String]
        /// Whether objects contain their long series, such as locations.
        package var includesSeries = false
        /// Whether samples have their UUID and sequence number.
        package var includesIdentities = true

        package init(
            unit: String? = nil, units: [TypeCode: String] = [:], includesSeries: Bool = false,
            includesIdentities: Bool = true
        ) {
            (self.unit, self.units) = (unit, units)
            (self.includesSeries, self.includesIdentities) = (includesSeries, includesIdentities)
        }
    }

    /// The JSON written so far.
    package private(set) var bytes: [UInt8] = []
    let instants: InstantWriter
    let dictionaries: StoreDictionaries
    let options: Options
    private let identities: DerivedIdentities
    private var revisions: [UInt32: [UInt8]] = [:]
    private var devices: [UInt32: [UInt8]] = [:]
    private var units: [UnitKey: UnitPart] = [:]
    private var valueNames: [TypeCode: [Int: [UInt8]]] = [:]
    private var heads: [TypeCode: [UInt8]] = [:]

    private struct UnitKey: Hashable {
        var type: TypeCode
        var number: UInt32
    }

    private struct UnitPart {
        /// `,"unit":"kg"`.
        var member: [UInt8]
        var conversion: UnitConversion?
    }

    /// Creates a writer for the samples of a store.
    package init(
        dictionaries: StoreDictionaries, identities: DerivedIdentities, timeZone: TimeZone, options: Options = .init()
    ) {
        self.dictionaries = dictionaries
        self.identities = identities
        self.options = options
        instants = InstantWriter(timeZone: timeZone)
    }

    /// Creates a writer for the results of a request.
    package init(_ selection: SampleSelection, timeZone: TimeZone, options: Options = .init()) {
        self.init(
            dictionaries: selection.dictionaries, identities: selection.identities, timeZone: timeZone, options: options
        )
    }

    /// Appends the results of a request in their order.
    ///
    /// - Parameters:
    ///   - separator: The separator of two results.
    ///   - count: The number of results to write; `nil` for all.
    package mutating func write(
        _ selection: SampleSelection, separatedBy separator: StaticString = ",", count: Int? = nil
    ) {
        var isFirst = true
        for reference in selection.order.prefix(count ?? .max) {
            if !isFirst { add(separator) }
            isFirst = false
            write(reference, of: selection)
        }
    }

    /// Returns an object with the results of a request as a member, and other members after it.
    ///
    /// - Parameter count: The number of results to write; `nil` for all.
    package static func object(
        _ name: StaticString, _ selection: SampleSelection, count: Int? = nil, timeZone: TimeZone,
        options: Options = .init(), _ members: (inout JSONText) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = SampleJSONWriter(selection, timeZone: timeZone, options: options)
        writer.add("{\"")
        writer.add(name)
        writer.add("\":[")
        writer.write(selection, count: count)
        var others = JSONText()
        others.object(members)
        writer.add(others.bytes.count > 2 ? "]," : "]")
        return writer.bytes + others.bytes.dropFirst()
    }

    /// Appends one result.
    package mutating func write(_ reference: SampleSelection.Reference, of selection: SampleSelection) {
        switch reference {
        case .sample(let batch, let row): write(selection.batches[Int(batch)], row: Int(row))
        case .object(let index): write(selection.objects[Int(index)])
        }
    }

    /// Appends a sample. Its columns are complete.
    package mutating func write(_ columns: SampleColumns, row: Int) {
        let identity =
            options.includesIdentities
            ? columns.uuid(at: row) ?? identities.uuid(for: columns.sequences[row]) : nil
        begin(columns.type, identity)
        instants.write(columns.starts[row], to: &bytes)
        add("\",\"endDate\":\"")
        instants.write(columns.ends[row], to: &bytes)
        add("\"")
        let unit = columns.units.isEmpty ? 0 : columns.units[row]
        if unit == 0 {
            category(columns.values[row], of: columns.type)
        } else {
            quantity(columns.values[row], UnitKey(type: columns.type, number: unit))
        }
        addRevision(columns.revisions[row])
        addDevice(columns.devices.isEmpty ? 0 : columns.devices[row])
        if columns.metadata.number(at: row) > 0 { addMetadata(columns.metadata(at: row)) }
        end(columns.sequences[row])
    }

    /// Appends existing JSON or punctuation.
    package mutating func add(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends existing JSON.
    package mutating func add(_ json: [UInt8]) {
        bytes += json
    }

    /// Removes what was written and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: Parts

    /// Appends what precedes the start of a sample or object.
    mutating func begin(_ type: TypeCode, _ identity: UUID?) {
        add("{")
        if options.includesIdentities {
            add("\"uuid\":\"")
            if let identity { uuid(identity) }
            add("\",")
        }
        bytes += head(of: type)
    }

    /// Appends what follows the metadata.
    mutating func end(_ sequence: Int64) {
        if options.includesIdentities {
            add(",\"sequence\":")
            bytes.append(contentsOf: String(sequence).utf8)
        }
        add("}")
    }

    /// The type and the name of the start.
    private mutating func head(of type: TypeCode) -> [UInt8] {
        if let known = heads[type] { return known }
        var json = JSONText()
        json.string(dictionaries.type(type)?.identifier ?? "")
        let part = Array("\"type\":".utf8) + json.bytes + Array(",\"startDate\":\"".utf8)
        heads[type] = part
        return part
    }

    private mutating func quantity(_ value: Double, _ unit: UnitKey) {
        let part = unitPart(unit)
        add(",\"quantity\":")
        decimal(part.conversion.map { $0(value) } ?? value)
        bytes += part.member
    }

    private mutating func unitPart(_ key: UnitKey) -> UnitPart {
        if let known = units[key] { return known }
        let part = makeUnit(dictionaries.unit(key.number), of: key.type)
        units[key] = part
        return part
    }

    private func makeUnit(_ unit: String, of type: TypeCode) -> UnitPart {
        let (shown, conversion) = shown(unit, of: type)
        var json = JSONText()
        json.string(shown)
        return UnitPart(
            member: Array(",\"unit\":".utf8) + json.bytes, conversion: conversion.isIdentity ? nil : conversion)
    }

    /// The unit to show a quantity in, and the conversion to it.
    func shown(_ unit: String, of type: TypeCode) -> (unit: String, conversion: UnitConversion) {
        guard let wanted = options.unit ?? options.units[type], let found = UnitConversion(between: unit, and: wanted)
        else {
            return (unit, .identity)
        }
        return (wanted, found)
    }

    private mutating func category(_ value: Double, of type: TypeCode) {
        guard let number = Int(exactly: value) else {
            add(",\"value\":")
            return decimal(value)
        }
        if let known = valueNames[type]?[number] {
            bytes += known
        } else {
            var part = Array(",\"value\":\(number)".utf8)
            if let description = dictionaries.type(type), let name = ValueNames.name(of: number, of: description) {
                part += Array(",\"valueName\":\"\(name)\"".utf8)
            }
            valueNames[type, default: [:]][number] = part
            bytes += part
        }
    }

    private mutating func addRevision(_ number: UInt32) {
        if let known = revisions[number] { return bytes += known }
        let part = Self.members(of: number == 0 ? nil : dictionaries.revision(number))
        revisions[number] = part
        bytes += part
    }

    private mutating func addDevice(_ number: UInt32) {
        guard number > 0 else { return }
        if let known = devices[number] { return bytes += known }
        let part = Self.members(of: dictionaries.device(number))
        devices[number] = part
        bytes += part
    }

    private mutating func decimal(_ number: Double) {
        if number != 0 || number.sign == .plus, let text = ShortestNumber.shortest(number) {
            bytes.append(contentsOf: text.utf8)
        } else {
            var json = JSONText()
            json.decimal(number)
            bytes += json.bytes
        }
    }

    /// Appends metadata as a member, and the number of quantities of a series.
    mutating func addMetadata(_ metadata: Metadata) {
        if case .integer(let count)? = metadata[MetadataKey.seriesCount], count > 1 {
            add(",\"count\":")
            bytes.append(contentsOf: String(count).utf8)
        }
        guard metadata.hasVisibleEntries else { return }
        var json = JSONText()
        json.values(metadata, instants)
        add(",\"metadata\":")
        bytes += json.bytes
    }

    mutating func uuid(_ uuid: UUID) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: UUIDWriter.length) { buffer in
            UUIDWriter.write(uuid, to: buffer.baseAddress!)
            bytes.append(contentsOf: buffer)
        }
    }
}

extension SampleJSONWriter {
    /// The members of a source revision, each with a comma before it.
    static func members(of revision: SourceRevisionRecord?) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("source", text: revision?.source.name ?? "")
            json.member("bundleIdentifier", text: revision?.source.bundleIdentifier ?? "")
            json.member("sourceVersion", text: revision?.version)
            json.member("productType", text: revision?.productType)
            guard let system = revision?.operatingSystemVersion, system != OperatingSystemVersionRecord() else {
                return
            }
            json.member("operatingSystemVersion", text: "\(system.major).\(system.minor).\(system.patch)")
        }
        return following(json)
    }

    /// The members of a device, each with a comma before it.
    static func members(of device: DeviceRecord?) -> [UInt8] {
        guard let device else { return [] }
        var json = JSONText()
        json.object { json in
            json.member("device", text: device.name)
            json.object("deviceDetails") { json in
                for (name, property) in DeviceRecord.members { json.member(name, text: device[keyPath: property]) }
            }
        }
        return following(json)
    }

    /// The members of an object after others.
    private static func following(_ json: JSONText) -> [UInt8] { Array(",".utf8) + json.bytes.dropFirst().dropLast() }
}

extension DeviceRecord {
    /// The properties by the names of their members.
    static let members: [(name: String, property: any WritableKeyPath<DeviceRecord, String?> & Sendable)] = [
        ("name", \.name), ("manufacturer", \.manufacturer), ("model", \.model), ("hardwareVersion", \.hardwareVersion),
        ("firmwareVersion", \.firmwareVersion), ("softwareVersion", \.softwareVersion),
        ("localIdentifier", \.localIdentifier), ("udiDeviceIdentifier", \.udiDeviceIdentifier),
    ]
}
