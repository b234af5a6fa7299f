import Foundation
import HealthModel
import Testing

@testable import HealthKit

/// The values that each throwing validator of the module refuses, and its messages.
@Suite struct RefusalTests {
    /// One refusal.
    struct Row: Sendable, CustomTestStringConvertible {
        let message: String
        let body: @Sendable () async throws -> Void

        init(_ message: String, _ body: @escaping @Sendable () async throws -> Void) {
            self.message = message
            self.body = body
        }

        var testDescription: String { message }
    }

    private static func quantity(_ value: Double, _ unit: String) -> HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }

    private static func series(
        _ inserts: [(unit: String, from: Double, to: Double)], finishedAt end: Double? = nil
    ) async throws {
        let start = FreshStore.epoch
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: FreshStore.make(), quantityType: FreshStore.heartRate, startDate: start, device: nil)
        for (unit, from, to) in inserts {
            try builder.insert(quantity(1, unit), for: DateInterval(start: start + from, end: start + to))
        }
        _ = try await builder.finishSeries(metadata: nil, endDate: end.map { start + $0 })
        try builder.insert(quantity(1, "count/s"), at: start)
    }

    private final class ShortSeriesBuilder: HKHeartbeatSeriesBuilder, @unchecked Sendable {
        override class var maximumCount: Int { 2 }
    }

    private static func beats(_ body: (HKHeartbeatSeriesBuilder) async throws -> Void) async throws {
        try await body(ShortSeriesBuilder(healthStore: FreshStore.make(), device: nil, start: FreshStore.epoch))
    }

    private static func translate(_ format: String, _ type: HKObjectType) throws {
        _ = try PredicateTranslation.translate(NSPredicate(format: format), for: type)
    }

    private static func day(_ change: (inout DateComponents) -> Void) throws {
        var day = DateComponents(calendar: FreshStore.calendar(), year: 2023, month: 3, day: 8)
        change(&day)
        try HKQuery.validateActivitySummaryComponents(day)
    }

    static let rows: [Row] = documents + builders + requests

    private static let documents: [Row] = [
        Row("The sensitivity of a hearing test requires unit dBHL, not s") {
            try HKAudiogramSensitivityTest.validate(sensitivity: quantity(1, "s"))
        },
        Row("The sensitivity of a hearing test is out of range") {
            try HKAudiogramSensitivityTest.validate(sensitivity: quantity(1e6, "dBHL"))
        },
        Row("The frequency of a sensitivity point requires unit Hz, not m") {
            try HKAudiogramSensitivityPoint.validate(frequency: quantity(1, "m"), testCount: 1)
        },
        Row("The frequency of a sensitivity point is out of range") {
            try HKAudiogramSensitivityPoint.validate(frequency: quantity(0, "Hz"), testCount: 1)
        },
        Row("A sensitivity point requires a reading") {
            try HKAudiogramSensitivityPoint.validate(frequency: quantity(1_000, "Hz"), testCount: 0)
        },
        Row("A clamping range requires a lower or an upper bound") {
            _ = try HKAudiogramSensitivityPointClampingRange.Fields(lower: nil, upper: nil)
        },
        Row("The bounds of a clamping range must be finite") {
            _ = try HKAudiogramSensitivityPointClampingRange.Fields(lower: -.infinity, upper: 1)
        },
        Row("The lower bound of a clamping range must be less than its upper bound") {
            _ = try HKAudiogramSensitivityPointClampingRange.Fields(lower: 1, upper: 1)
        },
        Row("An HKAudiogramSample requires a sensitivity point") { _ = try HKAudiogramSample.fields([]) },
        Row("An HKAudiogramSample has at most 30 sensitivity points, not 31") {
            let point = try HKAudiogramSensitivityPoint(
                frequency: quantity(1_000, "Hz"), leftEarSensitivity: quantity(10, "dBHL"), rightEarSensitivity: nil)
            _ = try HKAudiogramSample.fields(Array(repeating: point, count: 31))
        },
        Row("The amount of a lens requires unit pD, not s") {
            _ = try VisionUnits.value(of: quantity(1, "s"), in: .prismDiopter(), named: "amount")
        },
        Row("The sphere of a lens must be finite") {
            try VisionUnits.check(quantity(.nan, "D"), in: .diopter(), named: "sphere")
        },
        Row("The vertical base of a prism must be none, up or down") {
            _ = try PrismParts(vertical: 1, verticalBase: HKPrismBase.in, horizontal: 0, horizontalBase: .none)
        },
        Row("The horizontal base of a prism must be none, in or out") {
            _ = try PrismParts(
                vertical: 0, verticalBase: HKPrismBase.none, horizontal: 1, horizontalBase: HKPrismBase.up)
        },
        Row("A prism with an amount requires a base") {
            _ = try PrismParts(
                vertical: 1, verticalBase: HKPrismBase.none, horizontal: 0, horizontalBase: HKPrismBase.none)
        },
        Row("A vision prescription requires expirationDate to be at or after dateIssued") {
            try HKVisionPrescription.validate(issued: Misuse.date, expiration: Misuse.date - 1)
        },
        Row("An HKElectrocardiogram requires a positive sampling frequency") {
            _ = try HKElectrocardiogram.fields(of: .init(start: Misuse.date, volts: [], frequency: .infinity))
        },
        Row("The average heart rate of an HKElectrocardiogram must be positive") {
            _ = try HKElectrocardiogram.fields(of: .init(start: Misuse.date, volts: [], averageHeartRate: 0))
        },
        Row("The valence of an HKStateOfMind must be between -1.0 and 1.0") {
            try HKStateOfMind.validate(valence: 1.1)
        },
        Row("A walking steadiness requires unit %, not m") {
            _ = try HKAppleWalkingSteadinessClassification.classified(quantity(1, "m"))
        },
        Row("A walking steadiness must be between 0 % and 100 %") {
            _ = try HKAppleWalkingSteadinessClassification.classified(quantity(1.01, "%"))
        },
        Row("HKGAD7Assessment requires 7 answers, not 8") {
            _ = try Questionnaire.gad7.score(Array(repeating: 0, count: 8))
        },
        Row("HKPHQ9Assessment does not have this answer") {
            _ = try Questionnaire.phq9.score(Array(repeating: 99, count: 9))
        },
    ]

    private static let builders: [Row] = [
        Row("The unit m is not compatible with HKQuantityTypeIdentifierHeartRate") { try await series([("m", 0, 0)]) },
        Row("A quantity must not begin before the startDate of its series") {
            try await series([("count/s", -1, 0)])
        },
        Row("A quantity series requires a quantity") { try await series([]) },
        Row("The endDate of a quantity series must be at or after its startDate") {
            try await series([("count/s", 0, 0)], finishedAt: -1)
        },
        Row("The endDate of a quantity series must be at or after its quantities' ends") {
            try await series([("count/s", 0, 10)], finishedAt: 9)
        },
        Row("The series has been finished.") { try await series([("count/s", 0, 10)]) },
        Row("The time of a heartbeat since the start of its series must be positive") {
            try await beats { try await $0.addHeartbeat(at: 0, precededByGap: false) }
        },
        Row("A heartbeat series has at most 2 heartbeats") {
            try await beats { builder in
                for beat in 1...3 { try await builder.addHeartbeat(at: Double(beat), precededByGap: false) }
            }
        },
        Row("A heartbeat series requires a heartbeat") { try await beats { _ = try await $0.finishSeries() } },
        Row("The series has been discarded.") {
            try await beats {
                $0.discard()
                try await $0.addHeartbeat(at: 1, precededByGap: false)
            }
        },
        Row("The series builder has failed.") {
            let builder = HKWorkoutRouteBuilder(healthStore: FreshStore.make(), device: nil)
            try? await builder.insertRouteData([])
            try await builder.insertRouteData([RouteFixtures.point(0)])
        },
        Row("An attachment must have a name.") { try AttachmentFile.validate(name: "", isFile: true, size: 1) },
        Row("The URL of the attachment is not a readable file.") {
            try AttachmentFile.validate(name: "a", isFile: false, size: 1)
        },
        Row("The attachment exceeds the maximum size of \(HKAttachmentStore.maximumSize) bytes.") {
            try AttachmentFile.validate(name: "a", isFile: true, size: HKAttachmentStore.maximumSize + 1)
        },
    ]

    private static let requests: [Row] = [
        Row("Must request authorization for at least one data type") {
            try AuthorizationRule.validate(share: [], read: [])
        },
        Row(
            "Authorization to share the following types is disallowed: HKCorrelationTypeIdentifierFood, HKQuantityTypeIdentifierAppleExerciseTime"
        ) {
            try AuthorizationRule.validate(
                share: [HKQuantityType(.appleExerciseTime), HKCorrelationType(.food)], read: [])
        },
        Row("Authorization to read the following types is disallowed: HKCorrelationTypeIdentifierBloodPressure") {
            try AuthorizationRule.validate(share: [], read: [HKCorrelationType(.bloodPressure), FreshStore.steps])
        },
        Row(
            "Statistics option HKStatisticsOptionDiscreteMax is not compatible with cumulative data type HKQuantityTypeIdentifierStepCount"
        ) {
            try HKStatisticsOptions([.discreteMax, .duration]).validate(for: FreshStore.steps)
        },
        Row(
            "Statistics option HKStatisticsOptionDiscreteMin is not compatible with cumulative data type HKQuantityTypeIdentifierStepCount"
        ) {
            try HKStatisticsOptions.discreteMin.validate(for: FreshStore.steps)
        },
        Row(Misuse.aboutSum) { try HKStatisticsOptions.cumulativeSum.validate(for: FreshStore.heartRate) },
        Row("calendar must be set") { try day { $0.calendar = nil } },
        Row("calendar must be Gregorian") { try day { $0.calendar = Calendar(identifier: .hebrew) } },
        Row("year must be set") { try day { $0.year = nil } },
        Row("month must be set") { try day { $0.month = nil } },
        Row("day must be set") { try day { $0.day = nil } },
        Row("hour must not be set") { try day { $0.hour = 0 } },
        Row("minute must not be set") { try day { $0.minute = 0 } },
        Row("second must not be set") { try day { $0.second = 0 } },
        Row("nanosecond must not be set") { try day { $0.nanosecond = 0 } },
        Row("Unexpected dataType of class HKActivitySummaryType for startDate predicate") {
            try translate("startDate > 1", .activitySummaryType())
        },
        Row("Unexpected dataType of class HKActivitySummaryType for startDate predicate") {
            let interval = HKQuery.predicateForSamples(withStart: FreshStore.epoch, end: FreshStore.epoch + 1)
            _ = try PredicateTranslation.translate(interval, for: .activitySummaryType())
        },
        Row("The value compared with key path startDate must be a date") {
            try translate("startDate > 1", FreshStore.steps)
        },
        Row("The value compared with key path quantity must be a quantity") {
            try translate("quantity > 1", FreshStore.steps)
        },
        Row("The value compared with key path value must be a whole number") {
            try translate("value == 1.5", FreshStore.sleep)
        },
        Row("The value compared with key path value must be a whole number") {
            try translate("value == 1e300", FreshStore.sleep)
        },
        Row("Unexpected dataType of class HKCategoryType for quantity predicate") {
            try translate("quantity > 1", FreshStore.sleep)
        },
        Row("Unsupported key path nonsense for a predicate of HKQuantityType") {
            try translate("nonsense == 1", FreshStore.steps)
        },
        Row("Unsupported device property colour") { try translate("device.colour == 'red'", FreshStore.steps) },
        Row("Unsupported predicate operator for key path correlation") {
            try translate("correlation > nil", FreshStore.steps)
        },
        Row("Key path workoutSumQuantity does not support quantity type nonsense") {
            let predicate = NSPredicate(format: "workoutSumQuantity.nonsense > %@", quantity(1, "m"))
            _ = try PredicateTranslation.translate(predicate, for: .workoutType())
        },
        Row("NSSortDescriptor using Blocks cannot be encoded") {
            let descriptor = NSSortDescriptor(keyPath: \HKSample.startDate, ascending: true) { _, _ in .orderedSame }
            _ = try SortTranslation.translate([descriptor])
        },
        Row("Unsupported sort descriptor key colour") {
            _ = try SortTranslation.translate([NSSortDescriptor(key: "colour", ascending: true)])
        },
        Row("Unsupported sort key path") {
            _ = try SortTranslation.translate([SortDescriptor(\HKQuantitySample.count)])
        },
        Row("Attempt to convert incompatible units: m, g") { _ = try quantity(1, "m").validatedValue(for: .gram()) },
    ]

    @Test(arguments: rows.indices)
    func describesTheRefusal(index: Int) async {
        let row = Self.rows[index]
        let error = await #expect(throws: (any Error).self, "\(row.message)") { try await row.body() }
        let text = error.map { ($0 as? HKError)?.localizedDescription ?? "\($0)" } ?? ""
        #expect(text == row.message)
    }

    /// Every reason in the sources is in the table, up to where a name is filled in.
    @Test func noReasonIsLeftOut() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/HealthKit")
        // A series builder checks the type first, so the second unit always fits.
        let unreachable = ["The quantities of a series must be compatible"]
        var (left, count): ([String], Int) = ([], 0)
        let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let url as URL in paths ?? .init() where url.pathExtension == "swift" {
            let text = try String(contentsOf: url, encoding: .utf8)
            var matches = text.matches(
                of: /(?:InvalidObjectError|TranslationError|SummaryDateError)\(\s*reason:\s*"((?:[^"\\]|\\.)*)"/)
            if url.lastPathComponent.contains("Series") {
                matches += text.matches(of: /invalid\(\s*"((?:[^"\\]|\\.)*)"/)
            }
            count += matches.count
            for match in matches {
                let reason = String(match.1)
                // The longest piece between what is filled in.
                let piece =
                    reason.split(separator: /\\\([^)]*\)+/).max { $0.count < $1.count }.map(String.init) ?? reason
                if !Self.rows.contains(where: { $0.message.contains(piece) }), !unreachable.contains(reason) {
                    left.append(reason)
                }
            }
        }
        #expect(left.isEmpty, "\(left)")
        #expect(count >= 40)
    }
}
