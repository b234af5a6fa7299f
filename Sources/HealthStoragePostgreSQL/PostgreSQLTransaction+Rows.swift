import Foundation
import HealthModel
import HealthStorage

extension PostgreSQLTransaction {
    /// New rows of the tables that an import fills. They are sent together, one statement a table, after the other
    /// statements: none of them changes a row that is stored.
    ///
    /// A single row, as of a small save, is inserted with `VALUES`, for which a cluster needs no planner. For more, the
    /// person is selected from the store's row, so that a cluster sees that both tables are read and written on one shard.
    /// With a constant, it would select on the coordinator and write with `COPY`, which row-level security forbids, and
    /// commit in two phases.
    struct PendingRows {
        /// The key of a run of links.
        struct RunKey: Hashable, Comparable {
            var owner: Int64
            var first: Int64

            init(_ run: LinkRange) { (owner, first) = (run.owner, run.first) }

            static func < (left: RunKey, right: RunKey) -> Bool {
                (left.owner, left.first) < (right.owner, right.first)
            }
        }

        var identities: [UUID: StoredIdentity] = [:]
        /// The UUIDs that are removed before those are entered. Each row of them is then written once.
        var removedIdentities: Set<UUID> = []
        var objects: [StoredObject] = [] { didSet { byteCount += objects.last?.payload.count ?? 0 } }
        var runs: [RunKey: LinkRange] = [:]
        /// The longest pages of types that have got a longer one.
        var spans: [TypeCode: Double] = [:]
        private(set) var settings: [PostgreSQLMemory.SettingKey: [UInt8]] = [:]
        /// The numbers and values of new entries of dictionaries.
        private var entries: [DictionaryTable: [(number: UInt32, values: [DictionaryValue])]] = [:]
        private var byteCount = 0

        /// The approximate length of the statements.
        var length: Int {
            let others = identities.count + removedIdentities.count + objects.count + runs.count + settings.count
            let count = entries.values.reduce(others) { $0 + $1.count }
            return byteCount + count * 64
        }

        /// Whether there is nothing but identities, lengths of pages and settings.
        var isPlain: Bool { removedIdentities.isEmpty && objects.isEmpty && runs.isEmpty && entries.isEmpty }

        /// Sets a value, or forgets that it is to be set.
        mutating func set(_ value: [UInt8]?, for key: PostgreSQLMemory.SettingKey) {
            settings[key] = value
            byteCount += value?.count ?? 0
        }

        mutating func add(_ number: UInt32, _ values: [DictionaryValue], to table: DictionaryTable) {
            entries[table, default: []].append((number, values))
        }

        /// One statement a table. Identities come first: a duplicate is found before anything of the object has been
        /// written.
        func calls(_ person: Int64, in schema: String) -> [PostgreSQLCall] {
            let removal =
                removedIdentities.isEmpty
                ? nil : PostgreSQLIdentities.removal(removedIdentities, of: person, in: schema)
            let entry = identities.isEmpty ? nil : PostgreSQLIdentities.entry(identities, of: person, in: schema)
            return [removal, entry, objects(person), runs(person)].compactMap { $0 }
                + DictionaryTable.allCases.compactMap { entries(person, $0) } + spans(person)
                + settings(person)
        }

        /// A column of new rows: an array, or the value of the only row.
        private static func column<Value: PostgreSQLArgument & PostgreSQLElement>(
            _ values: [Value]
        ) -> any PostgreSQLArgument {
            values.count == 1 ? values[0] : values
        }

        /// A statement that inserts `count` rows, given as all columns but the person.
        private func insertion(
            of count: Int, into table: String, _ columns: String, _ person: Int64, _ arrays: [any PostgreSQLArgument]
        ) -> PostgreSQLCall {
            guard count > 1 else {
                let marks = (1...arrays.count + 1).map { "$\($0)" }.joined(separator: ", ")
                return PostgreSQLCall("INSERT INTO \(table) (person, \(columns)) VALUES (\(marks))", [person] + arrays)
            }
            let marks = arrays.enumerated().map { index, array in "$\(index + 2)::\(type(of: array).kind.name)" }
            return PostgreSQLCall(
                """
                INSERT INTO \(table) (person, \(columns))
                SELECT store.person, rows.* FROM store, unnest(\(marks.joined(separator: ", "))) AS rows
                WHERE store.person = $1
                """,
                [person] + arrays)
        }

        private func objects(_ person: Int64) -> PostgreSQLCall? {
            guard !objects.isEmpty else { return nil }
            return insertion(
                of: objects.count, into: "object", "sequence, type, start, \"end\", uuid, revision, device, payload",
                person,
                [
                    Self.column(objects.map(\.sequence)), Self.column(objects.map(\.type)),
                    Self.column(objects.map(\.start)), Self.column(objects.map(\.end)),
                    Self.column(objects.map(\.uuid)), Self.column(objects.map { Int64($0.revision) }),
                    Self.column(objects.map { Int64($0.device) }), Self.column(objects.map(\.payload)),
                ])
        }

        private func runs(_ person: Int64) -> PostgreSQLCall? {
            guard !runs.isEmpty else { return nil }
            let rows = runs.sorted { $0.key < $1.key }.map(\.value)
            return insertion(
                of: rows.count, into: "link_run", "\(PostgreSQLSnapshot.runColumns), reach", person,
                [
                    Self.column(rows.map(\.owner)), Self.column(rows.map(\.first)), Self.column(rows.map(\.last)),
                    Self.column(rows.map(\.ownerType)), Self.column(rows.map(\.memberType)),
                    Self.column(rows.map(\.reach.rawValue)),
                ])
        }

        private func spans(_ person: Int64) -> [PostgreSQLCall] {
            spans.sorted { $0.key < $1.key }.map { type, longest in
                PostgreSQLCall(
                    """
                    INSERT INTO page_span (person, type, longest) VALUES ($1, $2, $3)
                    ON CONFLICT (person, type) DO UPDATE SET longest = excluded.longest
                    """,
                    [person, type, longest])
            }
        }

        private func settings(_ person: Int64) -> [PostgreSQLCall] {
            settings.sorted { ($0.key.namespace, $0.key.key) < ($1.key.namespace, $1.key.key) }.map { key, value in
                PostgreSQLCall(
                    """
                    INSERT INTO setting (person, namespace, key, value) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (person, namespace, key) DO UPDATE SET value = excluded.value
                    """,
                    [person, key.namespace, key.key, value])
            }
        }

        private func entries(_ person: Int64, _ table: DictionaryTable) -> PostgreSQLCall? {
            guard let rows = entries[table], !rows.isEmpty else { return nil }
            let columns = table.columns.indices.map { column -> any PostgreSQLArgument in
                let numbers = rows.compactMap { $0.values[column].number }
                guard numbers.count == rows.count else { return Self.column(rows.map { $0.values[column].text }) }
                return Self.column(numbers)
            }
            return insertion(
                of: rows.count, into: table.rawValue, ([table.key] + table.columns).joined(separator: ", "), person,
                [Self.column(rows.map { Int64($0.number) })] + columns)
        }
    }
}

extension DictionaryValue {
    fileprivate var number: Int64? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    fileprivate var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}
