import CoreLocation
import Foundation
import HealthEngine
import HealthModel

/// What a route builder has gathered, and whether it still may.
struct RouteDraft: Sendable {
    enum Phase: Sendable {
        case open
        /// An insertion was refused; the builder is of no more use.
        case failed
        case finishing, finished, discarded
    }

    private(set) var phase = Phase.open
    private(set) var points = RouteColumns()
    private(set) var metadata = Metadata.empty

    /// Adds points in any order. A refused insertion is the end of the draft.
    mutating func insert(_ locations: [CLLocation]) throws(EngineError) {
        try requireOpen()
        guard !locations.isEmpty, locations.allSatisfy(Self.isUsable) else {
            phase = .failed
            throw .invalidArgument(
                locations.isEmpty
                    ? "A route takes one or more locations."
                    : "A location of a route must have a valid coordinate and date.")
        }
        for location in locations { points.append(location) }
    }

    mutating func merge(_ more: Metadata) throws(EngineError) {
        try requireOpen()
        metadata = metadata.merging(more)
    }

    /// The finished route; the draft waits for ``conclude(_:)``.
    ///
    /// - Throws: without points, and in any phase but the open one.
    mutating func finish(device: DeviceRecord?, metadata more: Metadata) throws(EngineError) -> ObjectRecord {
        try requireOpen()
        guard points.count > 0 else { throw .invalidArgument("A route without locations cannot be finished.") }
        phase = .finishing
        points.sort()
        let times = points.timestamps
        return ObjectRecord(
            uuid: UUID(), type: HKSeriesType.workoutRoute().code, start: times[0], end: times[times.count - 1],
            device: device, metadata: metadata.merging(more),
            body: .document(DocumentBody(series: points.series)))
    }

    /// Ends a finish: the points go when they are stored, and wait for another try when they are not.
    mutating func conclude(isStored: Bool) {
        guard phase == .finishing else { return }
        phase = isStored ? .finished : .open
        if isStored { points = RouteColumns() }
    }

    mutating func discard() {
        phase = .discarded
        points = RouteColumns()
    }

    private func requireOpen() throws(EngineError) {
        switch phase {
        case .open: return
        case .failed: throw .invalidArgument("The route builder has failed before.")
        case .finishing, .finished: throw .invalidArgument("The route has been finished.")
        case .discarded: throw .invalidArgument("The route has been discarded.")
        }
    }

    private static func isUsable(_ location: CLLocation) -> Bool {
        CLLocationCoordinate2DIsValid(location.coordinate)
            && location.timestamp.timeIntervalSinceReferenceDate.isFinite
            && location.timestamp < .distantFuture
    }
}
