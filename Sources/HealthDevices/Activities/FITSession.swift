import Foundation
import HealthFiles
import HealthModel

/// A session of an activity: one sport, with what the device summed up.
struct FITSession: Sendable {
    /// The device's own figures; `nil` for a session that a cut file lacks.
    let message: FITMessage?
    let sport: FITSport
    let start: Double
    let end: Double
    /// The distance of its records in meters, for a session without its own.
    var recordedDistance: Double?

    /// - Parameter end: The latest time of the session, where its message has none.
    init?(_ message: FITMessage, _ origin: FITOrigin) {
        typealias Names = FITField.Session
        // The time with pauses, which some devices write less exactly than the one without.
        let elapsed = [message.number(Names.totalElapsedTime), message.number(Names.totalTimerTime)].compactMap(\.self)
            .max()
        let stamp = origin.date(message)
        guard let start = origin.date(message, Names.startTime) ?? stamp.map({ $0 - (elapsed ?? 0) }),
            let end = elapsed.map({ start + $0 }) ?? stamp, end >= start
        else { return nil }
        self.init(
            message,
            FITSport(sport: message.integer(Names.sport), subSport: message.integer(Names.subSport)).named(
                message.text(Names.sportProfileName)), start, end)
    }

    init(_ message: FITMessage?, _ sport: FITSport, _ start: Double, _ end: Double) {
        (self.message, self.sport, self.start, self.end) = (message, sport, start, end)
    }

    func contains(_ date: Double) -> Bool { start <= date && date <= end }

    func number(_ field: UInt8) -> Double? { message?.number(field) }

    // MARK: - Figures

    /// The energy of the activity without what the body would have used at rest, if the device states both.
    var energy: Double? {
        guard let total = number(FITField.Session.totalCalories), total > 0 else { return nil }
        let resting = number(FITField.Session.metabolicCalories) ?? 0
        return resting < total ? total - resting : total
    }

    var distance: Double? { number(FITField.Session.totalDistance) ?? recordedDistance }

    var strokes: Double? {
        guard sport.activity == 46 else { return nil }
        return number(FITField.Session.totalCycles)
    }

    /// The length of the pool in meters.
    var poolLength: Double? {
        guard let length = number(FITField.Session.poolLength), length > 0 else { return nil }
        return length
    }

    var isPool: Bool { sport.place == .pool || sport.activity == 46 && poolLength != nil }

    var isIndoor: Bool { sport.place == .indoor }

    /// The statistics of what the device has measured, with its own averages.
    var statistics: [WorkoutBody.Statistics] {
        typealias Names = FITField.Session
        var list: [WorkoutBody.Statistics] = []
        func add(_ statistics: WorkoutBody.Statistics?) {
            if let statistics { list.append(statistics) }
        }
        func add(_ type: MeasuredType?, _ average: Double?, _ maximum: Double?, minimum: Double? = nil) {
            // A sensor that wasn't there has an average of 0; with one of 0, the figures are those of the records.
            func positive(_ number: Double?) -> Double? { number.flatMap { $0 > 0 ? $0 : nil } }
            let (minimum, maximum) = (positive(minimum), positive(maximum))
            guard average ?? maximum ?? 0 > 0 else { return }
            add(type?.statistics(start, end, average: average, minimum: minimum, maximum: maximum))
        }
        add(MeasuredType.activeEnergy.statistics(start, end, sum: energy))
        add(MeasuredType.distance(of: sport.activity)?.statistics(start, end, sum: distance))
        add(MeasuredType.strokes.statistics(start, end, sum: strokes))
        add(
            .heartRate, number(Names.avgHeartRate), number(Names.maxHeartRate), minimum: number(Names.minHeartRate))
        add(
            MeasuredType.speed(of: sport.activity), number(Names.enhancedAvgSpeed) ?? number(Names.avgSpeed),
            number(Names.enhancedMaxSpeed) ?? number(Names.maxSpeed))
        add(power, number(Names.avgPower), number(Names.maxPower))
        if isCycling { add(.cyclingCadence, number(Names.avgCadence), number(Names.maxCadence)) }
        if isRunning {
            add(.strideLength, number(Names.avgStepLength).map { $0 / 1_000 }, nil)
            add(.groundContact, number(Names.avgStanceTime), nil)
            add(.oscillation, number(Names.avgVerticalOscillation).map { $0 / 10 }, nil)
        }
        return list
    }

    var isRunning: Bool { sport.activity == 37 }
    var isCycling: Bool { sport.activity == 13 || sport.activity == 74 }
    /// The type of the power that the sport has.
    var power: MeasuredType? { isCycling ? .cyclingPower : isRunning ? .runningPower : nil }

    /// The metadata of a workout or an activity.
    ///
    /// - Parameter weight: The person's weight in kilograms as the device knows it.
    func metadata(weight: Double?) -> Metadata {
        typealias Names = FITField.Session
        var metadata = Metadata()
        if isIndoor { metadata.set("HKIndoorWorkout", .bool(true)) }
        metadata.set("HKElevationAscended", number(Names.totalAscent).map { .quantity($0, unit: "m") })
        metadata.set("HKElevationDescended", number(Names.totalDescent).map { .quantity($0, unit: "m") })
        func add(_ key: String, speed: Double?) {
            if let speed, speed > 0 { metadata.set(key, .quantity(speed, unit: "m/s")) }
        }
        add("HKAverageSpeed", speed: number(Names.enhancedAvgSpeed) ?? number(Names.avgSpeed))
        add("HKMaximumSpeed", speed: number(Names.enhancedMaxSpeed) ?? number(Names.maxSpeed))
        if let total = number(Names.totalCalories), let weight, weight > 0, activeTime > 0 {
            metadata.set("HKAverageMETs", .quantity(total / weight / (activeTime / 3_600), unit: "kcal/hr·kg"))
        }
        if sport.activity == 46 {
            let place: Int64? = isPool ? 1 : sport.place == .openWater ? 2 : nil
            metadata.set("HKSwimmingLocationType", place.map { .integer($0) })
            metadata.set("HKLapLength", poolLength.map { .quantity($0, unit: "m") })
        }
        return metadata
    }

    /// The seconds without pauses.
    var activeTime: Double {
        let elapsed = end - start
        guard let active = number(FITField.Session.totalTimerTime) else { return elapsed }
        // The difference of two dates isn't exact to the millisecond.
        return active - elapsed < 0.001 ? active : elapsed
    }
}
