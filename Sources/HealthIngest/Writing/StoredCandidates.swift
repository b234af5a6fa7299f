import Foundation
import HealthEngine
import HealthModel

/// The stored samples of one type that matter for a batch of entries: those with the same start, and those whose time
/// overlaps a summary.
///
/// Pages are read one by one, and only what matters is kept, so that memory use depends on the batch and not on the
/// store.
struct StoredCandidates {
    /// A stored sample.
    struct Sample {
        var uuid: UUID
        var start: Double
        var end: Double
        var value: Double
        var unit: String
        var source: SourceRecord
        var isOwn: Bool
        /// The period it summarizes; `nil` for a single sample.
        var aggregation: String?
        var key: String?
        var version: Double?
    }

    /// Samples by the second of their start.
    private(set) var byStart: [Int64: [Sample]] = [:]
    /// Stored summaries that overlap an entry, in order of start.
    private(set) var summaries: [Sample] = []
    /// The indices of the entries that are summaries and overlap a single sample.
    private(set) var overlapsSingles: Set<Int> = []
    /// Single samples that overlap such an entry, each once, if they are kept.
    private var singles: [Single] = []

    /// A single sample whose time overlaps a summary's.
    struct Single {
        var start: Double
        var end: Double
        var uuid: UUID
        var isOwn: Bool
    }

    /// Whether the values of two samples are equal, apart from the rounding of a conversion or of printing.
    static func areEqual(_ one: Double, _ other: Double) -> Bool {
        one == other || abs(one - other) <= 1e-6 * max(abs(one), abs(other))
    }

    /// Whether a sample lies in a period at least in part. A moment at the end of a period belongs to the next one.
    static func overlaps(_ start: Double, _ end: Double, _ other: Double, _ otherEnd: Double) -> Bool {
        if start == end, other == otherEnd { return start == other }
        if start == end { return start >= other && start < otherEnd }
        if other == otherEnd { return other >= start && other < end }
        return start < otherEnd && end > other
    }

    static func second(_ instant: Double) -> Int64 { Int64(max(-1e15, min(1e15, instant.rounded(.down)))) }

    /// Reads the candidates of entries, which are samples of one type.
    ///
    /// - Parameters:
    ///   - readsAll: Whether samples of other applications count.
    ///   - slack: The seconds around the entries in which summaries with a key are looked for.
    ///   - keepsSingles: Whether ``singles(overlapping:_:)`` is needed.
    init(
        for entries: [IngestEntry], type: TypeCode, engine: HealthEngine, sources: IngestSources, readsAll: Bool,
        slack: Double, keepsSingles: Bool
    ) throws {
        guard let first = entries.map(\.start).min(), let last = entries.map(\.end).max() else { return }
        let starts = Set(entries.map { Self.second($0.start) })
        // Entries in order of start, with the greatest end up to each, to find those that a sample overlaps.
        let order = entries.indices.sorted { entries[$0].start < entries[$1].start }
        var greatest = -Double.infinity
        let ends = order.map { index -> Double in
            greatest = max(greatest, entries[index].end)
            return greatest
        }
        func overlapped(_ start: Double, _ end: Double) -> [Int] {
            var found: [Int] = []
            var place = order.partitionPoint { entries[$0].start <= end } - 1
            while place >= 0, ends[place] >= start {
                let entry = entries[order[place]]
                if Self.overlaps(start, end, entry.start, entry.end) { found.append(order[place]) }
                place -= 1
            }
            return found
        }
        let summaryCount = entries.count { $0.summary != nil }
        let person = Caller(revision: sources.application, permission: .owner)
        try engine.withReader(as: person) { reading in
            let filter = SampleFilter.and([
                .start(.lessThanOrEqual, last + slack), .end(.greaterThanOrEqual, first - slack - 1),
            ])
            var visibility: [UInt32: (source: SourceRecord, isOwn: Bool)] = [:]
            for page in try reading.pages(of: type, matching: filter) {
                let rows = try reading.rows(
                    of: page, columns: [.starts, .ends, .values, .units, .revisions, .metadata, .sequences, .uuids])
                for row in 0..<rows.starts.count {
                    let known = visibility[rows.revisions[row]]
                    let (source, isOwn) =
                        known
                        ?? {
                            let source =
                                reading.dictionaries.revision(rows.revisions[row])?.source
                                ?? SourceRecord(bundleIdentifier: "", name: "")
                            let found = (source, sources.isOwn(source))
                            visibility[rows.revisions[row]] = found
                            return found
                        }()
                    guard isOwn || readsAll else { continue }
                    let (start, end) = (rows.starts[row], rows.ends[row])
                    let metadata = page.hasMetadata ? rows.metadata(at: row) : .empty
                    var aggregation: String?
                    if case .string(let text) = metadata[IngestMetadataKey.aggregation] { aggregation = text }
                    let isCandidate = starts.contains(Self.second(start))
                    // Once each summary is known to overlap a single sample, others tell nothing new, unless they are
                    // kept.
                    let isTold = aggregation == nil && !keepsSingles && overlapsSingles.count == summaryCount
                    let touched = aggregation != nil || summaryCount > 0 && !isTold ? overlapped(start, end) : []
                    guard isCandidate || !touched.isEmpty || (aggregation != nil && slack > 0) else { continue }
                    let uuid = rows.uuid(at: row) ?? reading.identities.uuid(for: rows.sequences[row])
                    if aggregation == nil {
                        let summaries = touched.filter { entries[$0].summary != nil }
                        overlapsSingles.formUnion(summaries)
                        if keepsSingles, !summaries.isEmpty {
                            singles.append(Single(start: start, end: end, uuid: uuid, isOwn: isOwn))
                        }
                        guard isCandidate else { continue }
                    }
                    var sample = Sample(
                        uuid: uuid, start: start, end: end, value: rows.values[row],
                        unit: reading.dictionaries.unit(rows.units.isEmpty ? 0 : rows.units[row]), source: source,
                        isOwn: isOwn, aggregation: aggregation)
                    if case .string(let key) = metadata[IngestMetadataKey.key] { sample.key = key }
                    sample.version = metadata[MetadataKey.syncVersion]?.number
                    if isCandidate { byStart[Self.second(start), default: []].append(sample) }
                    if aggregation != nil { summaries.append(sample) }
                }
            }
        }
    }

    /// The single samples that overlap a time, which must be that of an entry.
    func singles(overlapping start: Double, _ end: Double) -> [Single] {
        singles.filter { Self.overlaps($0.start, $0.end, start, end) }
    }

    /// The stored summaries that overlap a time.
    func summaries(overlapping start: Double, _ end: Double) -> [Sample] {
        summaries.filter { Self.overlaps(start, end, $0.start, $0.end) }
    }
}
