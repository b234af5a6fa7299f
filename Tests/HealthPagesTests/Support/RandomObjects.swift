import Foundation
import HealthModel

/// Random object bodies of every kind, and bodies with every field set.
enum RandomObjects {
    /// Pinned by a fixture, as part of the workout below.
    static let fullMetadata = Metadata([
        .init(key: "a", value: .string("text"), archivedText: "Text"),
        .init(key: "b", value: .bool(true)), .init(key: "c", value: .bool(false), archivedText: "0"),
        .init(key: "d", value: .integer(-5)), .init(key: "e", value: .double(0.25)),
        .init(key: "f", value: .date(650_000_000)), .init(key: "g", value: .quantity(418, unit: "cm")),
        .init(key: "a", value: .string("again")),
    ])

    /// Pinned by the fixture that was written from it.
    static let fullWorkout = WorkoutBody(
        activityType: 37, duration: 1800.5, totalEnergyBurned: QuantityRecord(312.4, unit: "kcal"),
        totalDistance: QuantityRecord(5.2, unit: "km"),
        totalSwimmingStrokeCount: QuantityRecord(12, unit: "count"),
        totalFlightsClimbed: QuantityRecord(3, unit: "count"),
        events: [
            .init(type: 1, start: 100, end: 100),
            .init(type: 7, start: 100, end: 160, metadata: fullMetadata),
        ],
        activities: [
            .init(
                uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), activityType: 46,
                locationType: 3, swimmingLocationType: 1, lapLength: QuantityRecord(25, unit: "m"), start: 100,
                end: 400, duration: 290, events: [.init(type: 3, start: 120, end: 130)],
                statistics: [
                    .init(
                        type: "HKQuantityTypeIdentifierHeartRate", start: 100, end: 400, unit: "count/min",
                        average: 131.5)
                ], metadata: fullMetadata),
            .init(
                uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)), activityType: 1, start: 4,
                end: nil, duration: 0),
        ],
        statistics: [
            .init(
                type: "HKQuantityTypeIdentifierStepCount", start: 100, end: 2000, unit: "count", sum: 4000,
                average: 1, minimum: 0, maximum: 60)
        ],
        archived: [
            ArchivedElement(
                name: "WorkoutRoute", attributes: [.init(name: "sourceName", value: "Watch")],
                children: [ArchivedElement(name: "FileReference", attributes: [.init(name: "path", value: "/r.gpx")])])
        ])

    static func body(_ random: inout SeededRandom) -> ObjectBody {
        switch random.int(0...4) {
        case 0: return .none
        case 4:
            let fields = (0..<random.int(0...5)).map { _ in
                (random.pick(RandomColumns.strings), field(&random, depth: 0))
            }
            var document = DocumentBody(fields: Dictionary(fields, uniquingKeysWith: { $1 }))
            for _ in 0..<random.int(0...2) {
                document.series[random.pick(RandomColumns.strings)] = (0..<random.int(0...30)).map { _ in
                    Double(random.int(-999...999)) / random.pick([1, 10, 3])
                }
            }
            return .document(document)
        case 1: return .archived(element(&random, depth: 0))
        case 2:
            var summary = ActivitySummaryBody(
                year: random.int(1990...2100), month: random.int(1...12), day: random.int(1...31),
                moveMode: random.int(0...3), isPaused: random.chance(2))
            summary.activeEnergyBurned = quantity(&random)
            summary.appleMoveTimeGoal = quantity(&random)
            summary.appleStandHoursGoal = quantity(&random)
            return .activitySummary(summary)
        default: return .workout(workout(&random))
        }
    }

    private static func workout(_ random: inout SeededRandom) -> WorkoutBody {
        var workout = WorkoutBody(
            activityType: UInt(random.int(0...3000)), duration: Double(random.int(0...90_000)) / 10,
            totalEnergyBurned: quantity(&random), totalDistance: quantity(&random))
        workout.events = events(&random)
        workout.statistics = statistics(&random)
        workout.activities = (0..<random.int(0...3)).map { _ in
            WorkoutBody.Activity(
                uuid: RandomColumns.uuid(&random), activityType: UInt(random.int(0...80)),
                locationType: random.int(-1...3), swimmingLocationType: random.int(0...2),
                lapLength: quantity(&random), start: Double(random.int(0...999)),
                end: random.chance(2) ? Double(random.int(0...999)) : nil, duration: random.fraction(),
                events: events(&random), statistics: statistics(&random),
                metadata: comparable(RandomColumns.metadata(&random)))
        }
        workout.archived = (0..<random.int(0...2)).map { _ in element(&random, depth: 0) }
        return workout
    }

    private static func events(_ random: inout SeededRandom) -> [WorkoutBody.Event] {
        (0..<random.int(0...4)).map { _ in
            let start = Double(random.int(0...1_000_000)) / 100
            return .init(
                type: random.int(1...8), start: start, end: start + random.fraction(),
                metadata: comparable(RandomColumns.metadata(&random)))
        }
    }

    private static func statistics(_ random: inout SeededRandom) -> [WorkoutBody.Statistics] {
        (0..<random.int(0...3)).map { _ in
            .init(
                type: random.pick(RandomColumns.strings), start: Double(random.int(0...99)), end: 100,
                unit: random.pick(RandomColumns.strings), sum: random.chance(2) ? random.fraction() : nil,
                maximum: random.chance(2) ? Double(random.int(0...99)) : nil)
        }
    }

    private static func field(_ random: inout SeededRandom, depth: Int) -> FieldValue {
        switch random.int(0...(depth > 3 ? 7 : 9)) {
        case 0: .bool(random.chance(2))
        case 1: .integer(Int64(bitPattern: random.next()))
        case 2: .double(random.fraction())
        case 3: .string(random.pick(RandomColumns.strings))
        case 4: .date(Double(random.int(0...900_000_000)))
        case 5: .uuid(RandomColumns.uuid(&random))
        case 6: .data((0..<random.int(0...5)).map { _ in UInt8(random.int(0...255)) })
        case 7: .quantity(QuantityRecord(random.fraction(), unit: random.pick(RandomColumns.strings)))
        case 8: .list((0..<random.int(0...3)).map { _ in field(&random, depth: depth + 1) })
        default: .record([random.pick(RandomColumns.strings): field(&random, depth: depth + 1)])
        }
    }

    private static func quantity(_ random: inout SeededRandom) -> QuantityRecord? {
        if random.chance(3) { return nil }
        return QuantityRecord(Double(random.int(0...99_999)) / 100, unit: random.pick(RandomColumns.strings))
    }

    /// Without NaN, which is not equal to itself.
    private static func comparable(_ metadata: Metadata) -> Metadata {
        Metadata(
            metadata.entries.filter {
                if case .double(let value) = $0.value { return !value.isNaN }
                return true
            })
    }

    private static func element(_ random: inout SeededRandom, depth: Int) -> ArchivedElement {
        ArchivedElement(
            name: random.pick(RandomColumns.strings),
            attributes: (0..<random.int(0...3)).map { _ in
                .init(name: random.pick(RandomColumns.strings), value: random.pick(RandomColumns.strings))
            },
            children: depth > 4 ? [] : (0..<random.int(0...2)).map { _ in element(&random, depth: depth + 1) })
    }
}
