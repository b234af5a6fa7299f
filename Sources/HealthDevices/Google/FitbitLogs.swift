import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// A list of one value a day, by the beginning of its file's name. Its dates are local.
enum FitbitDays: String, CaseIterable, Hashable, Sendable {
    case restingHeartRate = "resting_heart_rate"
    case veryActive = "very_active_minutes"
    case moderatelyActive = "moderately_active_minutes"
    case oxygenUptake = "demographic_vo2_max"

    fileprivate var type: MeasuredType {
        switch self {
        case .restingHeartRate: .restingHeartRate
        case .veryActive, .moderatelyActive: .exerciseTime
        case .oxygenUptake: .oxygenUptake
        }
    }

    fileprivate func value(_ value: JSONValue) -> Double? {
        switch self {
        case .restingHeartRate: value["value"]?.number
        case .veryActive, .moderatelyActive: value.number
        case .oxygenUptake: (value["filteredDemographicVO2Max"] ?? value["demographicVO2Max"])?.number
        }
    }
}

/// A weight of Fitbit's logs, in the unit of the person's account, which the logs don't name.
struct FitbitWeight {
    /// A unit of weight, with its kilograms.
    enum Unit: Double {
        case kilograms = 1
        case pounds = 0.45359237
        case stones = 6.35029318
    }

    let date: Double
    let weight: Double
    let bodyMassIndex: Double?
    let fat: Double?
    let isManual: Bool

    /// The unit in which the body mass index belongs to a person of usual height.
    var unit: Unit? {
        guard let bodyMassIndex, bodyMassIndex > 5 else { return nil }
        // The square root of the height in meters, if the weight were in kilograms.
        switch (weight / bodyMassIndex).squareRoot() {
        case 0.4..<1.05: return .stones
        case 1.05..<2.12: return .kilograms
        case 2.12..<3.5: return .pounds
        default: return nil
        }
    }
}

extension GoogleTakeoutReader {
    mutating func readDays(
        _ days: FitbitDays, _ reader: consuming JSONReader, into content: inout FileContent
    ) throws {
        var json = reader
        try json.array { json, _ in
            let entry = try json.value()
            guard var text = entry["dateTime"]?.text, let day = text.withUTF8(FitbitTimestamp.day),
                let value = entry["value"].flatMap(days.value)
            else { return content.leaveOut("value of a day without a date or number") }
            // Days without a value, also future ones, have zero.
            guard value > 0 else { return }
            let (start, end) = instants(ofDay: day)
            content.totals.append(GoogleOrigin.fitbit.quantity(days.type, value, start, end))
        }
        try json.end()
    }

    // MARK: - Nights

    /// Reads a night. Its times are local.
    mutating func readSleep(_ log: JSONValue, into content: inout FileContent) {
        let instants = LocalClock(timeZone: timeZone)
        guard let start = log["startTime"]?.text.flatMap(instants.instant),
            let end = log["endTime"]?.text.flatMap(instants.instant), end > start, end - start < 3 * 86_400
        else { return content.leaveOut("night without times") }
        guard !sleeps.contains(start, end) else { return content.leaveOut("night that a table has, too") }
        sleeps.add(start, end)
        let samples = GoogleOrigin.fitbit
        let levels = log["levels"]
        var night = FitbitNight(start: start, end: end)
        for level in levels?["data"]?.elements ?? [] where !night.add(level, instants) {
            content.leaveOut("stage of sleep without times or of an unknown kind")
        }
        for level in levels?["shortData"]?.elements ?? [] where !night.interrupt(level, instants) {
            content.leaveOut("stage of sleep without times or of an unknown kind")
        }
        content.samples.append(samples.sleep(.inBed, start, end))
        let stages = night.stages
        content.samples += stages.map { samples.sleep($0.value, $0.start, $0.end) }
        if stages.isEmpty { content.samples.append(samples.sleep(.asleep, start, end)) }
    }

    // MARK: - Weights

    mutating func readWeight(_ log: JSONValue, into content: inout FileContent) {
        guard var text = log["date"]?.text, let day = text.withUTF8(FitbitTimestamp.day),
            let number = log["weight"]?.number,
            number > 0
        else { return content.leaveOut("weight without a date or number") }
        let clock = log["time"]?.text?.split(separator: ":").compactMap { UInt8($0).map(Int.init) } ?? []
        let seconds = min(86_399, zip(clock, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 })
        let date = LocalClock(timeZone: timeZone).instant(ofWallSecond: day * 86_400 + seconds)
        let weight = FitbitWeight(
            date: Double(date), weight: number, bodyMassIndex: log["bmi"]?.number.flatMap { $0 > 0 ? $0 : nil },
            fat: log["fat"]?.number.flatMap { $0 > 0 ? $0 : nil }, isManual: log["source"]?.text == "Web")
        weightUnit = weight.unit ?? weightUnit
        // The unit may only be known from a later one.
        guard weight.unit != nil else { return weights.append(weight) }
        add(weight, into: &content)
    }

    mutating func add(_ weight: FitbitWeight, into content: inout FileContent) {
        let (start, end) = instants(ofDay: LocalClock(timeZone: timeZone).dayNumber(at: weight.date))
        // No table has the index, so that only another log has the minute of one.
        var minutes = CoverageCursor(.bodyMassIndex, at: .minute)
        defer { minutes.finish(coverage) }
        guard minutes.take(weight.date, coverage) else { return content.leaveOut(Self.lessPrecise) }
        guard let unit = weight.unit ?? weightUnit else { return content.leaveOut("weight in an unknown unit") }
        let metadata =
            weight.isManual ? Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))]) : .empty
        func add(_ type: MeasuredType, _ value: Double?) {
            guard let value else { return }
            guard !coverage.has(type.code, from: start, to: end, before: .minute) else {
                return content.leaveOut(Self.lessPrecise)
            }
            content.samples.append(GoogleOrigin.fitbit.quantity(type, value, weight.date, metadata: metadata))
        }
        add(.bodyMass, weight.weight * unit.rawValue)
        add(.bodyMassIndex, weight.bodyMassIndex)
        add(.bodyFat, weight.fat.map { $0 / 100 })
    }

    // MARK: - Workouts

    /// Reads a workout. Its time is in UTC.
    mutating func readExercise(_ log: JSONValue, into content: inout FileContent) {
        var times = FitbitTimestamp()
        guard var text = log["startTime"]?.text, let second = text.withUTF8({ times.second($0) }),
            let duration = log["duration"]?.number, duration > 0, duration < 86_400e3 * 31
        else { return content.leaveOut("workout without times") }
        let start = Double(second)
        var workout = GoogleWorkout(
            activity: log["activityName"]?.text ?? "", start, start + duration / 1_000, GoogleOrigin.fitbit)
        func number(_ name: String) -> Double? { log[name]?.number.flatMap { $0 > 0 ? $0 : nil } }
        workout.duration = number("activeDuration").map { $0 / 1_000 }
        workout.energy = number("calories")
        workout.steps = number("steps")
        workout.heartRate = number("averageHeartRate")
        workout.isManual = log["logType"]?.text == "manual"
        let unit = log["distanceUnit"]?.text?.lowercased() ?? ""
        let meters: [(String, Double)] = [("kilometer", 1_000), ("mile", 1_609.344), ("meter", 1), ("yard", 0.9144)]
        if let distance = number("distance") {
            if let factor = meters.first(where: { unit.hasPrefix($0.0) }) {
                workout.distance = distance * factor.1
            } else {
                content.leaveOut("distance in an unknown unit")
            }
        }
        content.append(workout)
    }
}
