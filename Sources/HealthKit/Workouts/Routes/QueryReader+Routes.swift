import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// The points of a route as it is stored.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` for a route that is not stored or may not be read.
    func points(of route: HKWorkoutRoute) throws -> RouteColumns {
        let part = QueryPart(identifier: HKWorkoutRouteTypeIdentifier, filter: .uuid([route.uuid]))
        guard let stored = try samples([part]).first as? HKWorkoutRoute else {
            throw EngineError.invalidArgument("The route is not stored.")
        }
        return stored.points
    }
}

extension RouteColumns {
    /// The rows within an interval, both bounds included; all rows without one.
    func rows(in interval: DateInterval?) -> Range<Int> {
        guard let interval else { return 0..<count }
        let first = interval.start.timeIntervalSinceReferenceDate
        let last = interval.end.timeIntervalSinceReferenceDate
        let times = timestamps
        let lower = times.firstIndex { $0 >= first } ?? count
        let upper = times.lastIndex { $0 <= last }.map { $0 + 1 } ?? 0
        return lower..<max(lower, upper)
    }
}
