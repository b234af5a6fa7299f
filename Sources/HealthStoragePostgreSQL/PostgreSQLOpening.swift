import Foundation
import HealthModel
package import HealthStorage

/// Opening a store in one statement, a call of the function `open_store`.
///
/// Its rows have a part of the store each: the row of `store`, an entry of a dictionary, the longest page of a type, or a
/// setting. Those that are known in the version of the store's row are left out.
enum PostgreSQLOpening {
    private enum Part {
        static let store: Int64 = 0
        /// The first of the dictionaries, in the order of `DictionaryTable`.
        static let dictionaries: Int64 = 1
        static let spans = dictionaries + Int64(DictionaryTable.allCases.count)
        static let settings = spans + 1
        /// The last setting of a namespace that grows.
        static let lastSettings = settings + 1
    }

    /// The columns: the part, the key, four numbers and eight texts, a real number and bytes.
    private static let numbers = (1...4).map { "n\($0)" }
    private static let texts = (1...8).map { "t\($0)" }
    private static let numericColumns: Set = ["source", "os_major", "os_minor", "os_patch", "kind"]
    private static let real = Int32(2 + numbers.count + texts.count)
    private static let bytes = real + 1

    /// The arguments: the person, the versions of the dictionaries and of the settings that are known, the namespaces of
    /// settings from one to before another, and those that grow.
    static let function = PostgreSQLFunction(
        name: "open_store", arguments: ["int8", "int8", "int8", "text[]", "text[]", "text[]"],
        columns: ["part int8", "number int8"] + numbers.map { $0 + " int8" } + texts.map { $0 + " text" }
            + ["amount float8", "bytes bytea"],
        variables: "own record;"
    ) { schema in
        let dictionaries = DictionaryTable.allCases.enumerated().map { place, table in
            let columns = table.columns.map { (column: $0, isNumeric: numericColumns.contains($0)) }
            return selection(
                Part.dictionaries + Int64(place), table.key, columns.filter(\.isNumeric).map(\.column),
                texts: columns.filter { !$0.isNumeric }.map(\.column),
                from: "\(schema).\(table.rawValue) WHERE person = $1 ORDER BY \(table.key)")
        }
        let values = selection(
            Part.settings, texts: ["namespace", "key"], bytes: "value",
            from: "\(schema).setting WHERE person = $1 AND namespace >= $4[i] AND namespace < $5[i]")
        let last = selection(
            Part.lastSettings, texts: ["namespace", "key"], bytes: "value",
            from: "\(schema).setting WHERE person = $1 AND namespace = $6[i] ORDER BY key DESC LIMIT 1")
        return """
                SELECT * INTO own FROM \(schema).store WHERE person = $1;
                IF NOT FOUND THEN RETURN; END IF;
                \(selection(
                    Part.store, "own.last_sequence", ["own.commits", "own.catalog", "own.settings", "own.seed"],
                    bytes: "uuid_send(own.uuid) || own.marks"))
                IF own.catalog <> $2 THEN
                    \(dictionaries.joined(separator: "\n        "))
                    \(selection(Part.spans, "type", real: "longest", from: "\(schema).page_span WHERE person = $1"))
                END IF;
                IF own.settings <> $3 THEN
                    FOR i IN 1 .. cardinality($4) LOOP
                        \(values)
                    END LOOP;
                    FOR i IN 1 .. cardinality($6) LOOP
                        \(last)
                    END LOOP;
                END IF;
            """
    }

    /// A statement that returns rows of a part.
    private static func selection(
        _ part: Int64, _ key: String = "NULL::int8", _ numbers: [String] = [], texts: [String] = [],
        real: String = "NULL::float8", bytes: String = "NULL::bytea", from source: String? = nil
    ) -> String {
        func filled(_ columns: [String], _ count: Int, _ kind: String) -> [String] {
            columns + Array(repeating: "NULL::\(kind)", count: count - columns.count)
        }
        let columns =
            ["\(part)::int8", key] + filled(numbers, Self.numbers.count, "int8")
            + filled(texts, Self.texts.count, "text") + [real, bytes]
        return "RETURN QUERY SELECT \(columns.joined(separator: ", "))\(source.map { " FROM \($0)" } ?? "");"
    }

    /// A row of a table, whose columns are elsewhere in the answer.
    private struct Row: DatabaseRow {
        let row: PostgreSQLRow
        let places: [Int32]

