public import CoreLocation
public import Foundation

/// Reads the locations of a route, a batch at a time, in the order of their dates.
///
/// The last call says that it is the last. The handler may stop the query.
// Unchecked: every stored property is constant.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
    /// How many locations a call hands over at most.
    static let batchSize = 100

    private let route: HKWorkoutRoute
    private let interval: DateInterval?
    private let dataHandler: @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void

    /// Reads all locations of a route.
    @preconcurrency
    public convenience init(
        route workoutRoute: HKWorkoutRoute,
        dataHandler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        self.init(workoutRoute, in: nil, dataHandler)
    }

    /// Reads the locations of a route within an interval, both bounds included.
    @preconcurrency
    public convenience init(
        route workoutRoute: HKWorkoutRoute, dateInterval: DateInterval,
        dataHandler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        self.init(workoutRoute, in: dateInterval, dataHandler)
    }

    private init(
        _ route: HKWorkoutRoute, in interval: DateInterval?,
        _ handler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        self.route = route
        self.interval = interval
        dataHandler = handler
        super.init(objectType: HKSeriesType.workoutRoute(), predicate: nil)
    }

    override func makeWork() throws -> QueryWork {
        QueryWork(
            start: { run in
                let points = try run.connection.reader().points(of: self.route)
                let rows = points.rows(in: self.interval)
                var next = rows.lowerBound
                repeat {
                    let end = min(next + Self.batchSize, rows.upperBound)
                    let batch = (next..<end).map { points.location(at: $0) }
                    next = end
                    run.deliver { self.dataHandler(self, batch, end == rows.upperBound, nil) }
                } while next < rows.upperBound && run.isActive
            },
            fail: { self.dataHandler(self, nil, true, HKError.make($0)) })
    }
}
