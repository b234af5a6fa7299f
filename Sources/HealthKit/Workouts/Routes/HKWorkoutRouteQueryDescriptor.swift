public import CoreLocation

/// Asks for the locations of a route, which are iterated in the order of their dates.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// Whose locations are asked for.
    public var workoutRoute: HKWorkoutRoute

    /// Asks for the locations of a stored route.
    /// Asks for the locations of this route.
    public init(_ workoutRoute: HKWorkoutRoute) {
        self.workoutRoute = workoutRoute
    }

    /// The locations.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, route: workoutRoute)
    }

    /// The locations of one route. They are read when the first one is asked for.
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

            /// The next location; `nil` after the last.
            ///
            /// - Throws: ``HKError``, or `CancellationError` when the task is cancelled.
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
