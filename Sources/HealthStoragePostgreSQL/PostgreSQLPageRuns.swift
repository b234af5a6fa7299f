import HealthModel
import HealthStorage

/// Reading the pages to which runs of samples are going to be added in one statement, a call of the function `page_runs`.
///
/// Of each run, these are the type's last page, and if that isn't enough, the pages before it that begin at or before the
/// run's last start.
enum PostgreSQLPageRuns {
    /// The numbers of pages before the last one: of a run that ends before it, and otherwise as many as are joined.
    fileprivate static let (countOfEarlier, countOfJoined) = (2, 13)

    private static let columns = [
        "first_start float8", "first_sequence int8", "last_start float8", "greatest_end float8", "least_sequence int8",
        "greatest_sequence int8", "count int8", "header bytea", "body bytea", "run int8", "beyond int8",
    ]
    private static let runColumn: Int32 = 9
    private static let beyondColumn: Int32 = 10

    /// The arguments: the person, and the types, first and last starts of runs, the numbers of samples below which
    /// bodies are read, and from and below which the pages before are.
    static let function = PostgreSQLFunction(
        name: "page_runs",
        arguments: ["int8", "int8[]", "float8[]", "float8[]", "int8[]", "int8[]", "int8[]"], columns: columns
    ) { schema in
        let fields = """
            first_start, first_sequence, last_start, greatest_end, least_sequence, greatest_sequence, count, header, body
            """
        let source = "SELECT \(fields) FROM \(schema).page WHERE person = $1 AND page.type = asked.type"
        let order = "ORDER BY first_start DESC, first_sequence DESC LIMIT"
        // One statement, because a worker of a cluster plans each.
        return """
                RETURN QUERY SELECT found.first_start, found.first_sequence, found.last_start, found.greatest_end,
                    found.least_sequence, found.greatest_sequence, found.count, found.header,
                    CASE WHEN found.count < asked.bodies OR found.last_start > asked.start THEN found.body END,
                    asked.place, CASE WHEN found.first_start > asked.finish THEN 1::int8 ELSE 0::int8 END
                FROM unnest($2, $3, $4, $5, $6, $7) WITH ORDINALITY
                    AS asked (type, start, finish, bodies, joined, joined_end, place)
                CROSS JOIN LATERAL (\(source) \(order) 1) AS latest
                CROSS JOIN LATERAL (
                    SELECT latest.* UNION ALL
                    (\(source) AND first_start <= asked.finish
                        AND (first_start, first_sequence) < (latest.first_start, latest.first_sequence)
                        \(order) CASE WHEN latest.first_start > asked.finish THEN \(countOfEarlier)
                            WHEN latest.first_start > asked.start
                                OR latest.count >= asked.joined AND latest.count < asked.joined_end THEN \(countOfJoined)
                            ELSE 0 END)) AS found;
            """
    }

    static func call(_ runs: [PageRun], of person: Int64, in schema: String) -> PostgreSQLCall {
        function.call(
            in: schema,
            [
                person, runs.map(\.type), runs.map(\.firstStart), runs.map(\.lastStart),
                runs.map { Int64($0.bodyCount) }, runs.map { Int64($0.joinedCounts.lowerBound) },
                runs.map { Int64($0.joinedCounts.upperBound) },
            ])
    }

    /// The pages that a call returned.
    static func pages(_ runs: [PageRun], _ rows: PostgreSQLRows) throws -> [TypeCode: KnownPages] {
        var known = Dictionary(uniqueKeysWithValues: runs.map { ($0.type, KnownPages()) })
        for row in rows {
            let number = Int(try row.integer(runColumn)) - 1
            guard runs.indices.contains(number) else { throw PostgreSQLSnapshot.noAnswer }
            let run = runs[number]
            let page = try PostgreSQLPageRow.view(row, of: run.type, bodies: true).copy
            let isBeyond = try row.integer(beyondColumn) != 0
            known[run.type]?.add(page, isBeyond ? .beyond(run.lastStart) : .ofRun)
        }
        for run in runs { known[run.type]?.complete(run) }
        return known
    }
}

/// Pages of a type that a transaction has read ahead, as it has changed them since.
struct KnownPages {
    /// The answer to a search for a page.
    enum Answer {
        case unknown
        case found(StoredPage?)
    }

