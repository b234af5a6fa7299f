import CoreLocation
public import Foundation

/// The route of a workout. Read its locations with an ``HKWorkoutRouteQuery``.
///
/// Create a route with an ``HKWorkoutRouteBuilder``, and find those of a workout with
/// `HKQuery.predicateForObjects(from:)`.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWorkoutRoute: HKSeriesSample, DocumentSample, @unchecked Sendable {
    /// The locations; none if the stored columns are inconsistent.
    final let fields: RouteColumns

    init(_ base: SampleBase, fields: RouteColumns) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: RouteColumns) -> HKSample { HKWorkoutRoute(base, fields: fields) }

    /// The number of locations in the route.
    open override var count: Int { fields.count }

    /// Returns `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(RouteColumns.self, from: coder),
            archived.base.context.type == HKSeriesType.workoutRoute()
        else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

/// The locations of a route, column by column.
struct RouteColumns: Equatable, Sendable {
    /// Ten columns of equal length: timestamp, latitude, longitude, altitude, horizontal and vertical accuracy,
    /// course, course accuracy, speed, speed accuracy.
    private(set) var columns: [[Double]] = Array(repeating: [], count: 10)

    var count: Int { columns[0].count }

    /// Seconds since 2001-01-01 00:00:00 UTC.
    var timestamps: [Double] { columns[0] }

    init() {}

    /// Returns `nil` unless there are ten columns of equal length.
    init?(columns: [[Double]]) {
        guard columns.count == self.columns.count, columns.allSatisfy({ $0.count == columns[0].count }) else {
            return nil
        }
        self.columns = columns
    }

    mutating func append(_ location: CLLocation) {
        let values = [
            location.timestamp.timeIntervalSinceReferenceDate, location.coordinate.latitude,
            location.coordinate.longitude, location.altitude, location.horizontalAccuracy, location.verticalAccuracy,
            location.course, location.courseAccuracy, location.speed, location.speedAccuracy,
        ]
        for index in columns.indices { columns[index].append(values[index]) }
    }

    /// Sorts the locations by date; simultaneous ones keep their order.
    mutating func sort() {
        let times = columns[0]
        guard zip(times, times.dropFirst()).contains(where: { $0 > $1 }) else { return }
        let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        for index in columns.indices {
            let column = columns[index]
            columns[index] = order.map { column[$0] }
        }
    }

    /// Returns the rows within an interval, both bounds included; all rows without one.
    func rows(in interval: DateInterval?) -> Range<Int> {
        guard let interval else { return 0..<count }
        let first = interval.start.timeIntervalSinceReferenceDate
        let last = interval.end.timeIntervalSinceReferenceDate
        let lower = timestamps.firstIndex { $0 >= first } ?? count
        let upper = timestamps.lastIndex { $0 <= last }.map { $0 + 1 } ?? 0
        return lower..<max(lower, upper)
    }

    /// Returns one location.
    func location(at row: Int) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: columns[1][row], longitude: columns[2][row]),
            altitude: columns[3][row], horizontalAccuracy: columns[4][row], verticalAccuracy: columns[5][row],
            course: columns[6][row], courseAccuracy: columns[7][row], speed: columns[8][row],
            speedAccuracy: columns[9][row], timestamp: Date(timeIntervalSinceReferenceDate: columns[0][row]))
    }
}

extension HKSamplePredicate {
    /// A predicate for workout routes.
    public static func workoutRoute(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkoutRoute> {
        HKSamplePredicate<HKWorkoutRoute>(type: HKSeriesType.workoutRoute(), predicate: predicate)
    }
}
