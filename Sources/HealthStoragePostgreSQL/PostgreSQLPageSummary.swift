import HealthModel
import HealthStorage

/// The columns `revisions` and `summary` of a page.
struct PostgreSQLPageSummary {
    /// A page with samples of more revisions isn't added up.
    private static let maximumRevisions = 16

    /// The number of ``values``.
    static let count = 11

    let revisions: [Int64]
    let values: [Double]

    /// Returns `nil` for a page that can't be added up.
    init?(_ page: StoredPage) {
        guard let summary = page.summary, summary.revisions.count <= Self.maximumRevisions else { return nil }
        revisions = summary.revisions.map(Int64.init)
        values = [
            Double(summary.unit), Double(summary.traits), summary.sum, summary.minimum, summary.maximum,
            summary.weightedSum, summary.totalDuration,
            summary.coveredDuration, summary.latestValue, summary.latestStart, summary.latestEnd,
        ]
    }
}

extension PostgreSQLSnapshot {
    final func pageGroups(of type: TypeCode, in window: PageWindow, between instants: [Double]) throws -> [PageGroup]? {
        // The pages of a month take less time than adding them up.
        guard let first = instants.first, let last = instants.last, last - first > Self.longestUnadded else {
            return nil
        }
        let search = try search(window, of: type)
        guard case .starts(let firstStarts, let earliestEnd)? = search else { return search == nil ? [] : nil }
        if let known = addedUpPages?.groups(of: type, firstStarts: firstStarts, endsAtOrAfter: earliestEnd, instants) {
            return known
        }
        let rows = try rows(
            Self.groups, [person, type, instants, firstStarts.lowerBound, firstStarts.upperBound, earliestEnd])
        return try rows.map { try PageGroup($0, of: type) }
    }

    /// The groups of a window between instants.
    struct AggregatedPages {
        let type: TypeCode
        let firstStarts: ClosedRange<Double>
        let endsAtOrAfter: Double
        let instants: [Double]
        let groups: [PageGroup]

        /// The groups, unless they are those of other pages or between other instants. A search that begins later finds
        /// the same, because it begins early enough.
        func groups(
            of type: TypeCode, firstStarts: ClosedRange<Double>, endsAtOrAfter: Double, _ instants: [Double]
        ) -> [PageGroup]? {
            guard type == self.type, firstStarts.lowerBound >= self.firstStarts.lowerBound,
                firstStarts.upperBound == self.firstStarts.upperBound, endsAtOrAfter == self.endsAtOrAfter,
                instants == self.instants
            else { return nil }
            return groups
        }
    }

    /// The length of time, in seconds, of which pages aren't added up.
    static let longestUnadded = 32 * 86_400.0

    /// Adds up neighboring pages between the same instants with the same unit, revisions and traits, all on the
    /// person's shard. A page that overlaps another or isn't added up for another reason is a separate group, with
    /// its header.
    private static let groups = groups(where: "person = $1")

    /// The same for several people, with the person in the last column.
    static let groupsOfPeople = groups(where: "person = ANY($1)")

    /// The place of the person in the rows.
    static let personColumn: Int32 = 20

    private static func groups(where condition: String) -> String {
        """
        WITH sorted AS (
            SELECT person, first_start, first_sequence, last_start, greatest_end, least_sequence, greatest_sequence, count, header,
                revisions, summary, width_bucket(first_start, $3::float8[]) AS place,
                max(greatest_end) OVER (line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reach,
                lag(last_start) OVER line AS previous, lead(first_start) OVER line AS next
            FROM page
            WHERE \(condition) AND type = $2 AND first_start BETWEEN $4 AND $5 AND greatest_end >= $6
            WINDOW line AS (PARTITION BY person ORDER BY first_start, first_sequence)),
        marked AS (
            SELECT *, coalesce(
                    revisions IS NOT NULL AND place > 0 AND last_start < ($3::float8[])[place + 1] AND greatest_end <= ($3::float8[])[place + 1]
                    AND (reach IS NULL OR reach <= first_start AND previous < first_start)
                    AND (next IS NULL OR greatest_end <= next AND last_start < next), false) AS sums
            FROM sorted),
        joined AS (
            SELECT *, coalesce(
                    sums AND lag(sums) OVER line AND place = lag(place) OVER line AND revisions = lag(revisions) OVER line
                    AND summary[1:2] = lag(summary[1:2]) OVER line, false) AS joins
            FROM marked
            WINDOW line AS (PARTITION BY person ORDER BY first_start, first_sequence)),
        numbered AS (
            SELECT *, count(*) FILTER (WHERE NOT joins) OVER (
                    PARTITION BY person ORDER BY first_start, first_sequence) AS number
            FROM joined)
        SELECT min(first_start), (array_agg(first_sequence ORDER BY first_start))[1], max(last_start), max(greatest_end),
            min(least_sequence), max(greatest_sequence), sum(count)::int8,
            CASE WHEN count(*) = 1 THEN (array_agg(header))[1] END,
            min(summary[1]), array_to_string(min(revisions), ' '), min(summary[2]), sum(summary[3] ORDER BY first_start),
            min(summary[4]), max(summary[5]), sum(summary[6] ORDER BY first_start), sum(summary[7] ORDER BY first_start),
            sum(summary[8] ORDER BY first_start), (array_agg(summary[9] ORDER BY first_start DESC))[1],
            (array_agg(summary[10] ORDER BY first_start DESC))[1], (array_agg(summary[11] ORDER BY first_start DESC))[1],
            person
        FROM numbered GROUP BY person, number ORDER BY person, number
        """
    }
}

extension PageGroup {
    init(_ row: PostgreSQLRow, of type: TypeCode) throws {
        let isPage = !row.isNull(7)
        self.init(
            key: PageKey(type: type, firstStart: try row.real(0), firstSequence: try row.integer(1)),
            bounds: PageBounds(
                count: try row.number(6), lastStart: try row.real(2), maximumEnd: try row.real(3),
                minimumSequence: try row.integer(4), maximumSequence: try row.integer(5)),
            content: isPage ? .header(Array(row.bytes(7))) : .summary(try PageTotals(row)))
    }
}

extension PageTotals {
    /// Reads the columns from the eighth on.
    fileprivate init(_ row: PostgreSQLRow) throws {
        func real(_ column: Int32) throws -> Double { try row.real(column) }
        guard let unit = UInt32(exactly: try real(8)), let traits = UInt8(exactly: try real(10)) else {
            throw StorageError(.damaged, "A page's summary has a unit or traits that are out of range.")
        }
        self.init(
            unit: unit, revisions: row.text(9).split(separator: " ").compactMap { UInt32($0) }, traits: traits,
            sum: try real(11), minimum: try real(12), maximum: try real(13), weightedSum: try real(14),
            totalDuration: try real(15), coveredDuration: try real(16), latestValue: try real(17),
            latestStart: try real(18), latestEnd: try real(19))
    }
}
