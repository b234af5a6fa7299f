import Foundation
import HealthEngine
import HealthFormats
package import HealthInsights
import HealthKit
import HealthModel
import HealthJSON

/// One workout with its splits, zones, statistics, heart rate and routes.
package struct WorkoutQuestion: Question {
    private let uuid: UUID?
    private let number: Int
    private let points: Int?
    private let curves: Int?
    private let compared: Int?
    private let calendar: Calendar
    private var units: WorkoutUnits

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        calendar = setting.calendar
        units = try WorkoutUnits(setting)
        points = try parameters.integer(.points)
        curves = try parameters.integer(.curves)
        compared = try parameters.integer(.earlierWorkouts)
        if let length = try parameters.choice(.splitLength, "is not a length of splits. Use km or mi.") {
            units.length = length == "km" ? .kilometer : .mile
        }
        let text = try parameters.requiredText("uuid")
        uuid = UUID(uuidString: text)
        number = Int(text) ?? 0
        guard uuid != nil || number > 0 else {
            throw NotFoundError(
                // The text of a path isn't repeated: it can be from the data.
                "This is not a workout. Use a number of the list, such as 1 for the latest, or a UUID.")
        }
    }

    package func answer(_ context: some QuestionContext) async throws -> WorkoutDetail {
        let store = context.healthStore(calendar: calendar)
        let history = WorkoutHistory(store: store, calendar: calendar)
        let workout = try await find(context, history)
        let summary = try await context.silently(WorkoutSummary(workout)) { try await history.summary(of: workout) }
        var detail = WorkoutDetail(workout: WorkoutAnswer(summary: summary, units: units), units: units)
        if summary.activityType.coversDistance {
            detail.splits = try await context.silently(nil) { try await history.splits(of: workout, per: units.length) }
        }
        detail.zones = try await context.silently(nil) { try await history.heartRateZones(of: workout) }
        detail.statistics = try await statistics(of: workout, store)
        detail.heartRates = try await context.silently([]) { try await history.heartRateCurve(of: workout) }
        detail.legs = try await context.silently([]) { try await history.legs(of: workout) }
        detail.laps = try await context.silently([]) { try await history.laps(of: workout) }
        detail.sets = WorkoutSet.sets(of: workout)
        detail.trainingLoad = try await context.silently(nil) { try await history.trainingLoad(of: workout) }
        if let curves {
            detail.curves = try await context.silently([]) { try await history.curves(of: workout, maximum: curves) }
        }
        if let compared {
            let earlier = try await context.silently([]) {
                try await history.summaries(before: workout, maximum: compared)
            }
            detail.earlier = WorkoutDetail.Earlier(workout: summary, workouts: earlier, units: units)
        }
        if let points {
            let uuid = summary.uuid
            let routes = try await context.read { engine, caller in try engine.routes(of: uuid, as: caller) }
            detail.routes = routes.map { WorkoutDetail.Route(record: $0, points: points) }
        }
        return detail
    }

    private func find(_ context: some QuestionContext, _ history: WorkoutHistory) async throws -> HKWorkout {
        if let uuid {
            if let found = try await context.silently(nil, { try await history.workout(uuid) }) { return found }
            throw NotFoundError("No workout has the UUID “\(uuid.uuidString)”, or it’s not accessible.")
        }
        let all = try await context.silently([]) { try await history.workouts() }
        guard number <= all.count else {
            throw NotFoundError("Workout \(number) not found. Workouts in the store: \(all.count).")
        }
        return all[all.count - number]
    }

    private func statistics(of workout: HKWorkout, _ store: HKHealthStore) async throws
        -> [WorkoutDetail.TypeStatistics]
    {
        let all = workout.allStatistics
        let units = try await store.preferredUnits(for: Set(all.keys))
        return all.sorted { $0.key.identifier < $1.key.identifier }.compactMap { type, figures in
            guard let unit = units[type] else { return nil }
            func number(_ quantity: HKQuantity?) -> Double? { quantity?.doubleValue(for: unit) }
            return WorkoutDetail.TypeStatistics(
                type: type.identifier,
                statistic: StatisticsAnswer.Statistic(
                    start: figures.startDate.timeIntervalSinceReferenceDate,
                    end: figures.endDate.timeIntervalSinceReferenceDate, unit: unit.unitString,
                    values: StatisticsValues(
                        sum: number(figures.sumQuantity()), average: number(figures.averageQuantity()),
                        minimum: number(figures.minimumQuantity()), maximum: number(figures.maximumQuantity()))))
        }
    }
}

