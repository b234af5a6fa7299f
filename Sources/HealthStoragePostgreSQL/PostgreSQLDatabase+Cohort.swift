package import HealthModel
package import HealthStorage

/// Reading many people together, for a cohort: some ten statements for all of them instead of twenty for each. In a
/// cluster, the people of a batch are on one shard, whose worker adds up their pages.
extension PostgreSQLDatabase {
    /// The number of people who are read together.
    private static let batchCount = 64
    /// The number of people of a batch below which a second thread would cost more than it saves.
    private static let minimumBatchCount = 8
    /// The number of batches for the threads that read them, unless they would be too small or too large.
    private static let usualBatches = 16
    /// The number of pages that are read together.
    private static let pageLimit: Int64 = 2_048

    /// Divides people into those who are best read together. Those who aren't in the database are left out.
    package func batches(of names: [String]) throws -> [[String]] {
        // Without Citus, everyone is in shard 0.
        let shard =
            pool.isCluster ? "get_shard_id_for_distribution_column('\(address.schema).store', person)::int8" : "0::int8"
        let rows = try run([
            PostgreSQLCall("SELECT name, \(shard) FROM person WHERE name = ANY($1) ORDER BY 2, person", [names])
        ])
        let shards = try Dictionary(grouping: rows) { try $0.integer(1) }.sorted { $0.key < $1.key }
        let count = min(max(rows.count / Self.usualBatches, Self.minimumBatchCount), Self.batchCount)
        return shards.flatMap { _, rows in
            stride(from: 0, to: rows.count, by: count).map { start in
                rows[start..<min(start + count, rows.count)].map { $0.text(0) }
            }
        }
    }

    /// Calls `body` with the storage of each person who has one, in one transaction. A storage is valid during the call
    /// and can't be written.
    ///
    /// - Parameters:
    ///   - names: A batch, so that they are on one shard.
    ///   - type: The type whose pages are going to be asked for.
    ///   - instants: The instants between which they are.
    ///   - namespaces: The namespaces of settings that are going to be asked for.
    package func read(
        _ names: [String], _ type: TypeCode, between instants: [Double], namespaces: [String],
        _ body: (_ name: String, _ storage: any HealthStorage) throws -> Void
    ) throws {
        let found = try run([PostgreSQLCall("SELECT person, name FROM person WHERE name = ANY($1)", [names])])
        let people = try found.map { (number: try $0.integer(0), name: $0.text(1)) }
        guard !people.isEmpty else { return }
        try StorageError.translatingPostgreSQL {
            let lease = try pool.lease()
            defer { PostgreSQLSnapshot.rollBack(lease) }
            var reading = try PostgreSQLCohortReading(people.map(\.number), namespaces, lease)
            try reading.readPages(of: type, between: instants, limit: Self.pageLimit)
            for (number, name) in people {
                guard let snapshot = try reading.snapshot(of: number, pool) else { continue }
                try body(name, PostgreSQLCohortStorage(snapshot))
            }
        }
    }
}

/// The rows read of many people, by person.
private struct PostgreSQLCohortReading {
    private let people: [Int64]
    private let namespaces: [String]
    private let lease: PostgreSQLLease
    private let epoch: Int
    private let stores: [Int64: PostgreSQLStoreRow]
    private let catalogs: [Int64: PostgreSQLCatalog]
    private let settings: [Int64: [PostgreSQLRow]]

    private var search: (type: TypeCode, firstStarts: ClosedRange<Double>, endsAtOrAfter: Double, instants: [Double])?
    /// The groups of pages; `nil` if none are added up.
    private var groups: [Int64: [PageGroup]]?
    private var pages: [Int64: [PostgreSQLRow]] = [:]
    /// The people of whom all pages are known.
    private var complete: Set<Int64> = []

    /// Begins a transaction and reads everything but pages.
    init(_ people: [Int64], _ namespaces: [String], _ lease: PostgreSQLLease) throws {
        (self.people, self.namespaces, self.lease) = (people, namespaces, lease)
        let selection = PostgreSQLCatalog.selection(people)
        let calls =
            PostgreSQLStoreRow.beginReading(people) + selection + [
                PostgreSQLCall(
                    "SELECT namespace, key, value, person FROM setting WHERE person = ANY($1) AND namespace = ANY($2)",
                    [people, namespaces])
            ]
        let (rows, epoch) = try lease.run { (try $0.execute(calls), $0.epoch) }
        guard rows.count == calls.count else { throw PostgreSQLSnapshot.noAnswer }
        self.epoch = epoch
        let found = try Self.grouped(rows[PostgreSQLStoreRow.place], by: PostgreSQLStoreRow.personColumn)
        let stores = try found.compactMapValues { try $0.first.map { try PostgreSQLStoreRow($0) } }
        self.stores = stores
        let tables = try zip(rows.dropFirst(PostgreSQLStoreRow.place + 1), PostgreSQLCatalog.personColumns).map {
            try Self.grouped($0, by: $1)
        }
        catalogs = try Dictionary(
            uniqueKeysWithValues: stores.map { person, row in
                (person, try PostgreSQLCatalog(version: row.catalog, tables.map { $0[person] ?? [] }))
            })
        settings = try Self.grouped(rows[rows.count - 1], by: 3)
    }

