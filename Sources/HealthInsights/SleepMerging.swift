import Foundation
import HealthKit

/// A sample of sleep analysis as merging needs it.
struct SleepEntry {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    var end: Double
    var stage: SleepStage
    var source: HKSource
    /// Whether a person entered the sample by hand.
    var isEnteredByHand = false
    /// 0 for an Apple Watch, 1 for an iPhone, 2 for everything else.
    var deviceRank = 2
    /// The name of the time zone in the sample's metadata.
    var timeZoneName: String?
}

/// Merges the samples of all sources into stages that don't overlap.
///
/// In each period sources are ranked: samples entered by hand; the person's own order; sources that distinguish stages,
/// then those that record sleep at all; Apple Watch, iPhone, others; the one with more recorded time. The best source
/// applies wherever it has a sample of sleep or waking, and others fill the rest, as HealthKit's statistics merge
/// quantities. A source that doesn't record waking also owns its gaps of less than an hour: they are its way to say
/// “awake”. Time in bed applies where no source says more.
struct SleepMerging {
    /// Bundle identifiers in the person's own order, best first.
    var sourceOrder: [String] = []

    /// Gaps of less than this number of seconds don't end a period: an hour, as in the main sleep period of van Hees et
    /// al. 2018.
    static let joiningGap = 3_600.0

    /// Returns the merged segments of the entries of one period.
    func segments(of entries: [SleepEntry]) -> [SleepSegment] {
        var layers: [Layer] = []
        for (key, entries) in Dictionary(grouping: entries, by: { Layer.Key($0) }) {
            layers.append(Layer(key: key, entries: entries.filter { $0.stage != .inBed }, order: sourceOrder))
        }
        layers.sort { $0.rank < $1.rank }
        var owned = IntervalSet()
        var pieces: [SleepSegment] = []
        for layer in layers where !layer.spans.isEmpty {
            for span in layer.spans {
                for free in owned.gaps(from: span.start, to: span.end) {
                    pieces.append(span.segment(free.start, free.end))
                }
            }
            for range in layer.ownedRanges { owned.insert(range.start, range.end) }
        }
        // What a source owns without a sample is still in bed if another source says so.
        var covered = IntervalSet()
        for piece in pieces {
            covered.insert(piece.start.timeIntervalSinceReferenceDate, piece.end.timeIntervalSinceReferenceDate)
        }
        for entry in entries.filter({ $0.stage == .inBed }).sorted(by: {
            ($0.start, $0.source.name) < ($1.start, $1.source.name)
        }) {
            let span = Span(start: entry.start, end: entry.end, stage: .inBed, source: entry.source)
            for free in covered.gaps(from: span.start, to: span.end) {
                pieces.append(span.segment(free.start, free.end))
            }
            covered.insert(entry.start, entry.end)
        }
        pieces.sort { $0.start < $1.start }
        return pieces.reduce(into: []) { joined, piece in
            if let last = joined.last, last.stage == piece.stage, last.source == piece.source, last.end == piece.start {
                joined[joined.count - 1].end = piece.end
            } else {
                joined.append(piece)
            }
        }
    }

    /// A stage between two instants.
    private struct Span {
        var start: Double
        var end: Double
        var stage: SleepStage
        var source: HKSource

        func segment(_ start: Double, _ end: Double) -> SleepSegment {
            SleepSegment(
                stage: stage, start: Date(timeIntervalSinceReferenceDate: start),
                end: Date(timeIntervalSinceReferenceDate: end), source: source)
        }
    }

    /// The samples of one source in one period.
    private struct Layer {
        struct Key: Hashable {
            var bundleIdentifier: String
            var isEnteredByHand: Bool

            init(_ entry: SleepEntry) {
                bundleIdentifier = entry.source.bundleIdentifier
                isEnteredByHand = entry.isEnteredByHand
            }
        }

        /// The stages, in ascending order and without overlaps.
        let spans: [Span]
        /// The time in which the source applies.
        let ownedRanges: [(start: Double, end: Double)]
        /// The place among sources, best first.
        let rank: (hand: Int, own: Int, detail: Int, device: Int, time: Double, name: String)

        init(key: Key, entries: [SleepEntry], order: [String]) {
            let spans = Self.flattened(entries)
            self.spans = spans
            let joiningGap = entries.contains { $0.stage == .awake } ? 0 : SleepMerging.joiningGap
            ownedRanges = spans.reduce(into: []) { ranges, span in
                if let last = ranges.last, span.start - last.end <= 0 || span.start - last.end < joiningGap {
                    ranges[ranges.count - 1].end = span.end
                } else {
                    ranges.append((span.start, span.end))
                }
            }
            rank = (
                hand: key.isEnteredByHand ? 0 : 1, own: order.firstIndex(of: key.bundleIdentifier) ?? order.count,
                detail: entries.contains { $0.stage.isDetailed } ? 0 : entries.contains { $0.stage.isAsleep } ? 1 : 2,
                device: entries.map(\.deviceRank).min() ?? 2, time: -spans.reduce(0) { $0 + $1.end - $1.start },
                name: key.bundleIdentifier
            )
        }

        /// The samples of one source without overlaps: a stage precedes waking, which precedes sleep without a stage;
        /// of several stages the one that began last applies.
        private static func flattened(_ entries: [SleepEntry]) -> [Span] {
            let sorted = entries.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
            guard zip(sorted, sorted.dropFirst()).contains(where: { $0.end > $1.start }) else {
                return sorted.map { Span(start: $0.start, end: $0.end, stage: $0.stage, source: $0.source) }
            }
            let bounds = Set(sorted.flatMap { [$0.start, $0.end] }).sorted()
            var spans: [Span] = []
            var active: [SleepEntry] = []
            var next = 0
            for (start, end) in zip(bounds, bounds.dropFirst()) {
                active.removeAll { $0.end <= start }
                while next < sorted.count, sorted[next].start <= start {
                    active.append(sorted[next])
                    next += 1
                }
                guard let best = active.max(by: { ($0.precision, $0.start) < ($1.precision, $1.start) }) else {
                    continue
                }
                if let last = spans.last, last.end == start, last.stage == best.stage {
                    spans[spans.count - 1].end = end
                } else {
                    spans.append(Span(start: start, end: end, stage: best.stage, source: best.source))
                }
            }
            return spans
        }
    }
}

extension SleepEntry {
    /// How much the stage says.
    fileprivate var precision: Int { stage.isDetailed ? 2 : stage == .awake ? 1 : 0 }
}
