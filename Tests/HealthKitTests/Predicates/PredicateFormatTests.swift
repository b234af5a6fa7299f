import Foundation
import HealthModel
import Testing

@testable import HealthKit

@Suite("NSPredicate(format:)")
struct PredicateFormatTests {
    private let steps = HKQuantityType(.stepCount)
    private let date = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private func filter(_ format: String, _ arguments: Any?..., type: HKObjectType? = nil) throws -> SampleFilter {
        let predicate = StructuredPredicate(try PredicateFormatParser.parse(format, arguments: arguments))
        return try PredicateTranslation.translate(predicate, for: type ?? steps).filter
    }

    @Test("Dates compare both ways round")
    func dates() throws {
        #expect(try filter("startDate >= %@", date) == .start(.greaterThanOrEqual, 700_000_000))
        #expect(try filter("%K < %@", HKPredicateKeyPathEndDate, date as NSDate) == .end(.lessThan, 700_000_000))
        #expect(try filter("%@ < %K", date, HKPredicateKeyPathStartDate) == .start(.greaterThan, 700_000_000))
        #expect(try filter("startDate == CAST(700000000, \"NSDate\")") == .start(.equal, 700_000_000))
    }

    @Test(
        "Every spelling of the comparison signs",
        arguments: [
            ("=", ComparisonOperator.equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .lessThan),
            ("<=", .lessThanOrEqual), ("=<", .lessThanOrEqual), (">", .greaterThan), (">=", .greaterThanOrEqual),
            ("=>", .greaterThanOrEqual),
        ])
    func signs(sign: String, comparison: ComparisonOperator) throws {
        #expect(try filter("value \(sign) 3", type: HKCategoryType(.sleepAnalysis)) == .category(comparison, 3))
    }

    @Test("AND binds tighter than OR, NOT tightest, in words and signs")
    func logic() throws {
        let (a, b, c): (SampleFilter, SampleFilter, SampleFilter) = (
            .category(.equal, 1), .category(.equal, 2), .category(.equal, 3)
        )
        let sleep = HKCategoryType(.sleepAnalysis)
        #expect(try filter("value = 1 OR value = 2 AND value = 3", type: sleep) == .or([a, .and([b, c])]))
        #expect(try filter("(value = 1 || value = 2) && value = 3", type: sleep) == .and([.or([a, b]), c]))
        #expect(try filter("NOT value = 1 and value = 2", type: sleep) == .and([.not(a), b]))
        #expect(try filter("! (value = 1 or value = 2)", type: sleep) == .not(.or([a, b])))
        #expect(try filter("TRUEPREDICATE") == .all)
        #expect(try filter("FALSEPREDICATE") == .nothing)
    }

