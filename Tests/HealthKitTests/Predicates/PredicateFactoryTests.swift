import Foundation
import HealthModel
import Testing

@testable import HealthKit

@Suite("Predicate factories")
struct PredicateFactoryTests {
    private let start = Date(timeIntervalSinceReferenceDate: 1_000)
    private let end = Date(timeIntervalSinceReferenceDate: 2_000)

    private func sample(_ from: Double, _ to: Double, _ metadata: [String: Any]? = nil) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
            start: Date(timeIntervalSinceReferenceDate: from), end: Date(timeIntervalSinceReferenceDate: to),
            metadata: metadata)
    }

    /// The truth table of date predicates: sample, and whether it matches with no option, strict start,
    /// strict end, both.
    static let table: [(Double, Double, [Bool])] = [
        (-2, -1, [false, false, false, false]), (-1, 0, [true, false, true, false]), (0, 0, [true, true, true, true]),
        (1, 999, [true, true, true, true]), (999, 1_000, [true, true, false, false]),
        (999, 1_001, [true, true, false, false]), (1_000, 1_000, [false, false, false, false]),
        (-1, 1_001, [true, false, false, false]),
    ]

    @Test("Samples by date: every row of the table", arguments: table)
    func dates(from: Double, to: Double, expected: [Bool]) {
        let sample = sample(1_000 + from, 1_000 + to)
        let options: [HKQueryOptions] = [[], .strictStartDate, .strictEndDate, [.strictStartDate, .strictEndDate]]
        for (options, matches) in zip(options, expected) {
            let predicate = HKQuery.predicateForSamples(withStart: start, end: end, options: options)
            #expect(predicate.evaluate(with: sample) == matches, "\(options)")
        }
    }

    @Test("Open sides, and an interval that ends before it starts")
    func open() {
        #expect(HKQuery.predicateForSamples(withStart: nil, end: nil).evaluate(with: sample(0, 0)))
        #expect(HKQuery.predicateForSamples(withStart: start, end: nil).evaluate(with: sample(5_000, 5_000)))
        #expect(!HKQuery.predicateForSamples(withStart: nil, end: end).evaluate(with: sample(5_000, 5_000)))
        #expect(!HKQuery.predicateForSamples(withStart: end, end: start).evaluate(with: sample(1_500, 1_500)))
    }

    @Test("Quantities convert before they compare; unequal metadata also matches a missing key")
    func values() {
        let predicate = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .percent(), doubleValue: 0.5))
        #expect(predicate.evaluate(with: sample(0, 0)))
        let notEntered = HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeyWasUserEntered, operatorType: .notEqualTo, value: true)
        #expect(notEntered.evaluate(with: sample(0, 0)))
        #expect(notEntered.evaluate(with: sample(0, 0, [HKMetadataKeyWasUserEntered: false])))
        #expect(!notEntered.evaluate(with: sample(0, 0, [HKMetadataKeyWasUserEntered: true])))
        let present = HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeyWasUserEntered)
        #expect(!present.evaluate(with: sample(0, 0)))
        let allowed = HKQuery.predicateForObjects(withMetadataKey: "k", allowedValues: ["a", 3])
        #expect(allowed.evaluate(with: sample(0, 0, ["k": "a"])))
        #expect(allowed.evaluate(with: sample(0, 0, ["k": 3])))
        #expect(!allowed.evaluate(with: sample(0, 0, ["k": "b"])))
    }

    @Test("Compound predicates of the module still push down; an opaque block stays for later")
    func compound() throws {
        let type = HKQuantityType(.stepCount)
        let first = HKQuery.predicateForSamples(withStart: start, end: nil)
        let second = HKQuery.predicateForObjects(withMetadataKey: "k")
        let both = try PredicateTranslation.translate(
            NSCompoundPredicate(andPredicateWithSubpredicates: [first, second]), for: type)
        #expect(both.filter == .and([.and([.end(.greaterThanOrEqual, 1_000)]), .metadataPresent("k")]))
        #expect(both.residual == nil)

        let block = NSPredicate { object, _ in (object as? HKSample)?.startDate == self.start }
        let mixed = try PredicateTranslation.translate(
            NSCompoundPredicate(andPredicateWithSubpredicates: [second, block]), for: type)
        #expect(mixed.filter == .metadataPresent("k"))
        #expect(mixed.residual?(sample(1_000, 1_000)) == true)
        #expect(mixed.residual?(sample(1_001, 1_001)) == false)

        let either = try PredicateTranslation.translate(
            NSCompoundPredicate(orPredicateWithSubpredicates: [second, block]), for: type)
        #expect(either.residual?(sample(5, 5, ["k": 1])) == true)
        #expect(either.residual?(sample(5, 5)) == false)

        let neither = try PredicateTranslation.translate(
            NSCompoundPredicate(notPredicateWithSubpredicate: block), for: type)
        #expect(neither.filter == .all)
        #expect(neither.residual?(sample(1_000, 1_000)) == false)
    }

    @Test("Foundation's constants are recognised")
    func constants() throws {
        let type = HKQuantityType(.stepCount)
        #expect(try PredicateTranslation.translate(NSPredicate(value: true), for: type).filter == .all)
        #expect(try PredicateTranslation.translate(NSPredicate(value: false), for: type).filter == .nothing)
        #expect(try PredicateTranslation.translate(nil, for: type).filter == .all)
    }

    @Test("NSComparisonPredicate and NSExpression under their own names")
    func comparisonPredicate() throws {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: HKPredicateKeyPathStartDate),
            rightExpression: NSExpression(forConstantValue: start as NSDate), modifier: .direct,
            type: .greaterThanOrEqualTo, options: [])
        let filter = try PredicateTranslation.translate(predicate, for: HKQuantityType(.stepCount)).filter
        #expect(filter == .start(.greaterThanOrEqual, 1_000))
    }

    @Test("NSExpression of Swift key paths")
    func swiftKeyPaths() throws {
        func filter(_ left: PredicateOperandExpression, _ value: Any?) throws -> SampleFilter {
            let predicate = NSComparisonPredicate(
                leftExpression: left, rightExpression: NSExpression(forConstantValue: value), modifier: .direct,
                type: .equalTo, options: [])
            return try PredicateTranslation.translate(predicate, for: HKQuantityType(.stepCount)).filter
        }
        #expect(
            try filter(NSExpression(forKeyPath: \HKObject.device?.localIdentifier), "a")
                == .deviceProperty(.localIdentifier, ["a"]))
        #expect(
            try filter(NSExpression(forKeyPath: \HKQuantitySample.device?.udiDeviceIdentifier), "b")
                == .deviceProperty(.udiDeviceIdentifier, ["b"]))
        #expect(try filter(NSExpression(forKeyPath: \HKSample.startDate), start) == .start(.equal, 1_000))
        let strap = HKDevice(
            name: "strap", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
            softwareVersion: nil, localIdentifier: "a", udiDeviceIdentifier: nil)
        #expect(try filter(NSExpression(forKeyPath: \HKObject.device), strap) == .device([strap.record]))
        #expect(NSExpression(forKeyPath: \HKObject.device?.localIdentifier).keyPath == "device.localIdentifier")
        #expect(NSExpression(forKeyPath: \HKObject.sourceRevision.version).keyPath == "sourceRevision.version")
        #expect(NSExpression(forKeyPath: "metadata.a.b").keyPath == "metadata.a.b")
    }

    @Test("HealthKit's objects are arguments")
    func objectsAsArguments() throws {
        let revision = HKSourceRevision(source: .default(), version: "2")
        let arguments: [any CVarArg] = [
            revision, HKSource.default(), HKDevice.local(), HKQuantity(unit: .count(), doubleValue: 1),
        ]
        #expect(arguments.allSatisfy { PredicateValue($0) != nil })
        let predicate = NSPredicate(format: "%K == %@", HKPredicateKeyPathSourceRevision, revision as any CVarArg)
        #expect(
            try PredicateTranslation.translate(predicate, for: HKQuantityType(.stepCount)).filter
                == .revision([revision.pattern]))
    }

    private static func colour(_ word: String, _ value: Any) -> NSPredicate {
        let key = "colour"
        return switch word {
        case "CONTAINS": HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .contains, value: value)
        case "BEGINSWITH": HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .beginsWith, value: value)
        case "ENDSWITH": HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .endsWith, value: value)
        case "LIKE": HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .like, value: value)
        case "MATCHES": HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .matches, value: value)
        case "IN": HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .in, value: value)
        default: HKQuery.predicateForObjects(withMetadataKey: key, operatorType: .between, value: value)
        }
    }

    @Test(
        "Metadata operators mean what they mean in a format string",
        arguments: [
            ("CONTAINS", ["ee"], [1.0]), ("BEGINSWITH", ["gr"], [1]), ("ENDSWITH", ["n"], [1]), ("LIKE", ["*ee*"], [1]),
            ("MATCHES", ["gr.+"], [1]), ("CONTAINS", ["x"], []), ("IN", ["green", "red"], [1]),
            ("IN", ["red", "black"], []),
            ("BETWEEN", ["a", "h"], [1, 2]), ("BETWEEN", ["h", "z"], []),
        ])
    func metadataOperators(_ word: String, _ values: [String], _ expected: [Double]) async throws {
        let store = FreshStore.make()
        try await store.save([
            FreshStore.steps(1, metadata: ["colour": "green"]),
            FreshStore.steps(2, at: 60, metadata: ["colour": "blue"]),
            FreshStore.steps(4, at: 120),
        ])
        let value: Any = values.count == 1 ? values[0] : values
        let factory = Self.colour(word, value)
        for predicate in [factory, NSPredicate(format: "metadata.%K \(word) %@", "colour", value)] {
            let query = HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: FreshStore.steps, predicate: predicate)],
                sortDescriptors: [SortDescriptor(\.startDate)])
            #expect(try await query.result(for: store).map { $0.quantity.doubleValue(for: .count()) } == expected)
        }
        #expect(factory.evaluate(with: FreshStore.steps(1, metadata: ["colour": "green"])) == expected.contains(1))
    }

    @Test("Activity summary days: missing and too fine units are reported")
    func summaryDays() throws {
        let calendar = Calendar(identifier: .gregorian)
        var day = DateComponents(year: 2024, month: 5, day: 17)
        #expect(throws: ActivitySummaryDateError(reason: "calendar must be set")) {
            try HKQuery.validateActivitySummaryComponents(day)
        }
        day.calendar = calendar
        try HKQuery.validateActivitySummaryComponents(day)
        day.hour = 3
        #expect(throws: ActivitySummaryDateError(reason: "hour must not be set")) {
            try HKQuery.validateActivitySummaryComponents(day)
        }
        day.hour = nil
        let filter = try PredicateTranslation.translate(
            HKQuery.predicateForActivitySummary(with: day), for: HKObjectType.activitySummaryType()
        ).filter
        #expect(filter == .summaryDay(.equal, 20_240_517))
    }

    @Test("Sort descriptors by key and by key path")
    func sorting() throws {
        #expect(
            try SortTranslation.translate([
                NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false),
                NSSortDescriptor(keyPath: \HKSample.startDate, ascending: true),
                NSSortDescriptor(keyPath: \HKQuantitySample.endDate, ascending: true),
            ]) == [SampleSort(.end, ascending: false), SampleSort(.start), SampleSort(.end)])
        #expect(
            try SortTranslation.translate([SortDescriptor(\HKWorkout.duration, order: .reverse)])
                == [SampleSort(.duration, ascending: false)])
        #expect(throws: PredicateTranslationError.self) {
            try SortTranslation.translate([NSSortDescriptor(key: "quantity", ascending: true)])
        }
        // Foundation's comparators can't be distinguished, only what they do.
        let blocks = PredicateTranslationError(reason: "NSSortDescriptor using Blocks cannot be encoded")
        #expect(throws: blocks) {
            try SortTranslation.translate([
                NSSortDescriptor(keyPath: \HKSample.startDate, ascending: true) { _, _ in .orderedSame }
            ])
        }
        #expect(throws: blocks) {
            try SortTranslation.translate([
                NSSortDescriptor(keyPath: \HKWorkout.totalDistance, ascending: true) { _, _ in .orderedAscending }
            ])
        }
        #expect(
            try SortTranslation.translate([NSSortDescriptor(keyPath: \HKWorkout.duration, ascending: true)]) == [
                SampleSort(.duration)
            ])
        let byKey = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        #expect(byKey.key == HKSampleSortIdentifierStartDate)
        #expect(byKey.compare(sample(2, 2), to: sample(1, 1)) == .orderedAscending)
        // The comparator gets the values of the property, and the order is reversed afterwards.
        let reversed = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false) { left, right in
            guard let left = left as? Date, let right = right as? Date else { return .orderedSame }
            return left.compare(right)
        }
        #expect(reversed.compare(sample(2, 2), to: sample(1, 1)) == .orderedAscending)
        #expect(reversed.key == HKSampleSortIdentifierStartDate)
        #expect(throws: blocks) { try SortTranslation.translate([reversed]) }
    }
}
