import CoreLocation
public import Foundation
public import HealthKit

/// Reads workouts and their figures from a store.
public struct WorkoutHistory: Sendable {
    let store: HKHealthStore
    let calendar: Calendar

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The store to read. Types that may not be read count as empty.
    ///   - calendar: The calendar that determines weeks and the person's age.
    public init(store: HKHealthStore, calendar: Calendar = .current) {
        self.store = store
        self.calendar = calendar
    }

    /// The types to request authorization for.
    public static var typesToRead: Set<HKObjectType> {
        Set(HKWorkoutActivityType.other.distanceTypes.map { HKQuantityType($0) as HKObjectType }).union([
            HKObjectType.workoutType(), HKSeriesType.workoutRoute(), HKQuantityType(.heartRate),
            HKQuantityType(.activeEnergyBurned), HKCharacteristicType(.dateOfBirth),
        ])
    }

    // MARK: Workouts

    /// Returns the workouts that begin in an interval, in ascending order.
    ///
    /// - Parameters:
    ///   - interval: The interval; `nil` for all workouts.
    ///   - activityType: The type of activity; `nil` for all types.
    /// - Throws: `HKError` if reading fails.
    public func workouts(
        in interval: DateInterval? = nil, activityType: HKWorkoutActivityType? = nil
    ) async throws -> [HKWorkout] {
        var predicates: [NSPredicate] = []
        if let interval {
            predicates.append(
                HKQuery.predicateForSamples(withStart: interval.start, end: interval.end, options: .strictStartDate))
        }
        if let activityType { predicates.append(HKQuery.predicateForWorkouts(with: activityType)) }
        let predicate = predicates.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        return try await HKSampleQueryDescriptor(
            predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    /// Returns the figures of the workouts that begin in an interval, in ascending order.
    ///
    /// - Throws: `HKError` if reading fails.
    public func summaries(
        in interval: DateInterval? = nil, activityType: HKWorkoutActivityType? = nil
    ) async throws -> [WorkoutSummary] {
        try await workouts(in: interval, activityType: activityType).map { WorkoutSummary($0) }
    }

    /// Returns the figures of the workouts of the same type before a workout, the latest first.
    ///
    /// - Throws: `HKError` if reading fails.
    package func summaries(before workout: HKWorkout, maximum: Int) async throws -> [WorkoutSummary] {
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: nil, end: workout.startDate),
            HKQuery.predicateForWorkouts(with: workout.workoutActivityType),
        ])
        let found = try await HKSampleQueryDescriptor(
            predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)],
            limit: maximum
        ).result(for: store)
        var summaries: [WorkoutSummary] = []
        for earlier in found { summaries.append(try await summary(of: earlier)) }
        return summaries
    }

    /// Returns a workout; `nil` if it is not in the store or may not be read.
    ///
    /// - Throws: `HKError` if reading fails.
    public func workout(_ uuid: UUID) async throws -> HKWorkout? {
        try await HKSampleQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForObject(with: uuid))], sortDescriptors: [], limit: 1
        ).result(for: store).first
    }

    /// Returns the workout that began last before a date; `nil` if there is none.
    ///
    /// - Throws: `HKError` if reading fails.
    public func latestWorkout(before date: Date) async throws -> HKWorkout? {
        let predicate = HKQuery.predicateForSamples(withStart: nil, end: date)
        return try await HKSampleQueryDescriptor(
            predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
        ).result(for: store).first
    }

    /// Returns the figures of a workout. A heart rate that the workout doesn't have is calculated from the samples of
    /// its time.
    ///
    /// - Throws: `HKError` if reading fails.
    public func summary(of workout: HKWorkout) async throws -> WorkoutSummary {
        var summary = WorkoutSummary(workout)
        guard summary.averageHeartRate == nil else { return summary }
        let rates = try await heartRates(of: workout).map(\.value)
        guard !rates.isEmpty else { return summary }
        summary.averageHeartRate = rates.reduce(0, +) / Double(rates.count)
        summary.minimumHeartRate = rates.min()
        summary.maximumHeartRate = rates.max()
        return summary
    }

    /// Returns the weeks of an interval with the workouts that began in them, also those without any, in ascending
    /// order. The first and the last week are complete.
    ///
    /// - Throws: `HKError` if reading fails; `HKError.errorInvalidArgument` for more than 100,000 weeks.
    public func weeks(in interval: DateInterval) async throws -> [WorkoutWeek] {
        let margin = 8 * 86_400.0
        let near = DateInterval(start: interval.start - margin, end: interval.end + margin)
        return try WorkoutWeek.weeks(of: try await summaries(in: near), in: interval, calendar: calendar)
    }

    /// Returns the best workouts of every type of activity, the most frequent type first.
    ///
    /// - Throws: `HKError` if reading fails.
    public func records(in interval: DateInterval? = nil) async throws -> [WorkoutRecords] {
        WorkoutRecords.records(of: try await summaries(in: interval))
    }

    // MARK: Zones

    /// Returns the time of a workout in zones of heart rate.
    ///
    /// These are the zones stored with the workout if it has any, else the time in the zones that the person set, else
    /// in five zones from 60, 70, 80 and 90 % of the maximum heart rate estimated from the person's age on that day.
    ///
    /// - Returns: `nil` if no heart rate is known, or neither zones nor the date of birth.
    /// - Throws: `HKError` if reading fails.
    public func heartRateZones(of workout: HKWorkout) async throws -> HeartRateZones? {
        if let stored = HeartRateZones(of: workout) { return stored }
        let points = try await heartRates(of: workout)
        guard !points.isEmpty, let (origin, boundaries) = try await zones(at: workout.startDate) else { return nil }
        return HeartRateZones(
            origin: origin, boundaries: boundaries, points: points, from: workout.startDate, to: workout.endDate,
            pauses: PausedTime.pauses(of: workout))
    }

    private func zones(at date: Date) async throws -> (HeartRateZones.Origin, [Double])? {
        if let own = try await store.preferredWorkoutZoneConfiguration(for: HKQuantityType(.heartRate)),
            own.source == .user
        {
            return (.preferred, own.zones.compactMap { $0.minimum?.doubleValue(for: .beatsPerMinute) })
        }
        guard let maximum = try estimatedMaximum(at: date) else { return nil }
        return (
            .estimated(maximumHeartRate: maximum), HeartRateZones.estimatedShares.map { (maximum * $0).rounded() }
        )
    }

    /// The maximum heart rate that is estimated from the person's age on a day; `nil` without a date of birth.
    func estimatedMaximum(at date: Date) throws -> Double? {
        try store.age(on: date, calendar).map { HeartRateZones.estimatedMaximum(age: $0) }
    }

    // MARK: Splits

    /// Returns the kilometers or miles of a workout.
    ///
    /// The distance is that of the workout's samples, or of the samples of its time, unless it differs from the total
    /// by more than a tenth and the distance of the route, between locations that are accurate to 50 m, is nearer to
    /// the total.
    ///
    /// - Returns: `nil` if no distance is known, if it is less than three quarters of the total, or if there would be
    ///   more than ``WorkoutSplits/maximumCount`` splits.
    /// - Throws: `HKError` if reading fails.
    public func splits(of workout: HKWorkout, per length: WorkoutSplit.Length = .kilometer) async throws
        -> WorkoutSplits?
    {
        let (origin, pieces) = try await pieces(of: workout)
        let total = WorkoutSummary(workout).meters ?? 0
        let distance = pieces.reduce(0) { $0 + $1.meters }
        guard !pieces.isEmpty, distance >= 0.75 * total, distance / length.meters <= Double(WorkoutSplits.maximumCount)
        else { return nil }
        let (pauses, rates) = (PausedTime.pauses(of: workout), try await heartRates(of: workout))
        func splits(of pieces: [DistancePiece], from start: Date, to end: Date) -> WorkoutSplits {
            WorkoutSplits(
                length: length, origin: origin, pieces: pieces, from: start, to: end, pauses: pauses, heartRates: rates)
        }
        guard !workout.legs.isEmpty else { return splits(of: pieces, from: workout.startDate, to: workout.endDate) }
        // Each leg begins at 0.
        return WorkoutSplits(
            length: length, origin: origin,
            legs: workout.legs.map { leg in
                let end = leg.endDate ?? workout.endDate
                let own = pieces.compactMap { $0.clipped(from: leg.startDate, to: end) }
                return (leg.sport, splits(of: own, from: leg.startDate, to: end))
            })
    }

    /// The distances of a workout, in ascending order: of its samples, or of its route if that is nearer to the total.
    func pieces(of workout: HKWorkout) async throws -> (origin: WorkoutSplits.Origin, pieces: [DistancePiece]) {
        let samples = try await distances(of: workout)
        let measured = samples.reduce(0) { $0 + $1.meters }
        let total = WorkoutSummary(workout).meters ?? 0
        guard samples.isEmpty || abs(measured - total) > 0.1 * total else { return (.distanceSamples, samples) }
        let route = try await route(of: workout)
        let length = route.reduce(0) { $0 + $1.meters }
        return samples.isEmpty || (total > 0 && abs(length - total) < abs(measured - total))
            ? (.route, route) : (.distanceSamples, samples)
    }

    private func distances(of workout: HKWorkout) async throws -> [DistancePiece] {
        func distances(_ type: HKQuantityTypeIdentifier, from start: Date, to end: Date) async throws -> [DistancePiece]
        {
            DistancePiece.ordered(
                try await quantities(HKQuantityType(type), of: workout, unit: .meter()).compactMap {
                    DistancePiece(start: $0.start, end: $0.end, meters: $0.value).clipped(from: start, to: end)
                })
        }
        var found: [DistancePiece] = []
        for leg in workout.legs {
            found += try await distances(
                leg.sport.distanceTypes[0], from: leg.startDate, to: leg.endDate ?? workout.endDate)
        }
        for type in workout.workoutActivityType.distanceTypes where found.isEmpty {
            found = try await distances(type, from: workout.startDate, to: workout.endDate)
        }
        return DistancePiece.ordered(found)
    }

    private func route(of workout: HKWorkout) async throws -> [DistancePiece] {
        let pauses = PausedTime.pauses(of: workout)
        var pieces: [DistancePiece] = []
        for route in try await locations(of: workout) {
            var last: CLLocation?
            for location in route where (0...50).contains(location.horizontalAccuracy) {
                defer { last = location }
                guard let last, location.timestamp > last.timestamp else { continue }
                let (start, end) = (
                    last.timestamp.timeIntervalSinceReferenceDate, location.timestamp.timeIntervalSinceReferenceDate
                )
                // Who walks about in a pause covers no distance of the workout.
                guard pauses.length(from: start, to: end) < (end - start) / 2 else { continue }
                pieces.append(DistancePiece(start: start, end: end, meters: location.distance(from: last)))
            }
        }
        return DistancePiece.ordered(pieces)
    }

    /// The locations of each route of a workout.
    func locations(of workout: HKWorkout) async throws -> [[CLLocation]] {
        let routes = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        var found: [[CLLocation]] = []
        for route in routes {
            var locations: [CLLocation] = []
            for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
                locations.append(location)
            }
            found.append(locations)
        }
        return found
    }

    // MARK: Samples

    /// Returns the heart rates of a workout that ``summary(of:)`` and the zones are calculated from, in ascending order. Of
    /// more than `maximum` samples, those of each minute are combined, or of several.
    ///
    /// - Throws: `HKError` if reading fails.
    package func heartRateCurve(of workout: HKWorkout, maximum: Int = 1_000) async throws -> [WorkoutPoint] {
        WorkoutPoint.curve(of: try await heartRates(of: workout), maximum: maximum)
    }

    func heartRates(of workout: HKWorkout) async throws -> [MeasuredPoint] {
        try await quantities(HKQuantityType(.heartRate), of: workout, unit: .beatsPerMinute)
    }

    /// The quantities of a workout's own samples; if it has none, those of its time from one source: the workout's,
    /// else the one with the most samples.
    func quantities(
        _ type: HKQuantityType, of workout: HKWorkout, unit: HKUnit
    ) async throws -> [MeasuredPoint] {
        let own = try await quantities(type, HKQuery.predicateForObjects(from: workout))
        let found =
            own.isEmpty
            ? try await quantities(
                type, HKQuery.predicateForSamples(withStart: workout.startDate, end: workout.endDate)) : own
        let bySource = Dictionary(grouping: found) { $0.sample?.sourceRevision.source }
        let source = workout.sourceRevision.source
        let chosen =
            bySource[source]
            ?? bySource.max { ($0.value.count, $1.key?.name ?? "") < ($1.value.count, $0.key?.name ?? "") }?.value
        return (chosen ?? []).map {
            MeasuredPoint(
                start: $0.dateInterval.start.timeIntervalSinceReferenceDate,
                end: $0.dateInterval.end.timeIntervalSinceReferenceDate, value: $0.quantity.doubleValue(for: unit))
        }
    }

    private func quantities(
        _ type: HKQuantityType, _ predicate: NSPredicate
    ) async throws -> [HKQuantitySeriesSampleQueryDescriptor.Result] {
        var found: [HKQuantitySeriesSampleQueryDescriptor.Result] = []
        let descriptor = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: predicate), options: .includeSample)
        for try await result in descriptor.results(for: store) { found.append(result) }
        return found
    }
}
