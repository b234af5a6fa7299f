import CoreLocation
import Foundation
import HealthModel

/// The points of a route, column by column.
struct RouteColumns: Equatable, Sendable {
    private typealias Name = RouteDocument.Column

    /// Ten columns of equal length, in the order of ``RouteDocument/Column``.
    private var columns: [[Double]] = Array(repeating: [], count: Name.allCases.count)

    var count: Int { columns[0].count }

    /// Seconds since 2001-01-01 00:00:00 UTC.
    var timestamps: [Double] { columns[0] }

    init() {}

    /// The columns of a stored document; `nil` for one whose columns do not fit together.
    init?(_ series: [String: [Double]]) {
        columns = Name.allCases.map { series[$0.rawValue] ?? [] }
        guard columns.allSatisfy({ $0.count == columns[0].count }) else { return nil }
    }

    /// The columns as a document holds them.
    var series: [String: [Double]] {
        Dictionary(uniqueKeysWithValues: zip(Name.allCases.map(\.rawValue), columns))
    }

    mutating func append(_ location: CLLocation) {
        let values = [
            location.timestamp.timeIntervalSinceReferenceDate, location.coordinate.latitude,
            location.coordinate.longitude, location.altitude, location.horizontalAccuracy,
            location.verticalAccuracy, location.course, location.courseAccuracy, location.speed,
            location.speedAccuracy,
        ]
        for index in columns.indices { columns[index].append(values[index]) }
    }

    /// Brings the points into the order of their instants; points of one instant stay as they came.
    mutating func sort() {
        let times = columns[0]
        guard zip(times, times.dropFirst()).contains(where: { $0 > $1 }) else { return }
        let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        for index in columns.indices {
            let column = columns[index]
            columns[index] = order.map { column[$0] }
        }
    }

    /// One point.
    func location(at row: Int) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: columns[1][row], longitude: columns[2][row]),
            altitude: columns[3][row], horizontalAccuracy: columns[4][row],
            verticalAccuracy: columns[5][row], course: columns[6][row], courseAccuracy: columns[7][row],
            speed: columns[8][row], speedAccuracy: columns[9][row],
            timestamp: Date(timeIntervalSinceReferenceDate: columns[0][row]))
    }
}
