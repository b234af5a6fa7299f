import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage

/// Reads workouts with their routes and the measurements of their time. What the caller may not read is missing.
struct WorkoutTrackReader {
    let reading: StoreReader
    private let types: [String: TypeDescription]
    private let series: [TypeCode: Set<Int64>]

    static let workout = "HKWorkoutTypeIdentifier"
    static let route = "HKWorkoutRouteTypeIdentifier"

    private static let powers = [MeasuredType.cyclingPower, .runningPower]
    private static let dynamics: [(type: MeasuredType, unit: String, field: UInt8)] = [
        (.strideLength, "mm", FITField.Record.stepLength), (.groundContact, "ms", FITField.Record.stanceTime),
        (.oscillation, "mm", FITField.Record.verticalOscillation),
    ]
    /// Seconds after its end for which a heart rate holds, as for the time in heart rate zones.
    private static let holdOfHeartRates = 60.0
    /// The same for cadence and power, which sensors measure every second or two.
    private static let holdOfSensors = 10.0
    /// Steps of more seconds have no cadence.
    private static let longestSteps = 60.0
    /// Walking, running and hiking.
    private static let onFoot: Set<UInt> = [24, 37, 52]

    init(_ reading: StoreReader) throws {
        self.reading = reading
        let measured =
            [MeasuredType.heartRate, .steps, .cyclingCadence, .strokes] + Self.powers + MeasuredType.speedTypes
            + Self.dynamics.map(\.type)
        let names = Set(measured.map(\.identifier) + WorkoutBody.distanceTypes + [Self.workout, Self.route])
        let found = try reading.types().filter { names.contains($0.identifier) }
        types = Dictionary(found.map { ($0.identifier, $0) }) { first, _ in first }
        series = try Dictionary(
            uniqueKeysWithValues: found.filter { $0.kind.isPaged }.map { type in
                (type.code, try reading.seriesSequences(of: type.code))
            })
    }

    /// The workouts that the caller may read, in ascending order.
    func workouts() throws -> [ObjectOutline] {
        try types[Self.workout].map { try reading.objects(of: $0.code) } ?? []
    }

    /// The routes without a workout, in ascending order.
    func routesAlone() throws -> [ObjectOutline] {
        guard let type = types[Self.route] else { return [] }
        return try reading.objects(of: type.code).filter { route in
            try !reading.owners(of: route.sequence).contains { $0.type == types[Self.workout]?.code }
        }
    }

    /// A workout, or a route without one, with its locations and measurements.
    func track(of outline: ObjectOutline) throws -> WorkoutTrack? {
        guard let object = try reading.object(outline.sequence) else { return nil }
        let members = try reading.members(of: outline.sequence)
        switch object.body {
        case .workout(let workout):
            var track = WorkoutTrack(start: object.start, end: object.end, workout: workout)
            let routes = members.filter { $0.type == types[Self.route]?.code }.map(\.sequence)
            let objects = try routes.compactMap { try reading.object($0) }.sorted { $0.start < $1.start }
            let documents = objects.compactMap { if case .document(let document) = $0.body { document } else { nil } }
            for document in documents { track.add(document) }
            let own = Set(members.map(\.type))
            try measure(&track, Measurements(of: object, members: own, in: self))
            (track.revision, track.device, track.metadata) = (object.revision, object.device, object.metadata)
            for part in Self.legs(of: workout, until: object.end) {
                var leg = WorkoutTrack(start: part.start, end: part.end ?? object.end, workout: WorkoutBody(part))
                leg.metadata = part.metadata
                for document in documents { leg.add(document, isPart: true) }
                try measure(
                    &leg, Measurements(of: object, members: own, in: self, time: leg.start...max(leg.start, leg.end)))
                track.legs.append(leg)
            }
            return track
        case .document(let document):
            var track = WorkoutTrack(start: object.start, end: object.end, workout: nil)
            track.add(document)
            try measure(&track, Measurements(of: object, members: [], in: self))
            return track
        default: return nil
        }
    }

    /// The activities of a multisport workout, in the order of their time; none if they aren’t whole, or of sports of
    /// which a reader would make several workouts. Devices write starts in whole seconds and durations exactly, so an
    /// activity may end a moment after the next one begins.
    private static func legs(of workout: WorkoutBody, until end: Double) -> [WorkoutBody.Activity] {
        guard workout.isMultisport, workout.activities.count > 1 else { return [] }
        let legs = workout.namedActivities.sorted { $0.start < $1.start }
        let isWhole = zip(legs, legs.dropFirst()).allSatisfy {
            $0.end.map { [next = $1.start] in $0 <= next + 1 } ?? false
        }
        return isWhole && WorkoutBody.isMultisport(Set(legs.map(\.activityType))) ? legs : []
    }

