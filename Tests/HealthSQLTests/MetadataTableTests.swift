import HealthEngine
import HealthModel
import HealthSQL
import Testing

/// Metadata as rows, in whole and joined to samples.
@Suite struct MetadataTableTests {
    /// The rows as a view over JSON, as in plain files.
    private static let view = """
        SELECT s.sequence, s.type, m.key, m.value, m.type
        FROM samples s, json_each(s.metadata) m WHERE s.metadata IS NOT NULL
        """

    @Test func rowsAreThoseOfTheJSON() throws {
        let store = try SQLStore.seeded(71)
        let values: [MetadataValue] = [
            .string("x"), .bool(true), .bool(false), .integer(-3), .double(2.5), .double(4), .date(0),
            .quantity(1.5, unit: "kg"),
        ]
        let entries = values.enumerated().map { Metadata.Entry(key: "Key\($0)", value: $1) }
        try store.engine.save(
            [
                .sample(
                    SampleRecord(
                        type: SQLStore.steps, start: 0, end: 0, value: 1, unit: "count",
                        metadata: Metadata(entries)))
            ], as: SQLStore.owner)
        let wanted = try store.ask(Self.view + " ORDER BY 1, 3").rows
        #expect(wanted.count > values.count)
        #expect(
            try store.ask("SELECT sequence, type, key, value, value_type FROM metadata ORDER BY 1, 3").rows == wanted)
        for condition in [
            "type = 'STEPCOUNT'", "key = 'Key2'", "key = 'hktimezone' COLLATE NOCASE", "sequence = 5", "key = NULL",
        ] {
            #expect(
                try store.ask("SELECT * FROM metadata WHERE \(condition) ORDER BY 1, 3").rows
                    == store.ask("SELECT * FROM (\(Self.view)) AS m WHERE \(condition) ORDER BY 1, 3").rows,
                "\(condition)")
        }
    }

    @Test func joinsDecodeEachPageOnce() throws {
        let store = try SQLStore.seeded(72)
        let whole = try store.ask("SELECT count(value) FROM samples WHERE type = 'stepCount'").pages
        let joined = try store.ask(
            "SELECT count(*) FROM samples s JOIN metadata m ON m.sequence = s.sequence WHERE s.type = 'stepCount' AND m.key = 'HKTimeZone'"
        )
        let records = try store.records(SQLStore.steps).filter { $0.metadata["HKTimeZone"] != nil }
        #expect(joined.rows == [[.integer(Int64(records.count))]])
        // Once as samples and once as metadata; sequence numbers of other types are in separate pages.
        #expect(joined.pages <= 2 * whole)
    }

    /// Samples looked up one by one, in the order of their metadata, decode their pages once too.
    @Test func anOuterJoinFromMetadataReadsEachPageOnce() throws {
        let store = try SQLStore.seeded(73)
        let whole = try store.ask("SELECT count(value) FROM samples").pages
        let outer = try store.ask(
            "SELECT count(m.value), count(s.value) FROM metadata m LEFT JOIN samples s ON s.sequence = m.sequence")
        let inner = try store.ask(
            "SELECT count(m.value), count(s.value) FROM metadata m JOIN samples s ON s.sequence = m.sequence")
        let objects = try store.ask(
            "SELECT count(*) FROM metadata m WHERE m.sequence NOT IN (SELECT sequence FROM samples)")
        #expect(outer.pages <= 3 * whole)
        guard case .integer(let metadata) = outer.rows.first?.first, case .integer(let found) = outer.rows.first?.last,
            case .integer(let others) = objects.rows.first?.first
        else {
            Issue.record("the counts are not numbers")
            return
        }
        #expect(found > 0)
        #expect(found == metadata - others)
        #expect(inner.rows.first == [.integer(found), .integer(found)])
    }

    @Test func objectsHaveRowsToo() throws {
        let store = try SQLStore()
        let pressure = SQLStore.type("HKCorrelationTypeIdentifierBloodPressure")
        let member = SampleRecord(
            type: SQLStore.type("HKQuantityTypeIdentifierBloodPressureSystolic"), start: 0, end: 0, value: 120,
            unit: "mmHg")
        try store.engine.save(
            [
                .object(
                    ObjectRecord(
                        type: pressure, start: 0, end: 0,
                        metadata: Metadata([.init(key: "Place", value: .string("home"))]), members: [member]))
            ], as: SQLStore.owner)
        let row: [SQLValue] = [.text("bloodPressure"), .text("Place"), .text("home")]
        #expect(try store.ask("SELECT type, key, value FROM metadata").rows == [row])
        #expect(
            try store.ask("SELECT m.type, key, value FROM correlations c JOIN metadata m USING (sequence)").rows == [
                row
            ])
        #expect(try store.ask("SELECT * FROM metadata WHERE sequence = 99").rows.isEmpty)
    }
}
