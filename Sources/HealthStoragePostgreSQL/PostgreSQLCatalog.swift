import HealthModel
import HealthStorage

/// A person's dictionaries and lengths of pages, which change rarely and are kept in memory.
struct PostgreSQLCatalog: Sendable {
    /// The number of the transaction that changed them last.
    var version: Int64 = 0
    private(set) var dictionaries = StoreDictionaries()
    private var sources: [SourceRecord: UInt32] = [:]
    private var revisions: [SourceRevisionRecord: UInt32] = [:]
    private var devices: [DeviceRecord: UInt32] = [:]
    private var units: [String: UInt32] = [:]
    private var types: [String: TypeCode] = [:]
    private var longest: [TypeCode: Double] = [:]

    // MARK: Looking up

    func number(of source: SourceRecord) -> UInt32? { sources[source] }
    func number(of revision: SourceRevisionRecord) -> UInt32? { revisions[revision] }
    func number(of device: DeviceRecord) -> UInt32? { devices[device] }
    func number(ofUnit unit: String) -> UInt32? { units[unit] }
    func code(ofType identifier: String) -> TypeCode? { types[identifier] }

    /// An upper bound of the length of the type's pages, from first start to maximum end.
    func longestPage(of type: TypeCode) -> Double? { longest[type] }

    // MARK: Adding

    /// Adds an entry and returns its number with the statement that stores it.
    mutating func add(_ source: SourceRecord, of person: Int64) -> (UInt32, PostgreSQLCall) {
        let number = append(source)
        return (
            number,
            PostgreSQLCall("INSERT INTO source (person, id, bundle, name) VALUES ($1, $2, $3, $4)") {
                $0.add(person)
                $0.add(Int64(number))
                $0.add(source.bundleIdentifier)
                $0.add(source.name)
            }
        )
    }

    mutating func add(
        _ revision: SourceRevisionRecord, source: UInt32, of person: Int64
    ) -> (UInt32, PostgreSQLCall) {
        let number = append(revision)
        let call = PostgreSQLCall(
            """
            INSERT INTO revision (person, id, source, version, product, os_major, os_minor, os_patch)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """
        ) {
            $0.add(person)
            $0.add(Int64(number))
            $0.add(Int64(source))
            $0.add(revision.version)
            $0.add(revision.productType)
            $0.add(Int64(revision.operatingSystemVersion.major))
            $0.add(Int64(revision.operatingSystemVersion.minor))
            $0.add(Int64(revision.operatingSystemVersion.patch))
        }
        return (number, call)
    }

    mutating func add(_ device: DeviceRecord, of person: Int64) -> (UInt32, PostgreSQLCall) {
        let number = append(device)
        let call = PostgreSQLCall(
            """
            INSERT INTO device
                (person, id, name, manufacturer, model, hardware, firmware, software, local_identifier, udi)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """
        ) {
            $0.add(person)
            $0.add(Int64(number))
            $0.add(device.name)
            $0.add(device.manufacturer)
            $0.add(device.model)
            $0.add(device.hardwareVersion)
            $0.add(device.firmwareVersion)
            $0.add(device.softwareVersion)
            $0.add(device.localIdentifier)
            $0.add(device.udiDeviceIdentifier)
        }
        return (number, call)
    }

    mutating func add(unit: String, of person: Int64) -> (UInt32, PostgreSQLCall) {
        let number = append(unit: unit)
        return (
            number,
            PostgreSQLCall("INSERT INTO unit (person, id, text) VALUES ($1, $2, $3)") {
                $0.add(person)
                $0.add(Int64(number))
                $0.add(unit)
            }
        )
    }

    mutating func add(type identifier: String, kind: TypeKind, of person: Int64) -> (TypeCode, PostgreSQLCall) {
        let code = TypeCode(rawValue: TypeCode.firstUnknown.rawValue + UInt32(dictionaries.types.count))
        append(TypeDescription(code: code, identifier: identifier, kind: kind))
        return (
            code,
            PostgreSQLCall("INSERT INTO type (person, code, identifier, kind) VALUES ($1, $2, $3, $4)") {
                $0.add(person)
                $0.add(Int64(code.rawValue))
                $0.add(identifier)
                $0.add(Int64(kind.rawValue))
            }
        )
    }

    /// Raises the maximum page length of a type, which is never lowered, to the next power of two, so that pages that
    /// grow sample by sample rarely change it.
    mutating func raiseSpan(_ span: Double, of type: TypeCode, of person: Int64) -> PostgreSQLCall? {
        guard span > longest[type] ?? 0 else { return nil }
        let bound = span.isNormal && span.binade < Double.greatestFiniteMagnitude / 2 ? span.binade * 2 : span
        longest[type] = bound
        return PostgreSQLCall(
            """
            INSERT INTO page_span (person, type, longest) VALUES ($1, $2, $3)
            ON CONFLICT (person, type) DO UPDATE SET longest = excluded.longest
            """
        ) {
            $0.add(person)
            $0.add(Int64(type.rawValue))
            $0.add(bound)
        }
    }