    private static func grouped(_ rows: PostgreSQLRows, by column: Int32) throws -> [Int64: [PostgreSQLRow]] {
        try Dictionary(grouping: rows) { try $0.integer(column) }
    }

    /// Reads pages between instants, added up as far as they can be, and as they are of the people of whom some can't.
    mutating func readPages(of type: TypeCode, between instants: [Double], limit: Int64) throws {
        guard let first = instants.first, let last = instants.last else { return }
        let longest = catalogs.values.reduce(0) { max($0, $1.longestPage(of: type) ?? 0) }
        let window = PageWindow.time(startsBefore: last, endsAtOrAfter: first)
        guard case .starts(let firstStarts, let endsAtOrAfter)? = window.search(longest: { longest }) else { return }
        search = (type, firstStarts, endsAtOrAfter, instants)
        var asked = people
        if last - first > PostgreSQLSnapshot.longestUnadded {
            let rows = try self.rows(
                PostgreSQLSnapshot.groupsOfPeople,
                [people, type, instants, firstStarts.lowerBound, firstStarts.upperBound, endsAtOrAfter])
            let groups = try Self.grouped(rows, by: PostgreSQLSnapshot.personColumn).mapValues { rows in
                try rows.map { try PageGroup($0, of: type) }
            }
            self.groups = groups
            asked = people.filter { groups[$0]?.contains(where: \.isPage) == true }
        }
        guard !asked.isEmpty else { return }
        let rows = try self.rows(
            """
            \(PostgreSQLPageRow.selection(bodies: true, with: ", person"))
            WHERE person = ANY($1) AND type = $2 AND first_start BETWEEN $3 AND $4 AND greatest_end >= $5
            ORDER BY person, first_start, first_sequence LIMIT $6
            """,
            [asked, type, firstStarts.lowerBound, firstStarts.upperBound, endsAtOrAfter, limit])
        pages = try Self.grouped(rows, by: 9)
        complete = Set(asked)
        // The rows end within a person.
        if rows.count == Int(limit), let last = pages.keys.max() { complete = complete.filter { $0 < last } }
    }

    private func rows(_ sql: String, _ arguments: [any PostgreSQLArgument]) throws -> PostgreSQLRows {
        guard let rows = try lease.run({ try $0.execute([PostgreSQLCall(sql, arguments)]) }).last else {
            throw PostgreSQLSnapshot.noAnswer
        }
        return rows
    }

    /// The snapshot of a person; `nil` if there is no store. What it lacks, it reads in the same transaction.
    func snapshot(of person: Int64, _ pool: PostgreSQLPool) throws -> PostgreSQLSnapshot? {
        guard let row = stores[person], let catalog = catalogs[person] else { return nil }
        let memory = PostgreSQLMemory()
        memory.keep(catalog, epoch: epoch)
        let values = Dictionary(grouping: settings[person] ?? []) { $0.text(0) }
        for namespace in namespaces {
            let pairs = (values[namespace] ?? []).map { ($0.text(1), Array($0.bytes(2))) }
            memory.keep(Dictionary(pairs) { first, _ in first }, of: namespace, row, epoch: epoch)
        }
        let snapshot = PostgreSQLSnapshot(
            pool: pool, memory: memory, person: person, row, over: lease, epoch: epoch, isShared: true)
        guard let search else { return snapshot }
        if let groups {
            snapshot.addedUpPages = PostgreSQLSnapshot.AggregatedPages(
                type: search.type, firstStarts: search.firstStarts, endsAtOrAfter: search.endsAtOrAfter,
                instants: search.instants, groups: groups[person] ?? [])
        }
        if complete.contains(person) {
            snapshot.visitedPages = PostgreSQLSnapshot.PageBatches(
                type: search.type, firstStarts: search.firstStarts, endsAtOrAfter: search.endsAtOrAfter,
                pages: try (pages[person] ?? []).map {
                    try PostgreSQLPageRow.view($0, of: search.type, bodies: true).copy
                })
        }
        return snapshot
    }
}

extension PageGroup {
    /// Whether it is a page that wasn't added up.
    fileprivate var isPage: Bool { if case .header = content { true } else { false } }
}

/// One of the people of a transaction.
// Unchecked: used by the thread that reads the people, during a call.
private final class PostgreSQLCohortStorage: HealthStorage, @unchecked Sendable {
    private let snapshot: PostgreSQLSnapshot

    init(_ snapshot: PostgreSQLSnapshot) {
        self.snapshot = snapshot
    }

    /// Asks for no settings, besides those that were read of all people.
    func opening(reading settings: OpenedSettings) throws -> StoreOpening {
        StoreOpening(
            identity: try snapshot.identity(), lastSequence: try snapshot.lastSequence(),
            dictionaries: try snapshot.dictionaries(), settings: [:])
    }

    func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value { try body(snapshot) }

    func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        throw StorageError(.rejected, "A store that is read with others can't be written.")
    }

    func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        StorageSubscription {}
    }

    func close() throws {}
}
