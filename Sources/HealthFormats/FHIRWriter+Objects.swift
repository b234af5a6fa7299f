import Foundation
import HealthEngine
import HealthJSON
import HealthModel

extension FHIRWriter {
    static let electrocardiogram = "HKDataTypeIdentifierElectrocardiogram"
    static let audiogram = "HKDataTypeIdentifierAudiogram"
    static let route = "HKWorkoutRouteTypeIdentifier"
    static let summary = "HKActivitySummaryTypeIdentifier"

    /// An object with its members as an Observation; `nil` for one that isn't an observation.
    func observation(of object: ObjectRecord, _ type: TypeDescription) -> JSONText? {
        switch object.body {
        case .workout(let workout): return observation(object, workout, of: type)
        case .none where type.kind == .correlation: return observation(object, of: type)
        case .document(let document):
            switch type.identifier {
            case Self.electrocardiogram: return electrocardiogram(object, document, of: type)
            case Self.audiogram: return audiogram(object, document, of: type)
            case Self.route: return route(object, document, of: type)
            default: return nil
            }
        default: return nil
        }
    }

    /// An audiogram with one component for each test of an ear; `nil` without any.
    private func audiogram(_ object: ObjectRecord, _ document: DocumentBody, of type: TypeDescription) -> JSONText? {
        guard case .list(let points)? = document[AudiogramDocument.points] else { return nil }
        typealias Field = AudiogramDocument.Test
        var parts: [Component] = []
        for case .record(let point) in points {
            guard case .quantity(let frequency)? = point[AudiogramDocument.Point.frequency],
                case .list(let tests)? = point[AudiogramDocument.Point.tests],
                let hertz = UnitConversion(between: frequency.unit, and: "Hz")?(frequency.value)
            else { continue }
            for case .record(let test) in tests {
                guard case .quantity(let sensitivity)? = test[Field.sensitivity] else { continue }
                let side = test[Field.side] == .integer(AudiogramDocument.right) ? "right" : "left"
                let conduction = test[Field.type]?.number ?? 0 == Double(AudiogramDocument.air) ? "air" : "bone"
                let masked = test[Field.masked] == .bool(true) ? ".masked" : ""
                let text = ShortestNumber.shortest(hertz) ?? ""
                let own = FHIRCode.own(
                    "HKAudiogramSensitivityTest.\(side).\(conduction).\(text)Hz\(masked)",
                    "Hearing threshold, \(side) ear, \(conduction) conduction, \(text) Hz")
                parts.append(([own], { quantity(&$0, sensitivity, of: "") }))
            }
        }
        guard !parts.isEmpty else { return nil }
        return resource(identities.identity(of: object)) { json in
            begin(&json, [.identifier(type)], .exam)
            about(&json, object)
            components(&json, parts)
        }
    }

    /// A route with its columns as sampled data. R4 has no form for positions, and its samples are at equal distances, so
    /// that the times of the locations are a component as well.
    private func route(_ object: ObjectRecord, _ document: DocumentBody, of type: TypeDescription) -> JSONText? {
        guard let times = document.series[RouteDocument.Column.timestamps.rawValue], let first = times.first,
            let last = times.last, first.isFinite, last.isFinite
        else { return nil }
        let period = max((last - first) * 1_000 / Double(max(times.count - 1, 1)), 1)
        let columns: [(RouteDocument.Column, String)] = [
            (.latitudes, "deg"), (.longitudes, "deg"), (.altitudes, "m"), (.speeds, "m/s"),
        ]
        var parts: [Component] = [
            (
                [.own("HKWorkoutRoute.timestamps", "Time since the start")],
                { sampled(&$0, times.map { $0 - first }, "s", period: period) }
            )
        ]
        for (column, unit) in columns {
            guard let values = document.series[column.rawValue], values.count == times.count else { continue }
            let isUnknown = { (value: Double) in !value.isFinite || column == .speeds && value < 0 }
            parts.append(
                (
                    [.own("HKWorkoutRoute.\(column.rawValue)", column.rawValue.capitalized)],
                    { sampled(&$0, values.map { isUnknown($0) ? .nan : $0 }, unit, period: period) }
                ))
        }
        return resource(identities.identity(of: object)) { json in
            begin(&json, [.identifier(type)], .activity)
            about(&json, object)
            components(&json, parts)
        }
    }

    /// The identity of a day's rings, which have none in HealthKit: that of the person with the date in the last bytes.
    func identity(of day: SummaryDay) -> UUID {
        var uuid = patient.uuid
        withUnsafeMutableBytes(of: &uuid) { bytes in
            for index in 12..<16 { bytes[index] ^= UInt8(truncatingIfNeeded: day.day.number >> (8 * (15 - index))) }
        }
        return UUID(uuid: uuid)
    }

    /// The rings of a day as an Observation, with the goals.
    func observation(_ summary: ActivitySummaryBody, on day: SummaryDay) -> JSONText? {
        guard let type = TypeCatalog.description(for: Self.summary) else { return nil }
        let fields: [(String, QuantityRecord?)] = [
            ("activeEnergyBurned", summary.activeEnergyBurned),
            ("activeEnergyBurnedGoal", summary.activeEnergyBurnedGoal), ("appleMoveTime", summary.appleMoveTime),
            ("appleMoveTimeGoal", summary.appleMoveTimeGoal), ("appleExerciseTime", summary.appleExerciseTime),
            ("appleExerciseTimeGoal", summary.appleExerciseTimeGoal), ("appleStandHours", summary.appleStandHours),
            ("appleStandHoursGoal", summary.appleStandHoursGoal),
        ]
        let parts: [Component] = fields.compactMap { name, value in
            value.map { value in
                ([FHIRCode.own("HKActivitySummary.\(name)", name)], { quantity(&$0, value, of: "") })
            }
        }
        guard !parts.isEmpty else { return nil }
        return resource(identity(of: day)) { json in
            begin(&json, [.identifier(type)], .activity)
            json.object("effectivePeriod", ["start": clock.text(day.start), "end": clock.text(day.end)])
            components(&json, parts)
        }
    }
}

extension StoreReader {
    /// The days that have activity summaries, ascending, with them.
    func activityDays(in clock: LocalClock) throws -> [(day: SummaryDay, summary: ActivitySummaryBody)] {
        let times = try summaryTimes()
        var numbers = Set(
            times.importedDays.map { CivilDate.dayNumber(year: $0.year, month: $0.month, day: $0.day) })
        for stretch in times.samples {
            numbers.formUnion(clock.dayNumber(at: stretch.lowerBound)...clock.dayNumber(at: stretch.upperBound))
        }
        let days = numbers.sorted().map { SummaryDay(number: $0, in: clock) }
        let byDay = Dictionary(days.map { ($0.day.number, $0) }) { $1 }
        return try activitySummaries(days).compactMap { summary in
            let day = Profile.Day(year: summary.year, month: summary.month, day: summary.day)
            return byDay[day.number].map { ($0, summary) }
        }
    }
}
