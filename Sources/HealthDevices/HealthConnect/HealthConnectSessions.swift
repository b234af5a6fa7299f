import Foundation
import HealthEngine
import HealthFiles
import HealthModel

/// The exercise sessions of Health Connect with their laps, segments and routes, and with sums of what the same
/// application recorded meanwhile.
struct HealthConnectSessions {
    private struct Session {
        let start: Double
        let end: Double
        let activity: UInt
        let isIndoor: Bool
        let type: Int64
        let application: Int64?
        let device: Int64?
        let zoneOffset: Int64?
        let isManual: Bool
        let title: String?
        /// The identity of one that ``HealthConnectWriter`` has written.
        let own: UUID?
        var events: [WorkoutBody.Event] = []
        var points: [[Double]] = []
        /// The sums by type and device.
        var sums: [MeasuredType: [Int64?: Double]] = [:]
        var rates = (count: 0, sum: 0.0, minimum: Double.infinity, maximum: 0.0)

        /// The type of distances: that on foot in a sport without one of its own.
        var distanceType: MeasuredType { MeasuredType.distance(of: activity) ?? .distanceOnFoot }

        /// The sum that the session's own device has recorded, else the largest one: several count the same.
        func sum(_ type: MeasuredType) -> Double? { sums[type].flatMap { $0[device] ?? $0.values.max() } }
    }

    private static let table = "exercise_session_record_table"
    /// In order of their beginning.
    private var sessions: [Session] = []
    private var longest = 0.0

    init() {}

    init(_ database: UntrustedDatabase, _ tables: [String: Set<String>]) throws {
        let columns = tables[Self.table] ?? []
        guard columns.isSuperset(of: ["row_id", "start_time", "end_time", "exercise_type", "app_info_id"]) else {
            return
        }
        func optional(_ name: String) -> String { columns.contains(name) ? name : "NULL" }
        var places: [Int64: Session] = [:]
        try database.rows(
            of: Self.table,
            """
            SELECT row_id, start_time, end_time, exercise_type, app_info_id, \(optional("device_info_id")),
            \(optional("start_zone_offset")), \(optional("recording_method")), \(optional("uuid")),
            \(optional("client_record_id")), \(optional("title")) FROM \(Self.table)
            """
        ) { row in
            guard let number = row.integer(0), let start = HealthConnectReader.date(row.number(1)),
                let end = HealthConnectReader.date(row.number(2)), end > start
            else { return }
            let type = row.integer(3) ?? 0
            let (activity, isIndoor) = HealthConnectTable.activity(type)
            places[number] = Session(
                start: start, end: end, activity: activity, isIndoor: isIndoor, type: type, application: row.integer(4),
                device: row.integer(5), zoneOffset: row.integer(6), isManual: row.integer(7) == 3,
                title: row.text(10).flatMap { $0.isEmpty ? nil : $0 },
                own: HealthConnectReader.own(row.uuid(8), row.text(9)).0)
        }
        func events(_ table: String, _ prefix: String, _ type: Int) throws {
            let names = ["parent_key", "\(prefix)_start_time", "\(prefix)_end_time"]
            guard tables[table]?.isSuperset(of: names) ?? false else { return }
            let kind = tables[table]?.contains("segment_type") ?? false ? "segment_type" : "0"
            try database.rows(of: table, "SELECT \(names.joined(separator: ", ")), \(kind) FROM \(table)") { row in
                guard let number = row.integer(0), let start = HealthConnectReader.date(row.number(1)),
                    let end = HealthConnectReader.date(row.number(2)), end >= start
                else { return }
                // A segment that is a pause.
                if row.integer(3) == HealthConnectTable.pause {
                    places[number]?.events += [
                        .init(type: 1, start: start, end: start), .init(type: 2, start: end, end: end),
                    ]
                } else {
                    places[number]?.events.append(.init(type: type, start: start, end: end))
                }
            }
        }
        try events("exercise_laps_table", "lap", 3)
        try events("exercise_segments_table", "segment", 7)
        let route = ["parent_key", "timestamp_millis", "latitude", "longitude"]
        if let columns = tables["exercise_route_table"], columns.isSuperset(of: route) {
            let more = ["altitude", "horizontal_accuracy", "vertical_accuracy"].map {
                columns.contains($0) ? $0 : "NULL"
            }
            let list = (route + more).joined(separator: ", ")
            try database.rows(of: "exercise_route_table", "SELECT \(list) FROM exercise_route_table") { row in
                guard let number = row.integer(0), let date = HealthConnectReader.date(row.number(1)),
                    let latitude = row.number(2), let longitude = row.number(3), abs(latitude) <= 90,
                    abs(longitude) <= 180
                else { return }
                let altitude = row.number(4)
                places[number]?.points.append([
                    date, latitude, longitude, altitude ?? 0, row.number(5) ?? 0,
                    altitude == nil ? -1 : row.number(6) ?? 0,
                ])
            }
        }
        sessions = places.values.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        longest = sessions.reduce(0) { max($0, $1.end - $1.start) }
    }