    enum Place {
        case ofRun
        /// The type's last page, which begins after the run's last start.
        case beyond(Double)
    }

    /// In key order: all pages from the first of them up to ``reach``.
    private var pages: [StoredPage] = []
    /// Whether no page precedes them.
    private var isComplete = false
    /// The start up to which pages are known.
    private var reach = Double.infinity
    /// The type's last page, if it begins after ``reach``.
    private var last: StoredPage?

    /// Adds a page that was read.
    fileprivate mutating func add(_ page: StoredPage, _ place: Place) {
        switch place {
        case .ofRun: pages.append(page)
        case .beyond(let lastStart): (last, reach) = (page, lastStart)
        }
    }

    /// Ends adding the pages of a run.
    fileprivate mutating func complete(_ run: PageRun) {
        pages.sort { $0.key < $1.key }
        var asked = PostgreSQLPageRuns.countOfEarlier
        if last == nil, let page = pages.last {
            let isEnough =
                page.key.firstStart <= run.firstStart && !run.joinedCounts.contains(page.bounds.count)
            asked = isEnough ? 1 : 1 + PostgreSQLPageRuns.countOfJoined
        }
        isComplete = pages.count < asked
    }

    /// As `StorageSnapshot.page(of:forStart:)`.
    func page(forStart start: Double) -> Answer {
        guard start <= reach else {
            guard let last, last.key.firstStart <= start else { return .unknown }
            return .found(last)
        }
        if let page = pages.last(where: { $0.key.firstStart <= start }) { return .found(page) }
        guard isComplete else { return .unknown }
        // Or else the first page.
        if let first = pages.first { return .found(first) }
        return last == nil ? .found(nil) : .unknown
    }

    /// As `StorageSnapshot.page(before:)`, with the body if it is known.
    func page(before key: PageKey) -> Answer {
        guard key.firstStart <= reach else { return .unknown }
        if let page = pages.last(where: { $0.key < key }) { return .found(page) }
        return isComplete ? .found(nil) : .unknown
    }

    /// The body of a page; `nil` if it isn't known.
    func body(_ key: PageKey) -> [UInt8]? {
        let page = key == last?.key ? last : pages.first { $0.key == key }
        return page.flatMap { $0.body.isEmpty ? nil : $0.body }
    }

    /// Records a page that is written.
    mutating func put(_ page: StoredPage) {
        guard page.key.firstStart <= reach else {
            if let known = last, known.key <= page.key { last = page }
            return
        }
        guard isComplete || pages.first.map({ $0.key <= page.key }) == true else { return }
        let index = pages.firstIndex { $0.key >= page.key } ?? pages.endIndex
        if index < pages.endIndex, pages[index].key == page.key {
            pages[index] = page
        } else {
            pages.insert(page, at: index)
        }
    }

    /// Records that a page is removed. Returns whether anything is known then.
    mutating func remove(_ key: PageKey) -> Bool {
        guard key != last?.key else { return false }
        pages.removeAll { $0.key == key }
        return isComplete || !pages.isEmpty
    }
}

extension PostgreSQLTransaction {
    func prefetchPages(of runs: [PageRun]) throws {
        guard isAssumed else {
            let call = PostgreSQLPageRuns.call(runs, of: person, in: pool.address.schema)
            guard let rows = try perform([call]).last else { throw Self.noAnswer }
            return try knownPages.merge(PostgreSQLPageRuns.pages(runs, rows)) { $1 }
        }
        // Outside of a transaction, and so without what this one has changed.
        let runs = runs.filter { knownPages[$0.type] == nil && !pendingPages.hasChanged($0.type) }
        guard !runs.isEmpty else { return }
        let call = PostgreSQLPageRuns.call(runs, of: person, in: pool.address.schema)
        do {
            let answers = try lease.run { connection in
                guard connection.epoch == epoch else { throw PostgreSQLStaleRow() }
                return try connection.execute([call])
            }
            guard let rows = answers.last else { throw Self.noAnswer }
            // If another transaction has been committed since the row that is assumed, this one can't be.
            try knownPages.merge(PostgreSQLPageRuns.pages(runs, rows)) { $1 }
        } catch let failure as PostgreSQLFailure {
            guard failure.isTransient else { throw StorageError(failure) }
            throw PostgreSQLStaleRow()
        }
    }
}
