import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// A workout of Samsung Health: its row in a table, to which documents with places and heart rates belong.
struct SamsungExercise {
    let identity: String
    private let track: RecordedTrack

    /// The source of workouts' own series: what is counted all day includes their steps.
    private static let origin = SampleOrigin("samsung.exercise", "Samsung Health")
    /// The names of activities by their numbers, which the mapping of the table has.
    private static let names: [String: String] =
        SamsungReader.mappings.lazy.flatMap(\.samples).compactMap {
            if case .workout(let workout) = $0.kind { workout.names } else { nil }
        }.first ?? [:]

    /// `nil` for a row without an identity or times.
    init?(_ row: [String: String]) {
        let clock = LocalClock(timeZone: .gmt)
        func number(_ name: String) -> Double? {
            row[name].flatMap { Double($0) }.flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
        }
        func date(_ name: String) -> Double? {
            row[name].flatMap { clock.instant(of: $0) ?? ColumnTimeFormat.unix(perSecond: 1e3).parse($0, clock) }
        }
        guard let identity = row["datauuid"], !identity.isEmpty, let start = date("start_time"),
            let end = date("end_time"), end > start
        else { return nil }
        self.identity = identity.lowercased()
        var track = SportNames.track(called: Self.names[row["exercise_type"] ?? ""] ?? "")
        track.laps = [
            RecordedTrack.Lap(
                start: start, duration: number("duration").map { $0 / 1_000 } ?? end - start,
                distance: number("distance"),
                calories: number("calorie"), averageHeartRate: number("mean_heart_rate"),
                maximumHeartRate: number("max_heart_rate"))
        ]
        self.track = track
    }

    /// Reads the documents: lists of objects with the time in milliseconds.
    ///
    /// - Throws: ``FileReadingError``.
    func read(_ documents: [[UInt8]]) throws -> FileContent {
        var track = track
        var points: [Double: RecordedTrack.Point] = [:]
        for bytes in documents {
            guard let elements = JSONValue(bytes, isLenient: true)?.elements else {
                throw FileReadingError("it isn’t a list of Samsung Health’s in JSON")
            }
            for element in elements {
                guard let time = element["start_time"]?.number, (0..<1e13).contains(time) else { continue }
                let date = time / 1_000 - Date.timeIntervalBetween1970AndReferenceDate
                for (name, field) in Self.fields {
                    guard let value = element[name]?.number, abs(value) < 1e9 else { continue }
                    points[date, default: .init(date: date)][keyPath: field] = value
                }
            }
        }
        for (_, point) in points.sorted(by: { $0.key < $1.key }) { track.append(point) }
        track.finish()
        var content = FileContent()
        for workout in TrackWorkout.workouts([track], Self.origin, brand: "Samsung") { workout.add(to: &content) }
        return content
    }

    private static let fields: [(String, any WritableKeyPath<RecordedTrack.Point, Double?> & Sendable)] = [
        ("heart_rate", \.heartRate), ("latitude", \.latitude), ("longitude", \.longitude), ("altitude", \.altitude),
    ]
}