    private func measure(_ track: inout WorkoutTrack, _ measurements: Measurements) throws {
        func held(_ type: MeasuredType, _ unit: String? = nil, for hold: Double = Self.holdOfSensors) throws
            -> PiecewiseConstantSeries
        {
            PiecewiseConstantSeries(try measurements.quantities(type.identifier, unit ?? type.unit), hold: hold)
        }
        track.heartRates = try held(.heartRate, for: Self.holdOfHeartRates)
        track.cadences = try held(.cyclingCadence)
        if track.cadences.isEmpty, Self.onFoot.contains(track.workout?.activityType ?? 0) {
            // The steps of two feet, over the time in which they were counted.
            let steps = try measurements.quantities(MeasuredType.steps.identifier, "count")
                .filter { $0.end > $0.start && $0.end - $0.start <= Self.longestSteps }
            track.cadences = PiecewiseConstantSeries(
                steps.map { ($0.start, $0.end, $0.value * 30 / ($0.end - $0.start)) })
        }
        for type in Self.powers where track.powers.isEmpty { track.powers = try held(type) }
        track.distances = PiecewiseConstantSeries(try distances(of: track, measurements))
        if let speed = MeasuredType.speed(of: track.workout?.activityType ?? 0) { track.speeds = try held(speed) }
        track.strokes = PiecewiseConstantSeries(try measurements.amounts(MeasuredType.strokes.identifier, "count"))
        for (type, unit, field) in Self.dynamics {
            let quantities = try held(type, unit)
            if !quantities.isEmpty { track.dynamics[field] = quantities }
        }
    }

    /// The distances of a workout’s types. Another type counts only if its samples are the workout’s own: a phone counts
    /// the meters on foot, too, while somebody rides or lifts weights.
    private func distances(
        of track: WorkoutTrack, _ measurements: Measurements
    ) throws -> [(start: Double, end: Double, value: Double)] {
        let types = track.distanceTypes
        let others = WorkoutBody.distanceTypes.filter { type in
            !types.contains(type) && (track.workout == nil || measurements.areOwn(type))
        }
        var distances: [(start: Double, end: Double, value: Double)] = []
        for type in types + others where track.workout?.isMultisport ?? false || distances.isEmpty {
            distances += try measurements.amounts(type, "m")
        }
        return distances
    }

    /// The quantities of a workout's own samples; if it has none, those of its time from one source: the workout's, else
    /// the one with the most.
    private struct Measurements {
        let object: ObjectRecord
        let members: Set<TypeCode>
        let reader: WorkoutTrackReader
        let time: ClosedRange<Double>

        /// - Parameter time: The part of the workout, if it isn’t all of it.
        init(
            of object: ObjectRecord, members: Set<TypeCode>, in reader: WorkoutTrackReader,
            time: ClosedRange<Double>? = nil
        ) {
            (self.object, self.members, self.reader) = (object, members, reader)
            self.time = time ?? object.start...max(object.start, object.end)
        }

        /// Whether the workout has samples of its own of a type.
        func areOwn(_ identifier: String) -> Bool {
            reader.types[identifier].map { members.contains($0.code) } ?? false
        }

        /// Quantities that add up, each with its share of the time.
        func amounts(_ identifier: String, _ unit: String) throws -> [(start: Double, end: Double, value: Double)] {
            try quantities(identifier, unit).compactMap { start, end, value in
                guard end > start else { return (start, end, value) }
                let (first, last) = (max(start, time.lowerBound.microseconds), min(end, time.upperBound.microseconds))
                return last > first ? (first, last, value * ((last - first) / (end - start))) : nil
            }
        }

        func quantities(_ identifier: String, _ unit: String) throws -> [(start: Double, end: Double, value: Double)] {
            guard let type = reader.types[identifier] else { return [] }
            let reading = reader.reading
            let uuid = object.uuid ?? reading.identities.uuid(for: object.sequence)
            let filter: SampleFilter =
                members.contains(type.code)
                ? .memberOf(uuid)
                : .and([.start(.lessThanOrEqual, time.upperBound), .end(.greaterThanOrEqual, time.lowerBound)])
            let part = SampleRequest.Part(type: type.code, filter: filter)
            let rows = try reading.samples(SampleRequest(parts: [part], columns: .all)).batches
            var bySource: [SourceRecord?: [(start: Double, end: Double, value: Double)]] = [:]
            for batch in rows {
                for row in 0..<batch.count {
                    let source = reading.dictionaries.revision(batch.revisions[row])?.source
                    let written = reading.dictionaries.unit(batch.units.isEmpty ? 0 : batch.units[row])
                    guard let conversion = UnitConversion(between: written, and: unit) else { continue }
                    var quantities = QuantitySeries(
                        starts: [batch.starts[row]], ends: [batch.ends[row]], values: [batch.values[row]])
                    if reader.series[type.code, default: []].contains(batch.sequences[row]) {
                        let place = StoredIdentity(type: type.code, sequence: batch.sequences[row])
                        quantities = try reading.quantitySeries(of: place) ?? quantities
                    }
                    for index in 0..<quantities.count
                    where quantities.ends[index] >= time.lowerBound && quantities.starts[index] <= time.upperBound {
                        bySource[source, default: []].append(
                            (
                                quantities.starts[index].microseconds, quantities.ends[index].microseconds,
                                conversion(quantities.values[index])
                            ))
                    }
                }
            }
            if let own = object.revision?.source, let found = bySource[own] { return found }
            return bySource.max {
                ($0.value.count, $1.key?.bundleIdentifier ?? "") < ($1.value.count, $0.key?.bundleIdentifier ?? "")
            }?.value ?? []
        }
    }
}

extension WorkoutBody {
    /// An activity of a multisport workout as a separate workout.
    fileprivate init(_ activity: Activity) {
        self.init(activityType: activity.activityType, duration: activity.duration, activities: [activity])
        (events, statistics) = (activity.events, activity.statistics)
    }
}
