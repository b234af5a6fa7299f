import CSQLite
import CoreLocation
import Foundation
import HealthKit

/// A workout of one hour, with a pulse and a place every second and its figures, as a workout builder saves it,
/// against saving the same samples alone and putting as many bytes as the route takes into a row.
///
/// Both sides commit twice: samples first, then the workout with its route or the row. The objects are made
/// before the clock runs.
enum WorkoutMeasurement {
    private static let seconds = 3_600
    private static let pairs = 30

    /// What is saved in one turn.
    private struct Hour {
        var start: Date
        var pulses: [HKQuantitySample]
        var places: [CLLocation]
    }

    static func run(_ setting: Setting) async throws -> Measurement {
        let bytes = try await routeBytes(setting)
        let workouts = try setting.freshStore("workouts.store")
        let samples = try setting.freshStore("samples.store")
        let rows = try RowDatabase(path: setting.freshStore("routes.sqlite").path)
        try rows.run("CREATE TABLE route (id INTEGER PRIMARY KEY, points BLOB NOT NULL)")
        let insertion = try rows.prepare("INSERT INTO route (points) VALUES (?)")
        let (ours, other) = (store(workouts), store(samples))
        let count = setting.pairs(pairs)
        // The first of each is the one that does not count.
        var hours = (0...count).map { hour($0) }
        var rest = hours
        hours.reverse()
        rest.reverse()
        let comparison = try await Comparison.run(pairs: count) {
            guard let hour = hours.popLast() else { throw BenchError("There are too few hours") }
            try await save(hour, in: ours)
        } other: {
            guard let hour = rest.popLast() else { throw BenchError("There are too few hours") }
            try await other.save(hour.pulses)
            bytes.withUnsafeBytes { bytes in
                _ = sqlite3_bind_blob(insertion.handle, 1, bytes.baseAddress, Int32(bytes.count), nil)
            }
            _ = try insertion.step()
            insertion.reset()
        }
        return Measurement(
            lines: [
                Line(
                    "save a workout of 3,600 pulses and places : the samples, and the route's bytes", comparison,
                    target: .atMost(1.5))
            ],
            notes: ["A route of 3,600 places takes \(bytes.count) bytes."])
    }

    private static func store(_ url: URL) -> HKHealthStore {
        HKHealthStore(configuration: .init(location: .file(url), authorization: .allowAll))
    }

    private static func save(_ hour: Hour, in store: HKHealthStore) async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: hour.start)
        try await builder.addSamples(hour.pulses)
        let route = builder.seriesBuilder(for: HKSeriesType.workoutRoute()) as? HKWorkoutRouteBuilder
        try await route?.insertRouteData(hour.places)
        try await builder.endCollection(at: hour.start + Double(seconds))
        let workout = try await builder.finishWorkout()
        guard workout?.statistics(for: HKQuantityType(.heartRate))?.averageQuantity() != nil else {
            throw BenchError("The workout has no figures")
        }
    }

    /// As many bytes as the store keeps of a route.
    private static func routeBytes(_ setting: Setting) async throws -> [UInt8] {
        let url = try setting.freshStore("route.store")
        try await save(hour(0), in: store(url))
        let database = try RowDatabase(path: url.path)
        let length = try database.prepare("SELECT max(length(payload)) FROM object")
        guard try length.step() else { throw BenchError("There is no route") }
        var chance = Chance(state: 1)
        return (0..<Int(sqlite3_column_int64(length.handle, 0))).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
    }

    /// An hour of running, each two hours after the one before.
    private static func hour(_ number: Int) -> Hour {
        var chance = Chance(state: UInt64(number) + 1)
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number) * 7_200)
        let (type, unit) = (HKQuantityType(.heartRate), HKUnit.count().unitDivided(by: .minute()))
        let pulses = (0..<seconds).map { second in
            let instant = start + Double(second)
            let rate = 120 + Double(second % 600) / 20 + Double(chance.below(5))
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: rate.rounded()), start: instant, end: instant)
        }
        // Three metres a second, as a receiver tells them: with its error, in degrees of many digits.
        let places = (0..<seconds).map { second in
            let error = Double(chance.below(1_000)) / 1e9
            return CLLocation(
                coordinate: CLLocationCoordinate2D(
                    latitude: 52.5 + Double(second) * 2.7e-5 + error, longitude: 13.4 + sin(Double(second) / 300) / 500 + error),
                altitude: 34 + Double(chance.below(100)) / 100, horizontalAccuracy: 4, verticalAccuracy: 6, course: 12,
                speed: 2.8 + Double(chance.below(50)) / 100, timestamp: start + Double(second))
        }
        return Hour(start: start, pulses: pulses, places: places)
    }
}