    @discardableResult
    private mutating func append(_ source: SourceRecord) -> UInt32 {
        dictionaries.sources.append(source)
        let number = UInt32(dictionaries.sources.count)
        sources[source] = number
        return number
    }

    @discardableResult
    private mutating func append(_ revision: SourceRevisionRecord) -> UInt32 {
        dictionaries.revisions.append(revision)
        let number = UInt32(dictionaries.revisions.count)
        revisions[revision] = number
        return number
    }

    @discardableResult
    private mutating func append(_ device: DeviceRecord) -> UInt32 {
        dictionaries.devices.append(device)
        let number = UInt32(dictionaries.devices.count)
        devices[device] = number
        return number
    }

    @discardableResult
    private mutating func append(unit: String) -> UInt32 {
        dictionaries.units.append(unit)
        let number = UInt32(dictionaries.units.count)
        units[unit] = number
        return number
    }

    private mutating func append(_ type: TypeDescription) {
        dictionaries.types.append(type)
        types[type.identifier] = type.code
    }
}

extension PostgreSQLCatalog {
    /// The statements whose rows ``init(version:_:)`` reads.
    static func selection(_ person: Int64) -> [PostgreSQLCall] {
        [
            "SELECT id, bundle, name FROM source WHERE person = $1 ORDER BY id",
            "SELECT id, source, version, product, os_major, os_minor, os_patch FROM revision WHERE person = $1 ORDER BY id",
            """
            SELECT id, name, manufacturer, model, hardware, firmware, software, local_identifier, udi
            FROM device WHERE person = $1 ORDER BY id
            """,
            "SELECT id, text FROM unit WHERE person = $1 ORDER BY id",
            "SELECT code, identifier, kind FROM type WHERE person = $1 ORDER BY code",
            "SELECT type, longest FROM page_span WHERE person = $1",
        ].map { sql in PostgreSQLCall(sql) { $0.add(person) } }
    }

    /// Reads the rows of ``selection(_:)``. The numbers of a dictionary must be contiguous, because they are the
    /// indices of its array.
    init(version: Int64, _ tables: [PostgreSQLRows]) throws {
        self.version = version
        guard tables.count == 6 else { throw Self.gap }
        for row in 0..<tables[0].count {
            try Self.check(tables[0], row)
            append(SourceRecord(bundleIdentifier: tables[0].text(row, 1), name: tables[0].text(row, 2)))
        }
        for row in 0..<tables[1].count {
            try Self.check(tables[1], row)
            let source: Int = try tables[1].number(row, 1)
            guard source > 0, source <= dictionaries.sources.count else { throw Self.gap }
            append(
                SourceRevisionRecord(
                    source: dictionaries.sources[source - 1], version: tables[1].optionalText(row, 2),
                    productType: tables[1].optionalText(row, 3),
                    operatingSystemVersion: OperatingSystemVersionRecord(
                        major: try tables[1].number(row, 4), minor: try tables[1].number(row, 5),
                        patch: try tables[1].number(row, 6))))
        }
        for row in 0..<tables[2].count {
            try Self.check(tables[2], row)
            func text(_ column: Int32) -> String? { tables[2].optionalText(row, column) }
            append(
                DeviceRecord(
                    name: text(1), manufacturer: text(2), model: text(3), hardwareVersion: text(4),
                    firmwareVersion: text(5), softwareVersion: text(6), localIdentifier: text(7),
                    udiDeviceIdentifier: text(8)))
        }
        for row in 0..<tables[3].count {
            try Self.check(tables[3], row)
            append(unit: tables[3].text(row, 1))
        }
        for row in 0..<tables[4].count {
            try Self.check(tables[4], row, from: Int64(TypeCode.firstUnknown.rawValue))
            guard let kind = TypeKind(rawValue: try tables[4].number(row, 2)) else {
                throw StorageError(.damaged, "The kind of a stored type is unknown.")
            }
            append(
                TypeDescription(
                    code: TypeCode(rawValue: try tables[4].number(row, 0)), identifier: tables[4].text(row, 1),
                    kind: kind))
        }
        for row in 0..<tables[5].count {
            longest[TypeCode(rawValue: try tables[5].number(row, 0))] = try tables[5].real(row, 1)
        }
    }

    private static func check(_ rows: PostgreSQLRows, _ row: Int, from first: Int64 = 1) throws {
        guard try rows.integer(row, 0) == first + Int64(row) else { throw gap }
    }

    private static var gap: StorageError {
        StorageError(.damaged, "The numbers of a dictionary table are not contiguous.")
    }
}