    @Test("IN and BETWEEN become comparisons")
    func lists() throws {
        let sleep = HKCategoryType(.sleepAnalysis)
        #expect(try filter("value IN {1, 2}", type: sleep) == .or([.category(.equal, 1), .category(.equal, 2)]))
        #expect(try filter("value IN %@", [4], type: sleep) == .category(.equal, 4))
        #expect(try filter("value IN %@", [Int](), type: sleep) == .nothing)
        let bounds: SampleFilter = .and([.start(.greaterThanOrEqual, 0), .start(.lessThanOrEqual, 700_000_000)])
        #expect(
            try filter("startDate BETWEEN %@", [Date(timeIntervalSinceReferenceDate: 0), date]) == bounds)
        #expect(
            try filter("startDate BETWEEN {%@, %@}", Date(timeIntervalSinceReferenceDate: 0), date) == bounds)
    }

    @Test("Metadata by key, presence, value, whatever the key looks like")
    func metadata() throws {
        #expect(try filter("metadata.HKWasUserEntered != YES") == .metadata("HKWasUserEntered", .notEqual, .bool(true)))
        #expect(try filter("%K.%K == %@", "metadata", "a.b c", "x") == .metadata("a.b c", .equal, .string("x")))
        #expect(try filter("%K.%K != nil", HKPredicateKeyPathMetadata, "k") == .metadataPresent("k"))
        #expect(try filter("metadata.k == nil") == .not(.metadataPresent("k")))
        #expect(try filter("metadata.k >= %d", 3) == .metadata("k", .greaterThanOrEqual, .double(3)))
        #expect(try filter("metadata.k IN {'a', \"b\"}") == .metadataIn("k", [.string("a"), .string("b")]))
    }

    @Test("Objects as values: quantity, source, device, UUID, workout")
    func objects() throws {
        let ten = HKQuantity(unit: .count(), doubleValue: 10)
        #expect(try filter("quantity > %@", ten) == .quantity(.greaterThan, QuantityRecord(10, unit: "count")))
        let id = UUID()
        #expect(try filter("UUID == %@", id) == .uuid([id]))
        #expect(try filter("%K IN %@", HKPredicateKeyPathUUID, [id, id]) == .or([.uuid([id]), .uuid([id])]))
        let source = HKSource(SourceRecord(bundleIdentifier: "org.example.other", name: "Other"))
        #expect(try filter("source == %@", source) == .source(["org.example.other"]))
        #expect(try filter("source != %@", HKSource.default()) == .not(.ownSource))
        #expect(try filter("device.name == 'Watch'") == .deviceProperty(.name, ["Watch"]))
        #expect(try filter("correlation == nil") == .noCorrelation)
    }

    @Test("Workout fields are known for workouts only")
    func workouts() throws {
        let km = HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 5)
        let workout = HKObjectType.workoutType()
        #expect(
            try filter("%K >= %@", HKPredicateKeyPathWorkoutTotalDistance, km, type: workout)
                == .workoutTotal(.distance, .greaterThanOrEqual, QuantityRecord(5, unit: "km")))
        #expect(
            try filter("%K == %d", HKPredicateKeyPathWorkoutType, 37, type: workout) == .workoutActivityType(.equal, 37)
        )
        #expect(throws: PredicateTranslationError.self) {
            try filter("%K >= %@", HKPredicateKeyPathWorkoutTotalDistance, km, type: steps)
        }
    }

    @Test("A date predicate on activity summaries is refused in the original's words")
    func summaries() {
        #expect(
            throws: PredicateTranslationError(
                reason: "Unexpected dataType of class HKActivitySummaryType for startDate predicate")
        ) {
            try filter("startDate >= %@", date, type: HKObjectType.activitySummaryType())
        }
    }

    @Test(
        "Strings that do not parse say where",
        arguments: [
            ("startDate >", "expected a key path or a value, found the end"),
            ("(value = 1", "expected “)”, found the end"),
            ("value = 'a", "missing closing quote"),
            ("value ~ 3", "unexpected “~”"),
            ("value = 1 value", "unexpected “value”"),
            ("value BETWEEN {1}", "BETWEEN requires two bounds"),
            ("value = %q", "unknown conversion “%q”"),
            ("value", "expected a comparison, found the end"),
            ("", "expected a key path or a value, found the end"),
        ])
    func broken(format: String, reason: String) {
        #expect(throws: PredicateFormatError(format: format, reason: reason)) {
            try NSPredicate.validate(format: format, arguments: [])
        }
    }

    @Test("Arguments that are missing, or of a kind that does not compare, are refused")
    func arguments() {
        #expect(throws: PredicateFormatError.self) { try NSPredicate.validate(format: "value = %@", arguments: []) }
        #expect(throws: PredicateFormatError.self) { try NSPredicate.validate(format: "%K = 1", arguments: [5]) }
        #expect(throws: PredicateFormatError.self) {
            try NSPredicate.validate(format: "value = %@", arguments: [JSONDecoder()])
        }
    }

    @Test("Unknown key paths are refused when the query is executed, not before")
    func unknownKeyPath() throws {
        let predicate = NSPredicate(format: "shoeSize > 3")
        #expect(throws: PredicateTranslationError.self) { try PredicateTranslation.translate(predicate, for: steps) }
    }

    @Test("A broken format string ends the process")
    func ends() async {
        await #expect(processExitsWith: .failure) {
            _ = NSPredicate(format: "startDate >")
        }
    }

    @Test("A printed predicate parses again")
    func printing() {
        #expect(
            NSPredicate(format: "value = 1 OR NOT (value IN {2, 3} AND metadata.k != nil)").format
                == "value == 1 OR NOT (value IN {2, 3} AND metadata.k != nil)")
    }
}