    /// The sessions of an application in which most of a period lies: records begin and end at full minutes, sessions
    /// don't.
    private func places(from start: Double, to end: Double, _ application: Int64?) -> [Int] {
        let first = sessions.partitionPoint { $0.start < start - longest }
        return sessions.indices[first...].prefix { sessions[$0].start <= end }.filter { place in
            let shared = min(sessions[place].end, end) - max(sessions[place].start, start)
            return shared >= (end - start) / 2 && sessions[place].application == application
        }
    }

    /// The activity that an application recorded at a moment.
    func activity(at date: Double, _ application: Int64?) -> UInt? {
        places(from: date, to: date, application).first.map { sessions[$0].activity }
    }

    /// The type of a distance that an application recorded.
    func distance(from start: Double, to end: Double, _ application: Int64?) -> MeasuredType {
        places(from: start, to: end, application).first.map { sessions[$0].distanceType } ?? .distanceOnFoot
    }

    /// Whether sessions have sums of a type.
    private static func isSummed(_ type: MeasuredType) -> Bool {
        type == .steps || type == .activeEnergy || distances.contains(type)
    }

    private static let distances = MeasuredType.distanceTypes

    /// Takes a sample into account that may belong to a session.
    mutating func add(
        _ type: MeasuredType, _ value: Double, _ start: Double, _ end: Double, _ application: Int64?, _ device: Int64?
    ) {
        guard type == .heartRate || Self.isSummed(type) else { return }
        for place in places(from: start, to: end, application) {
            guard type == .heartRate else {
                sessions[place].sums[type, default: [:]][device, default: 0] += value
                continue
            }
            let rates = sessions[place].rates
            sessions[place].rates = (
                rates.count + 1, rates.sum + value, min(rates.minimum, value), max(rates.maximum, value)
            )
        }
    }

    /// The workouts with their routes.
    func objects(_ samples: (Int64?, Int64?, Bool) -> SampleOrigin) -> [(ObjectRecord, parts: [ObjectRecord])] {
        sessions.map { session in
            let samples = samples(session.application, session.device, session.own != nil)
            return (Self.workout(session, samples), [Self.route(session, samples)].compactMap(\.self))
        }
    }

    private static func workout(_ session: Session, _ samples: SampleOrigin) -> ObjectRecord {
        let events = session.events.sorted { ($0.start, $0.type) < ($1.start, $1.type) }
        var body = WorkoutBody(activityType: session.activity, duration: session.end - session.start, events: events)
        let paused = body.pauses(until: session.end).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        body.duration = max(0, body.duration - paused)
        let (distance, energy) = (session.sum(session.distanceType), session.sum(.activeEnergy))
        let rates = session.rates
        body.statistics = [
            MeasuredType.activeEnergy.statistics(session.start, session.end, sum: energy),
            MeasuredType.distance(of: session.activity)?.statistics(session.start, session.end, sum: distance),
            MeasuredType.steps.statistics(session.start, session.end, sum: session.sum(.steps)),
            rates.count == 0
                ? nil
                : MeasuredType.heartRate.statistics(
                    session.start, session.end, average: rates.sum / Double(rates.count), minimum: rates.minimum,
                    maximum: rates.maximum),
        ].compactMap(\.self)
        body.totalDistance = distance.map { QuantityRecord($0, unit: "m") }
        body.totalEnergyBurned = energy.map { QuantityRecord($0, unit: "kcal") }
        var metadata = Metadata()
        metadata.set(WorkoutCorrection.titleKey, session.title.map { .string($0) })
        if session.isIndoor { metadata.set("HKIndoorWorkout", .bool(true)) }
        if session.type == HealthConnectTable.pool { metadata.set("HKSwimmingLocationType", .integer(1)) }
        if session.type == HealthConnectTable.openWater { metadata.set("HKSwimmingLocationType", .integer(2)) }
        if session.isManual { metadata.set(MetadataKey.wasUserEntered, .bool(true)) }
        // Offsets are in seconds.
        if let offset = session.zoneOffset, (-54_000...54_000).contains(offset),
            let zone = TimeZone(secondsFromGMT: Int(offset))
        {
            metadata.entries.append(.init(key: MetadataKey.timeZone, value: .string(zone.identifier)))
        }
        var workout = samples.object(
            "HKWorkoutTypeIdentifier", session.start, session.end, metadata: metadata, .workout(body))
        workout.uuid = session.own
        return workout
    }

    private static func route(_ session: Session, _ samples: SampleOrigin) -> ObjectRecord? {
        let points = session.points.sorted { $0[0] < $1[0] }
        guard !session.isIndoor else { return nil }
        func column(_ place: Int) -> [Double] { points.map { $0[place] } }
        return samples.route([
            .timestamps: column(0), .latitudes: column(1), .longitudes: column(2), .altitudes: column(3),
            .horizontalAccuracies: column(4), .verticalAccuracies: column(5),
        ])
    }
}
