import CoreLocation
import Foundation

/// The locations of a route in columns. HealthKit gives locations as objects of Core Location, so this file is the only
/// one that imports it.
struct RouteLocations {
    private var numbers: [[Double]] = Array(repeating: [], count: names.count)

    private static let names = [
        "timestamps", "latitudes", "longitudes", "altitudes", "horizontalAccuracies", "verticalAccuracies", "courses",
        "courseAccuracies", "speeds", "speedAccuracies",
    ]

    /// The columns by name. Times are seconds since 2001-01-01 00:00:00 UTC.
    var columns: [String: SyncColumn] {
        Dictionary(uniqueKeysWithValues: zip(Self.names, numbers.map { SyncColumn($0) }))
    }

    /// Appends a location.
    mutating func append(_ location: CLLocation) {
        let values = [
            location.timestamp.timeIntervalSinceReferenceDate, location.coordinate.latitude,
            location.coordinate.longitude, location.altitude, location.horizontalAccuracy, location.verticalAccuracy,
            location.course, location.courseAccuracy, location.speed, location.speedAccuracy,
        ]
        for (index, value) in values.enumerated() { numbers[index].append(value) }
    }
}
