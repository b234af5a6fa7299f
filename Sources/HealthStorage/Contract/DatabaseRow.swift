package import Foundation
package import HealthModel

/// A row that a database has returned. What backends with tables read is written here, once for all databases.
package protocol DatabaseRow {
    /// Whether a column, counted from 0, has no value.
    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) throws -> Int64
    func real(_ column: Int32) throws -> Double
    /// Text; empty for a column without a value.
    func text(_ column: Int32) -> String
    /// Bytes, which are valid as long as the row is.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer
}

extension DatabaseRow {
    package func optionalReal(_ column: Int32) throws -> Double? { isNull(column) ? nil : try real(column) }

    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    package func optionalUUID(_ column: Int32) throws -> UUID? { isNull(column) ? nil : try uuid(column) }

    package func uuid(_ column: Int32) throws -> UUID {
        let bytes = bytes(column)
        guard bytes.count == 16 else {
            throw StorageError(.damaged, "A stored UUID has \(bytes.count) bytes instead of 16.")
        }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Reads a number that must fit its type; backends write no others.
    package func number<Number: FixedWidthInteger>(
        _ column: Int32, as type: Number.Type = Number.self
    ) throws -> Number {
        guard let number = Number(exactly: try integer(column)) else {
            throw StorageError(.damaged, "A stored number is out of range.")
        }
        return number
    }

    package func code(_ column: Int32) throws -> TypeCode { TypeCode(rawValue: try number(column)) }
}

// MARK: - Rows of tables

extension StoredObject {
    /// Reads sequence, type, start, end, UUID, revision, device and payload.
    package init(_ row: some DatabaseRow) throws {
        self.init(
            sequence: try row.integer(0), uuid: try row.optionalUUID(4), type: try row.code(1), start: try row.real(2),
            end: try row.real(3), revision: try row.number(5), device: try row.number(6), payload: Array(row.bytes(7)))
    }
}

extension StoredIdentity {
    /// Reads type and sequence.
    package init(_ row: some DatabaseRow, at column: Int32 = 0) throws {
        self.init(type: try row.code(column), sequence: try row.integer(column + 1))
    }
}

extension StoredSync {
    /// Reads source, type, identifier, version and sequence.
    package init(_ row: some DatabaseRow) throws {
        self.init(
            key: Key(source: row.text(0), type: try row.code(1), identifier: row.text(2)), version: try row.real(3),
            sequence: try row.integer(4))
    }
}

extension StoredTombstone {
    /// Reads sequence, type, UUID, sync identifier, sync version, start, end and revision.
    package init(_ row: some DatabaseRow) throws {
        self.init(
            sequence: try row.integer(0), type: try row.code(1), uuid: try row.uuid(2),
            syncIdentifier: row.optionalText(3), syncVersion: try row.optionalReal(4), start: try row.optionalReal(5),
            end: try row.optionalReal(6), revision: row.isNull(7) ? nil : try row.number(7))
    }
}

extension LinkRange {
    /// Reads owner, first and last member, and the types of owner and members.
    package init(_ row: some DatabaseRow) throws {
        try self.init(
            owner: row.integer(0), ownerType: row.code(3), memberType: row.code(4), first: row.integer(1),
            last: row.integer(2))
    }
}

// MARK: - Dictionaries

/// The tables of a store's dictionaries, in the order in which they are read.
package enum DictionaryTable: String, CaseIterable, Sendable {
    case source, revision, device, unit, type

    /// The column with the number of an entry.
    package var key: String { self == .type ? "code" : "id" }

    /// The number of the first entry.
    package var firstNumber: UInt32 { self == .type ? TypeCode.firstUnknown.rawValue : 1 }

    /// The columns besides the key.
    package var columns: [String] {
        switch self {
        case .source: ["bundle", "name"]
        case .revision: ["source", "version", "product", "os_major", "os_minor", "os_patch"]
        case .device:
            ["name", "manufacturer", "model", "hardware", "firmware", "software", "local_identifier", "udi"]
        case .unit: ["text"]
        case .type: ["identifier", "kind"]
        }
    }
}

/// A value in a column of a dictionary table.
package enum DictionaryValue: Sendable {
    case number(Int64)
    case text(String?)
}

extension DictionaryEntry {
    package var table: DictionaryTable {
        switch self {
        case .source: .source
        case .revision: .revision
        case .device: .device
        case .unit: .unit
        case .type: .type
        }
    }

    /// The values of ``DictionaryTable/columns``.
    ///
    /// - Parameter number: Returns the number of a revision's source.
    package func values(_ number: (SourceRecord) throws -> UInt32) rethrows -> [DictionaryValue] {
        switch self {
        case .source(let source): return [.text(source.bundleIdentifier), .text(source.name)]
        case .revision(let revision):
            let system = revision.operatingSystemVersion
            return [
                .number(Int64(try number(revision.source))), .text(revision.version), .text(revision.productType),
                .number(Int64(system.major)), .number(Int64(system.minor)), .number(Int64(system.patch)),
            ]
        case .device(let device):
            return [
                device.name, device.manufacturer, device.model, device.hardwareVersion, device.firmwareVersion,
                device.softwareVersion, device.localIdentifier, device.udiDeviceIdentifier,
            ].map { .text($0) }
        case .unit(let unit): return [.text(unit)]
        case .type(let identifier, let kind): return [.text(identifier), .number(Int64(kind.rawValue))]
        }
    }
}

extension StoreDictionaries {
    /// Appends the next row of a table: the key and the ``DictionaryTable/columns``. The numbers must be contiguous,
    /// because they are the indices of arrays, and the sources must come before the revisions.
    package mutating func append(_ row: some DatabaseRow, of table: DictionaryTable) throws {
        let entry: DictionaryEntry
        switch table {
        case .source: entry = .source(SourceRecord(bundleIdentifier: row.text(1), name: row.text(2)))
        case .revision:
            let source: Int = try row.number(1)
            guard sources.indices.contains(source - 1) else { throw Self.gap }
            entry = .revision(
                SourceRevisionRecord(
                    source: sources[source - 1], version: row.optionalText(2), productType: row.optionalText(3),
                    operatingSystemVersion: OperatingSystemVersionRecord(
                        major: try row.number(4), minor: try row.number(5), patch: try row.number(6))))
        case .device:
            entry = .device(
                DeviceRecord(
                    name: row.optionalText(1), manufacturer: row.optionalText(2), model: row.optionalText(3),
                    hardwareVersion: row.optionalText(4), firmwareVersion: row.optionalText(5),
                    softwareVersion: row.optionalText(6), localIdentifier: row.optionalText(7),
                    udiDeviceIdentifier: row.optionalText(8)))
        case .unit: entry = .unit(row.text(1))
        case .type:
            guard let kind = TypeKind(rawValue: try row.number(2)) else {
                throw StorageError(.damaged, "The kind of a stored type is unknown.")
            }
            entry = .type(identifier: row.text(1), kind: kind)
        }
        guard try row.integer(0) == Int64(append(entry)) else { throw Self.gap }
    }

    private static var gap: StorageError {
        StorageError(.damaged, "The numbers of a dictionary table are not contiguous.")
    }
}
