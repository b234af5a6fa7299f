import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    final func dictionaries() throws -> StoreDictionaries {
        var dictionaries = StoreDictionaries()
        dictionaries.sources = try rows("SELECT id, bundle, name FROM source ORDER BY id") {
            SourceRecord(bundleIdentifier: $0.text(1), name: $0.text(2))
        }
        let sources = dictionaries.sources
        dictionaries.revisions = try rows(
            "SELECT id, source, version, product, os_major, os_minor, os_patch FROM revision ORDER BY id"
        ) {
            let source: Int = try $0.number(1)
            guard source > 0, source <= sources.count else { throw Self.gap }
            return SourceRevisionRecord(
                source: sources[source - 1], version: $0.optionalText(2),
                productType: $0.optionalText(3),
                operatingSystemVersion: OperatingSystemVersionRecord(
                    major: try $0.number(4), minor: try $0.number(5), patch: try $0.number(6)))
        }
        dictionaries.devices = try rows(
            """
            SELECT id, name, manufacturer, model, hardware, firmware, software, local_identifier, udi
            FROM device ORDER BY id
            """
        ) {
            DeviceRecord(
                name: $0.optionalText(1), manufacturer: $0.optionalText(2), model: $0.optionalText(3),
                hardwareVersion: $0.optionalText(4), firmwareVersion: $0.optionalText(5),
                softwareVersion: $0.optionalText(6), localIdentifier: $0.optionalText(7),
                udiDeviceIdentifier: $0.optionalText(8))
        }
        dictionaries.units = try rows("SELECT id, text FROM unit ORDER BY id") { $0.text(1) }
        let firstType = Int64(TypeCode.firstUnknown.rawValue)
        dictionaries.types = try rows(
            "SELECT code, identifier, kind FROM type ORDER BY code", from: firstType
        ) {
            guard let kind = TypeKind(rawValue: try $0.number(2)) else {
                throw StorageError(.damaged, "A stored type is of an unknown kind.")
            }
            return TypeDescription(
                code: TypeCode(rawValue: try $0.number(0)), identifier: $0.text(1), kind: kind)
        }
        return dictionaries
    }

    /// All rows of a small table, whose numbers must run on without a gap: their place in the array
    /// is their number.
    private func rows<Noun>(
        _ sql: String, from first: Int64 = 1, _ noun: (PreparedStatement) throws -> Noun
    ) throws -> [Noun] {
        try database.run(sql) { statement in
            var nouns: [Noun] = []
            while try statement.step() {
                guard statement.integer(0) == first + Int64(nouns.count) else { throw Self.gap }
                nouns.append(try noun(statement))
            }
            return nouns
        }
    }

    private static var gap: StorageError {
        StorageError(.damaged, "The numbers of a small table have a gap.")
    }
}
