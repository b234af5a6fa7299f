import CSQLite
import CoreLocation
import Foundation
import HealthKit

/// Saving a workout of one hour with a workout builder, with a heart rate and a location every second and its
/// statistics, compared with saving the same samples and inserting a row of the size of the route.
///
/// Both sides commit twice: first the samples, then the workout with its route, or the row. The objects are created
/// before the measurement.
enum WorkoutMeasurement {
    private static let seconds = 3_600
    private static let pairs = 30

    /// The content of one workout.
    private struct Hour {
        var start: Date
        var heartRates: [HKQuantitySample]
        var locations: [CLLocation]
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
        // Includes one for the run that is not counted.
        var hours = (0...count).map { hour($0) }
        var rest = hours
        hours.reverse()
        rest.reverse()
        let comparison = try await Comparison.run(pairs: count) {
            guard let hour = hours.popLast() else { throw BenchError("There are too few workouts to save") }
            try await save(hour, in: ours)
        } other: {
            guard let hour = rest.popLast() else { throw BenchError("There are too few workouts to save") }
            try await other.save(hour.heartRates)
            bytes.withUnsafeBytes { bytes in
                _ = sqlite3_bind_blob(insertion.handle, 1, bytes.baseAddress, Int32(bytes.count), nil)
            }
            _ = try insertion.step()
            insertion.reset()
        }
        return Measurement(
            lines: [
                Line(
                    "save a workout of 3,600 heart rates and locations : the samples and the route's bytes", comparison,
                    target: .atMost(1.3))
            ],
            notes: ["A route of 3,600 locations takes \(bytes.count) bytes."])
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
        try await builder.addSamples(hour.heartRates)
        let route = builder.seriesBuilder(for: HKSeriesType.workoutRoute()) as? HKWorkoutRouteBuilder
        try await route?.insertRouteData(hour.locations)
        try await builder.endCollection(at: hour.start + Double(seconds))
        let workout = try await builder.finishWorkout()
        guard workout?.statistics(for: HKQuantityType(.heartRate))?.averageQuantity() != nil else {
            throw BenchError("The workout has no statistics")
        }
    }

    /// Returns random bytes of the size that a route takes in the store.
    private static func routeBytes(_ setting: Setting) async throws -> [UInt8] {
        let url = try setting.freshStore("route.store")
        try await save(hour(0), in: store(url))
        let database = try RowDatabase(path: url.path)
        let length = try database.prepare("SELECT max(length(payload)) FROM object")
        guard try length.step() else { throw BenchError("There is no route") }
        var random = SplitMix(state: 1)
        return (0..<Int(sqlite3_column_int64(length.handle, 0))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Returns the content of a workout; workouts start two hours apart.
    private static func hour(_ number: Int) -> Hour {
        var random = SplitMix(state: UInt64(number) + 1)
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number) * 7_200)
        let (type, unit) = (HKQuantityType(.heartRate), HKUnit.count().unitDivided(by: .minute()))
        let heartRates = (0..<seconds).map { second in
            let instant = start + Double(second)
            let rate = 120 + Double(second % 600) / 20 + Double(random.below(5))
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: rate.rounded()), start: instant, end: instant)
        }
        // Three meters per second, with the noise of a GPS receiver, so that the coordinates have many digits.
        let locations = (0..<seconds).map { second in
            let error = Double(random.below(1_000)) / 1e9
            return CLLocation(
                coordinate: CLLocationCoordinate2D(
                    latitude: 52.5 + Double(second) * 2.7e-5 + error,
                    longitude: 13.4 + sin(Double(second) / 300) / 500 + error),
                altitude: 34 + Double(random.below(100)) / 100, horizontalAccuracy: 4, verticalAccuracy: 6, course: 12,
                speed: 2.8 + Double(random.below(50)) / 100, timestamp: start + Double(second))
        }
        return Hour(start: start, heartRates: heartRates, locations: locations)
    }
}
