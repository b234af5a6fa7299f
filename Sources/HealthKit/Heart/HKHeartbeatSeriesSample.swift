public import Foundation
import HealthModel

/// Single heartbeats, one after the other. The beats are read with an ``HKHeartbeatSeriesQuery``.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKHeartbeatSeriesSample: HKSeriesSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's series.
    typealias Series = HeartbeatSeriesDocument

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// How many beats there are.
    public override var count: Int { document.series[Series.offsets]?.count ?? 0 }

    /// The beats in order of time.
    final var heartbeats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] {
        let gaps = document.series[Series.gaps] ?? []
        return (document.series[Series.offsets] ?? []).enumerated().map { index, offset in
            .init(timeIntervalSinceStart: offset, precededByGap: index < gaps.count && gaps[index] != 0)
        }
    }

    /// The series in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder),
            item.context.type == HKSeriesType.heartbeat(),
            let offsets = item.document.series[Series.offsets], !offsets.isEmpty,
            item.document.series[Series.gaps].map({ $0.count == offsets.count }) ?? true
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }
}
