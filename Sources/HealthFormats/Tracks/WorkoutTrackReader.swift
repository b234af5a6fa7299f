import HealthEngine
import HealthModel
import HealthStorage

/// Reads workouts with their routes and the measurements of their time. What the caller may not read is missing.
struct WorkoutTrackReader {
    let reading: StoreReader
    private let types: [String: TypeDescription]
    private let series: [TypeCode: Set<Int64>]

    static let workout = "HKWorkoutTypeIdentifier"
    static let route = "HKWorkoutRouteTypeIdentifier"

    private static let heartRate = "HeartRate"
    private static let steps = "StepCount"
    private static let cyclingCadence = "CyclingCadence"
    private static let powers = ["CyclingPower", "RunningPower"]
    /// The types whose quantities are the distance of a workout.
    static let distances = [
        "WalkingRunning", "Cycling", "Swimming", "Wheelchair", "DownhillSnowSports", "CrossCountrySkiing",
        "PaddleSports", "Rowing", "SkatingSports",
    ].map { "Distance" + $0 }
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
        let measured = [Self.heartRate, Self.steps, Self.cyclingCadence] + Self.powers + Self.distances
        let names = Set(measured.map { "HKQuantityTypeIdentifier" + $0 } + [Self.workout, Self.route])
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
            let documents = try routes.compactMap { try reading.object($0) }.sorted { $0.start < $1.start }
            for route in documents {
                if case .document(let document) = route.body { track.add(document) }
            }
            try measure(&track, Measurements(of: object, members: Set(members.map(\.type)), in: self))
            return track
        case .document(let document):
            var track = WorkoutTrack(start: object.start, end: object.end, workout: nil)
            track.add(document)
            try measure(&track, Measurements(of: object, members: [], in: self))
            return track
        default: return nil
        }
    }

    private func measure(_ track: inout WorkoutTrack, _ measurements: Measurements) throws {
        func held(_ name: String, _ unit: String, for hold: Double = Self.holdOfSensors) throws -> HeldQuantities {
            HeldQuantities(try measurements.quantities(name, unit), hold: hold)
        }
        track.heartRates = try held(Self.heartRate, "count/min", for: Self.holdOfHeartRates)
        track.cadences = try held(Self.cyclingCadence, "count/min")
        if track.cadences.isEmpty, Self.onFoot.contains(track.workout?.activityType ?? 0) {
            // The steps of two feet, over the time in which they were counted.
            let steps = try measurements.quantities(Self.steps, "count")
                .filter { $0.end > $0.start && $0.end - $0.start <= Self.longestSteps }
            track.cadences = HeldQuantities(steps.map { ($0.start, $0.end, $0.value * 30 / ($0.end - $0.start)) })
        }
        for name in Self.powers where track.powers.isEmpty { track.powers = try held(name, "W") }
        // A phone counts the meters on foot, too, while somebody rides.
        let own = track.workout?.statistics.map(\.type) ?? []
        let distances = Self.distances.filter { own.contains("HKQuantityTypeIdentifier" + $0) } + Self.distances
        for name in distances where track.distances.isEmpty {
            track.distances = HeldQuantities(try measurements.quantities(name, "m"))
        }
    }

    /// The quantities of a workout's own samples; if it has none, those of its time from one source: the workout's, else
    /// the one with the most.
    private struct Measurements {
        let object: ObjectRecord
        let members: Set<TypeCode>
        let reader: WorkoutTrackReader

        init(of object: ObjectRecord, members: Set<TypeCode>, in reader: WorkoutTrackReader) {
            (self.object, self.members, self.reader) = (object, members, reader)
        }

        func quantities(_ name: String, _ unit: String) throws -> [(start: Double, end: Double, value: Double)] {
            guard let type = reader.types["HKQuantityTypeIdentifier" + name] else { return [] }
            let (reading, time) = (reader.reading, object.start...max(object.start, object.end))
            let uuid = reading.identities.identity(of: object)
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
