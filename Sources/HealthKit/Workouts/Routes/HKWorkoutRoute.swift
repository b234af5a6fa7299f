public import Foundation
import HealthModel

/// The way a workout took. Its points are read with an ``HKWorkoutRouteQuery``.
///
/// Made by an ``HKWorkoutRouteBuilder``, and found with `HKQuery.predicateForObjects(from:)`.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKWorkoutRoute: HKSeriesSample, DocumentBacked, @unchecked Sendable {
    final let document: DocumentBody
    /// The points; none when what is stored does not fit together.
    final let points: RouteColumns

    required init(
        identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody
    ) {
        self.document = document
        points = RouteColumns(document.series) ?? RouteColumns()
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// How many points the route has.
    public override var count: Int { points.count }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archive = ObjectArchive.document(from: coder),
            archive.context.type == HKSeriesType.workoutRoute(),
            let points = RouteColumns(archive.document.series)
        else { return nil }
        document = archive.document
        self.points = points
        super.init(
            identity: archive.identity, context: archive.context, start: archive.start, end: archive.end)
    }
}