        func isNull(_ column: Int32) -> Bool { row.isNull(places[Int(column)]) }
        func integer(_ column: Int32) throws -> Int64 { try row.integer(places[Int(column)]) }
        func real(_ column: Int32) throws -> Double { try row.real(places[Int(column)]) }
        func text(_ column: Int32) -> String { row.text(places[Int(column)]) }
        func bytes(_ column: Int32) -> UnsafeRawBufferPointer { row.bytes(places[Int(column)]) }
    }

    /// The places of the key and the columns of a dictionary.
    private static let places: [[Int32]] = DictionaryTable.allCases.map { table in
        var (number, text) = (Int32(2), Int32(2 + numbers.count))
        return [1]
            + table.columns.map { column in
                let isNumeric = numericColumns.contains(column)
                defer { if isNumeric { number += 1 } else { text += 1 } }
                return isNumeric ? number : text
            }
    }

    /// The answer of a call.
    struct Answer {
        let row: PostgreSQLStoreRow
        /// `nil` if the known ones are those of the row.
        let catalog: PostgreSQLCatalog?
        let settings: PostgreSQLMemory.OpenedValues?

        init(
            _ rows: PostgreSQLRows, knowing versions: (catalog: Int64, settings: Int64), _ opened: OpenedSettings
        ) throws {
            let parts = try Dictionary(grouping: rows) { try $0.integer(0) }
            guard let own = parts[Part.store]?.first else { throw PostgreSQLStoreRow.removed }
            row = try PostgreSQLStoreRow(opening: own, bytes: bytes)
            if row.catalog != versions.catalog {
                let tables = places.enumerated().map { place, places in
                    (parts[Part.dictionaries + Int64(place)] ?? []).map { Row(row: $0, places: places) }
                }
                let spans = (parts[Part.spans] ?? []).map { Row(row: $0, places: [1, real]) }
                catalog = try PostgreSQLCatalog(version: row.catalog, tables + [spans])
            } else {
                catalog = nil
            }
            if row.settings != versions.settings {
                let (namespace, key) = (Int32(2 + numbers.count), Int32(3 + numbers.count))
                func values(_ part: Int64) -> [(namespace: String, key: String, value: [UInt8])] {
                    (parts[part] ?? []).map { ($0.text(namespace), $0.text(key), Array($0.bytes(bytes))) }
                }
                settings = PostgreSQLMemory.OpenedValues(opened, values(Part.settings), last: values(Part.lastSettings))
            } else {
                settings = nil
            }
        }
    }
}

extension OpenedSettings {
    /// The namespaces that are read as a whole: each from one name to before another.
    fileprivate var ranges: [(first: String, end: String)] {
        (returned + likely).map { namespace in
            // What begins with a slash at the end precedes what has the next character there.
            namespace.last == "/" ? (namespace, String(namespace.dropLast()) + "0") : (namespace, namespace + "\u{1}")
        }
    }
}

extension PostgreSQLStoreRow {
    /// Reads the first row of ``PostgreSQLOpening``.
    fileprivate init(opening row: PostgreSQLRow, bytes column: Int32) throws {
        let bytes = row.bytes(column)
        guard bytes.count == 16 + Int(Self.markCount) * 8 else { throw Self.incomplete }
        identity = StoreIdentity(
            uuid: UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)), seed: UInt64(bitPattern: try row.integer(5)))
        lastSequence = try row.integer(1)
        commits = try row.integer(2)
        catalog = try row.integer(3)
        settings = try row.integer(4)
        marks = Array(bytes.dropFirst(16))
    }
}

extension PostgreSQLStorage {
    /// Reads the store's row, and what isn't known of its dictionaries and settings, in one statement. Writers that follow
    /// assume the row.
    package func opening(reading settings: OpenedSettings) throws -> StoreOpening {
        try checkOpen()
        return try noticingRemoval {
            try StorageError.translatingPostgreSQL {
                let ranges = settings.ranges
                var versions = memory.versions(epoch: pool.epoch)
                while true {
                    let call = PostgreSQLOpening.function.call(
                        in: pool.address.schema,
                        [
                            person, versions.catalog, versions.settings, ranges.map(\.first), ranges.map(\.end),
                            settings.growing,
                        ])
                    let (rows, epoch) = try PostgreSQLDatabase.repeating(over: pool.lease()) {
                        (try $0.execute([call]), $0.epoch)
                    }
                    guard let last = rows.last else { throw PostgreSQLSnapshot.noAnswer }
                    let answer = try PostgreSQLOpening.Answer(last, knowing: versions, settings)
                    if let opening = try memory.open(answer, settings.returned, epoch: epoch) { return opening }
                    // What was known was lost with a connection.
                    versions = PostgreSQLMemory.nothing
                }
            }
        }
    }
}
