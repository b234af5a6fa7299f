public import CoreLocation
import Foundation

/// A query that reads the locations of a route in batches, in order of their dates.
///
/// The handler learns which call is the last one, and may stop the query before.
// Unchecked: every stored property is constant.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
    /// The maximum number of locations in a call.
    static let batchSize = 100

    private let route: HKWorkoutRoute
    private let interval: DateInterval?
    private let dataHandler: @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void

    /// Creates a query for all locations of a route.
    @preconcurrency
    public init(
        route workoutRoute: HKWorkoutRoute,
        dataHandler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        route = workoutRoute
        interval = nil
        self.dataHandler = dataHandler
        super.init(objectType: HKSeriesType.workoutRoute(), predicate: nil)
    }

    /// Creates a query for the locations of a route within an interval, both bounds included.
    @preconcurrency
    public init(
        route workoutRoute: HKWorkoutRoute, dateInterval: DateInterval,
        dataHandler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        route = workoutRoute
        interval = dateInterval
        self.dataHandler = dataHandler
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

/// A query that returns the locations of a route as a sequence, in order of their dates.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// The route.
    public var workoutRoute: HKWorkoutRoute

    /// Creates a query for the locations of a stored route.
    public init(_ workoutRoute: HKWorkoutRoute) {
        self.workoutRoute = workoutRoute
    }

    /// Returns the locations.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, route: workoutRoute)
    }

    /// The locations of a route. They are read when the first one is requested.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = CLLocation
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let route: HKWorkoutRoute

        public func makeAsyncIterator() -> Iterator {
            Iterator(connection: connection, route: route)
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            let connection: StoreConnection
            let route: HKWorkoutRoute
            private var points: RouteColumns?
            private var row = 0

            init(connection: StoreConnection, route: HKWorkoutRoute) {
                self.connection = connection
                self.route = route
            }

            /// Returns the next location; `nil` after the last one.
            ///
            /// - Throws: ``HKError``, or `CancellationError` if the task is cancelled.
            public mutating func next() async throws -> Results.Element? {
                let points: RouteColumns
                if let read = self.points {
                    points = read
                } else {
                    let route = route
                    points = try await connection.read { try $0.points(of: route) }
                    self.points = points
                }
                try Task.checkCancellation()
                guard row < points.count else { return nil }
                defer { row += 1 }
                return points.location(at: row)
            }
        }
    }
}