/// An error for a subject of a question that doesn't exist, or that the caller may not read.
package struct NotFoundError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A workout with its splits, zones, statistics, heart rates and routes.
package struct WorkoutDetail: AnswerObject, Sendable {
    /// Its figures.
    package let workout: WorkoutAnswer
    /// The units of its lengths.
    package let units: WorkoutUnits
    /// Its splits, if enough of the distance is known.
    package fileprivate(set) var splits: WorkoutSplits?
    /// Its heart rate zones, if heart rates and zones are known.
    package fileprivate(set) var zones: HeartRateZones?
    fileprivate var statistics: [TypeStatistics] = []
    fileprivate var heartRates: [WorkoutPoint] = []
    fileprivate var laps: [WorkoutLap] = []
    /// The sports of a multisport workout, each with its distance and pace.
    package fileprivate(set) var legs: [WorkoutLap] = []
    /// The sets of a strength workout.
    package fileprivate(set) var sets: [WorkoutSet] = []
    fileprivate var trainingLoad: Double?
    fileprivate var curves: [WorkoutCurve]?
    fileprivate var earlier: Earlier?
    fileprivate var routes: [Route]?

    package static let fields: [AnswerField<Self>] =
        AnswerField.members(of: \.workout) + [
            .init("lengthUnit", \.units.lengthName), .init("splitsOrigin") { $0.splits.map { "\($0.origin)" } },
            .init("splits") { detail in
                detail.splits.map { splits in
                    splits.splits.map {
                        Split(split: $0, units: detail.units, activity: detail.workout.summary.activityType)
                    }
                }
            }, .init("zones", \.zones), .init("statistics", \.statistics), .init("heartRates", \.heartRates),
            .init("hasAllHeartRates", \.hasAllHeartRates),
            .init("legs") { $0.answer($0.legs) }, .init("laps") { $0.answer($0.laps) },
            .init("sets") { $0.sets.isEmpty ? nil : $0.sets.map(SetAnswer.init) },
            .init("trainingLoad", unit: "min", \.trainingLoad),
            .init("curves") { detail in
                let workout = detail.workout.summary
                return detail.curves?.map {
                    Curve(
                        curve: $0, start: workout.start, units: detail.units, activity: workout.activityType)
                }
            }, .init("earlier", \.earlier), .init("routes", \.routes),
        ]

    private func answer(_ laps: [WorkoutLap]) -> [Lap]? {
        laps.isEmpty ? nil : laps.map { Lap(lap: $0, units: units, activity: workout.summary.activityType) }
    }

    /// Whether the heart rates have the minimum and the maximum that the workout recorded; `nil` without heart rates.
    private var hasAllHeartRates: Bool? {
        guard let low = heartRates.map(\.minimum).min(), let high = heartRates.map(\.maximum).max() else { return nil }
        let recorded = workout.summary
        return abs((recorded.minimumHeartRate ?? low) - low) < 0.5
            && abs((recorded.maximumHeartRate ?? high) - high) < 0.5
    }

    struct Split: AnswerObject {
        let split: WorkoutSplit
        let units: WorkoutUnits
        let activity: HKWorkoutActivityType

        static let fields: [AnswerField<Self>] = [
            .init("number", \.split.number),
            .init("workoutActivityTypeName") { $0.split.activityType.flatMap { ValueNames.activity($0.rawValue) } },
            .init("startDate", \.split.start), .init("endDate", \.split.end),
            .init("distance") { $0.units.distance($0.split.meters) }, .init("duration", unit: "s", \.split.duration),
            .init("pace") { $0.units.pace($0.split.pace, of: $0.split.activityType ?? $0.activity) },
            .init("speed") { $0.units.speed($0.split.pace > 0 ? 1_000 / $0.split.pace : nil) },
            .init("averageHeartRate", unit: "count/min", \.split.averageHeartRate),
            .init("isComplete", \.split.isComplete), .init("isFastest", \.split.isFastest),
        ]
    }

    /// Statistics with the type that they are of.
    struct TypeStatistics: AnswerObject, Sendable {
        let type: String
        let statistic: StatisticsAnswer.Statistic

        static let fields: [AnswerField<Self>] = [.init("type", \.type)] + AnswerField.members(of: \.statistic)
    }

    /// A route, with some of its locations.
    struct Route: AnswerValue, Sendable {
        let record: ObjectRecord
        let points: Int

        static var schema: AnswerSchema {
            AnswerSchema(
                #"""
                {"type":"object","required":["startDate","endDate"],"properties":{"uuid":{"type":"string","format":"uuid"},
                "startDate":{"$ref":"#/components/schemas/Instant"},"endDate":{"$ref":"#/components/schemas/Instant"},
                "locations":{"type":"array","items":{"$ref":"#/components/schemas/Location"}}}}
                """#)
        }

        func write(to json: inout JSONText, _ instants: InstantWriter) {
            json.object { json in
                json.member("uuid", text: record.uuid?.uuidString)
                json.member("startDate", instant: record.start, instants)
                json.member("endDate", instant: record.end, instants)
                if case .document(let document) = record.body {
                    json.locations(document.thinned(to: points), instants)
                }
            }
        }
    }
}

extension WorkoutPoint: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("startDate", \.start), .init("endDate", \.end), .init("value", \.value), .init("minimum", \.minimum),
        .init("maximum", \.maximum), .init("precededByGap", \.isPrecededByGap),
    ]
}

extension HeartRateZones: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("source") { zones in
            switch zones.origin {
            case .workout(let source): "\(source)"
            case .preferred: "preferred"
            case .estimated: "estimated"
            }
        }, .init("unit") { _ in "count/min" },
        .init("estimatedMaximum") { zones -> Double? in
            if case .estimated(let maximum) = zones.origin { maximum } else { nil }
        },
        .init("zones") { zones in zones.zones.map { TimeInZone(zone: $0, whole: zones.duration) } },
    ]

    struct TimeInZone: AnswerObject {
        let zone: Zone
        let whole: TimeInterval

        static let fields: [AnswerField<Self>] = [
            .init("number", \.zone.number), .init("minimum", \.zone.minimum), .init("maximum", \.zone.maximum),
            .init("duration", unit: "s", \.zone.duration),
            .init("share", unit: "fraction") { $0.whole > 0 ? $0.zone.duration / $0.whole : 0 },
        ]
    }
}

extension HealthEngine {
    /// The routes of a workout, in the order of their start; none if routes may not be read.
    fileprivate func routes(of workout: UUID, as caller: Caller) throws -> [ObjectRecord] {
        guard let type = TypeCatalog.description(for: "HKWorkoutRouteTypeIdentifier"),
            try !readable([type], as: caller).isEmpty
        else { return [] }
        return try samples(
            SampleRequest(parts: [.init(type: type.code, filter: .memberOf(workout))], sort: [SampleSort(.start)]),
            as: caller
        ).objects
    }
}

extension DocumentBody {
    /// The document with at most `count` rows, evenly distributed, with the first and the last: enough to draw a route.
    fileprivate func thinned(to count: Int) -> DocumentBody {
        let rows = series.values.map(\.count).max() ?? 0
        guard rows > count, count > 1 else { return self }
        let chosen = (0..<count).map { $0 * (rows - 1) / (count - 1) }
        var thinned = self
        thinned.series = series.mapValues { column in chosen.compactMap { $0 < column.count ? column[$0] : nil } }
        return thinned
    }
}
