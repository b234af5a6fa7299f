import HealthEngine
import HealthModel
import Testing

/// The truth table of date predicates: an interval from S to E against samples around it.
@Suite struct DatePredicateTests {
    private static let (start, end) = (1_000.0, 2_000.0)

    /// One row of the table: a sample, and whether it passes without options, with strict start, with
    /// strict end, and with both.
    struct Row: Sendable {
        var from: Double
        var to: Double
        var none: Bool
        var strictStart: Bool
        var strictEnd: Bool
        var both: Bool
    }

    static let table = [
        Row(from: 998, to: 999, none: false, strictStart: false, strictEnd: false, both: false),
        Row(from: 999, to: 1_000, none: true, strictStart: false, strictEnd: true, both: false),
        Row(from: 1_000, to: 1_000, none: true, strictStart: true, strictEnd: true, both: true),
        Row(from: 1_001, to: 1_999, none: true, strictStart: true, strictEnd: true, both: true),
        Row(from: 1_999, to: 2_000, none: true, strictStart: true, strictEnd: false, both: false),
        Row(from: 1_999, to: 2_001, none: true, strictStart: true, strictEnd: false, both: false),
        Row(from: 2_000, to: 2_000, none: false, strictStart: false, strictEnd: false, both: false),
        Row(from: 999, to: 2_001, none: true, strictStart: false, strictEnd: false, both: false),
    ]

    private static let none = SampleFilter.and([.end(.greaterThanOrEqual, start), .start(.lessThan, end)])
    private static let strictStart = SampleFilter.and([.start(.greaterThanOrEqual, start), .start(.lessThan, end)])
    private static let strictEnd = SampleFilter.and([.end(.greaterThanOrEqual, start), .end(.lessThan, end)])

    @Test(arguments: [1, 3, 1_000])
    func table(pageCapacity: Int) throws {
        let store = try TestStore(pageCapacity: pageCapacity)
        let samples = Self.table.map { SampleRecord.quantity(Names.steps, 1, "count", from: $0.from, to: $0.to) }
        try store.engine.save(samples.map { .sample($0) }, as: Names.phone)
        func passing(_ filter: SampleFilter) throws -> [[Double]] {
            let request = SampleRequest(parts: [.init(type: Names.steps, filter: filter)])
            return try store.engine.samples(request, as: Names.phone).found.map { [$0.start, $0.end] }
        }
        func expected(_ column: KeyPath<Row, Bool>) -> [[Double]] {
            Self.table.filter { $0[keyPath: column] }.map { [$0.from, $0.to] }
        }
        #expect(try passing(Self.none) == expected(\.none))
        #expect(try passing(Self.strictStart) == expected(\.strictStart))
        #expect(try passing(Self.strictEnd) == expected(\.strictEnd))
        #expect(try passing(.and([Self.strictStart, Self.strictEnd])) == expected(\.both))
        // An open side, and an interval that ends before it begins.
        #expect(try passing(.end(.greaterThanOrEqual, Self.start)).count == 7)
        #expect(try passing(.start(.lessThan, Self.end)).count == 7)
        #expect(try passing(.and([.start(.greaterThanOrEqual, 5_000), .start(.lessThan, 10)])).isEmpty)
        // The opposites of these are found in the other pages.
        #expect(try passing(.not(Self.none)).count == 2)
        #expect(try passing(.not(Self.strictStart)).count == 4)
    }
}
