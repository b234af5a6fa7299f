import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func intern(_ source: SourceRecord) throws -> UInt32 {
        try intern(
            find: "SELECT id FROM source WHERE bundle = ? AND name = ?",
            insert: "INSERT INTO source (bundle, name) VALUES (?, ?)"
        ) { statement in
            try statement.bind(source.bundleIdentifier, at: 1)
            try statement.bind(source.name, at: 2)
        }
    }

    func intern(_ revision: SourceRevisionRecord) throws -> UInt32 {
        if let known = memory[revision] { return known }
        let source = try intern(revision.source)
        let number = try intern(
            find: """
                SELECT id FROM revision WHERE source = ? AND version IS ? AND product IS ?
                    AND os_major = ? AND os_minor = ? AND os_patch = ?
                """,
            insert: """
                INSERT INTO revision (source, version, product, os_major, os_minor, os_patch)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ) { statement in
            try statement.bind(Int64(source), at: 1)
            try statement.bind(revision.version, at: 2)
            try statement.bind(revision.productType, at: 3)
            try statement.bind(Int64(revision.operatingSystemVersion.major), at: 4)
            try statement.bind(Int64(revision.operatingSystemVersion.minor), at: 5)
            try statement.bind(Int64(revision.operatingSystemVersion.patch), at: 6)
        }
        if !hasNewNouns { memory[revision] = number }
        return number
    }

    func intern(_ device: DeviceRecord) throws -> UInt32 {
        if let known = memory[device] { return known }
        let number = try intern(
            find: """
                SELECT id FROM device WHERE name IS ? AND manufacturer IS ? AND model IS ?
                    AND hardware IS ? AND firmware IS ? AND software IS ? AND local_identifier IS ?
                    AND udi IS ?
                """,
            insert: """
                INSERT INTO device
                    (name, manufacturer, model, hardware, firmware, software, local_identifier, udi)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ) { statement in
            try statement.bind(device.name, at: 1)
            try statement.bind(device.manufacturer, at: 2)
            try statement.bind(device.model, at: 3)
            try statement.bind(device.hardwareVersion, at: 4)
            try statement.bind(device.firmwareVersion, at: 5)
            try statement.bind(device.softwareVersion, at: 6)
            try statement.bind(device.localIdentifier, at: 7)
            try statement.bind(device.udiDeviceIdentifier, at: 8)
        }
        if !hasNewNouns { memory[device] = number }
        return number
    }

    func intern(unit: String) throws -> UInt32 {
        guard !unit.isEmpty else { return 0 }
        if let known = memory[unit: unit] { return known }
        let number = try intern(
            find: "SELECT id FROM unit WHERE text = ?", insert: "INSERT INTO unit (text) VALUES (?)"
        ) { statement in
            try statement.bind(unit, at: 1)
        }
        if !hasNewNouns { memory[unit: unit] = number }
        return number
    }

    func intern(typeIdentifier: String, kind: TypeKind) throws -> TypeCode {
        if let known = TypeCatalog.description(for: typeIdentifier) { return known.code }
        let code = try intern(
            find: "SELECT code FROM type WHERE identifier = ?1",
            insert: """
                INSERT INTO type (code, identifier, kind)
                VALUES ((SELECT coalesce(max(code) + 1, ?3) FROM type), ?1, ?2)
                """
        ) { statement in
            try statement.bind(typeIdentifier, at: 1)
            guard statement.argumentCount > 1 else { return }
            try statement.bind(Int64(kind.rawValue), at: 2)
            try statement.bind(Int64(TypeCode.firstUnknown.rawValue), at: 3)
        }
        return TypeCode(rawValue: code)
    }

    /// The number of the row `find` finds, or of the one `insert` makes of the same arguments.
    private func intern(
        find: String, insert: String, arguments: (PreparedStatement) throws -> Void
    ) throws -> UInt32 {
        let known = try database.run(find) { statement -> UInt32? in
            try arguments(statement)
            return try statement.step() ? try statement.number(0) : nil
        }
        if let known { return known }
        hasNewNouns = true
        try database.run(insert) { statement in
            try arguments(statement)
            try statement.execute()
        }
        guard let number = UInt32(exactly: database.lastInsertedRowID) else {
            throw StorageError(.damaged, "A small table has run out of numbers.")
        }
        return number
    }
}
