import Foundation
import HealthEngine
import HealthModel

/// The plan for a batch of samples of one type, by which nothing is stored, and nothing counted, twice.
///
/// Single samples are recognized by start, end, value and source, because Health Auto Export gives them no identity. A
/// summary is recognized by its period and replaces the one before. Where single samples and a summary of the same time
/// meet, those that were stored first stay; series of workouts yield to both.
struct SamplePlan {
    /// Samples to save, by the name of their source.
    private(set) var saves: [String?: [SampleRecord]] = [:]
    /// Stored samples to delete in the same transaction.
    private(set) var deletes: Set<UUID> = []
    private(set) var fates: [IngestTally.Fate: Int] = [:]

    private let candidates: StoredCandidates
    private let sources: IngestSources
    private let conversions: SampleConversions
    private let replacesOtherKind: Bool
    /// Whether single samples of other applications may be deleted.
    private let mayDeleteOthers: Bool
    /// The current time in milliseconds, the version of new summaries.
    private let version: Double
    private var planned: Set<PlannedKey> = []
    private var claimed: Set<UUID> = []

    private struct PlannedKey: Hashable {
        var start: Int64
        var end: Int64
        var value: Double
        var source: String?
        var summary: IngestAggregation?
        var metadata: Metadata
    }

    init(
        _ entries: [IngestEntry], type: TypeDescription, candidates: StoredCandidates, sources: IngestSources,
        replacesOtherKind: Bool, mayDeleteOthers: Bool, now: Double
    ) {
        self.candidates = candidates
        self.sources = sources
        self.replacesOtherKind = replacesOtherKind
        self.mayDeleteOthers = mayDeleteOthers
        version = (now * 1_000).rounded()
        conversions = SampleConversions(canonical: type.canonicalUnit)
        let groups = Dictionary(grouping: entries.indices.filter { entries[$0].summaryKey != nil }) {
            entries[$0].summaryKey ?? ""
        }
        for index in entries.indices where entries[index].summaryKey == nil {
            guard case .sample(let sample) = entries[index].item else { continue }
            if let summary = entries[index].summary {
                add(sample, entries[index], summary, index, among: entries)
            } else {
                add(sample, entries[index])
            }
        }
        for (key, group) in groups.sorted(by: { $0.key < $1.key }) { add(group.map { (entries[$0], $0) }, key: key) }
    }

    private func mayDelete(_ singles: [StoredCandidates.Single]) -> Bool {
        mayDeleteOthers || singles.allSatisfy(\.isOwn)
    }

    // MARK: Single samples

    private mutating func add(_ sample: SampleRecord, _ entry: IngestEntry) {
        let key = PlannedKey(
            start: StoredCandidates.second(sample.start), end: StoredCandidates.second(sample.end), value: sample.value,
            source: entry.source, metadata: sample.metadata)
        guard planned.insert(key).inserted else { return count(.alreadyThere) }
        let overlapping = candidates.summaries(overlapping: sample.start, sample.end)
        // A workout's series is a copy of samples such as this one.
        for series in overlapping where series.isOwn && series.aggregation == IngestAggregation.workout.rawValue {
            deletes.insert(series.uuid)
        }
        let name = sources.name(of: entry.source)
        let isStored = candidates.byStart[key.start, default: []].contains { stored in
            stored.aggregation == nil && (!entry.isEndKnown || StoredCandidates.second(stored.end) == key.end)
                && (entry.source == nil || stored.source.name == name) && isEqual(stored, sample)
        }
        if isStored { return count(.alreadyThere) }
        let totals = overlapping.filter { $0.aggregation != IngestAggregation.workout.rawValue }
        if !totals.isEmpty {
            guard replacesOtherKind, totals.allSatisfy(\.isOwn) else { return count(.mixed) }
            deletes.formUnion(totals.map(\.uuid))
        }
        saves[entry.source, default: []].append(sample)
        count(.saved)
    }

    private func isEqual(_ stored: StoredCandidates.Sample, _ sample: SampleRecord) -> Bool {
        StoredCandidates.areEqual(
            conversions.canonical(stored.value, stored.unit), conversions.canonical(sample.value, sample.unit))
    }

    // MARK: Summaries

    private mutating func add(
        _ sample: SampleRecord, _ entry: IngestEntry, _ summary: IngestAggregation, _ index: Int,
        among entries: [IngestEntry]
    ) {
        let key = PlannedKey(
            start: StoredCandidates.second(sample.start), end: StoredCandidates.second(sample.end), value: 0,
            source: entry.source, summary: summary, metadata: .empty)
        guard planned.insert(key).inserted else { return count(.alreadyThere) }
        let name = sources.name(of: entry.source)
        let own = candidates.byStart[key.start, default: []].filter {
            $0.isOwn && $0.aggregation == summary.rawValue && $0.key == nil && !claimed.contains($0.uuid)
        }
        // The devices that a total is from can change during the day.
        let before =
            own.first { $0.source.name == name }
            ?? own.first { stored in
                !entries.contains {
                    $0.summary == summary && StoredCandidates.second($0.start) == key.start
                        && sources.name(of: $0.source) == stored.source.name
                }
            }
        if let before {
            claimed.insert(before.uuid)
            if StoredCandidates.second(before.end) == key.end, isEqual(before, sample), before.source.name == name {
                return count(.alreadyThere)
            }
            if before.source.name != name || summary == .workout { deletes.insert(before.uuid) }
            save(sample, entry, summary, after: before.version)
            return count(.replaced)
        }
        let others = candidates.summaries(overlapping: sample.start, sample.end).filter {
            $0.aggregation != summary.rawValue || StoredCandidates.second($0.start) != key.start
        }
        let overlapsSingles = candidates.overlapsSingles.contains(index)
        if summary == .workout {
            guard !overlapsSingles, others.allSatisfy({ $0.aggregation == summary.rawValue }) else {
                return count(.covered)
            }
        } else {
            let series = others.filter { $0.aggregation == IngestAggregation.workout.rawValue }
            let totals = others.filter { $0.aggregation != IngestAggregation.workout.rawValue }
            if overlapsSingles || !totals.isEmpty {
                let singles = candidates.singles(overlapping: entry.start, entry.end)
                guard replacesOtherKind, totals.allSatisfy(\.isOwn), mayDelete(singles) else { return count(.mixed) }
                deletes.formUnion(totals.map(\.uuid) + singles.map(\.uuid))
            }
            deletes.formUnion(series.filter(\.isOwn).map(\.uuid))
        }
        save(sample, entry, summary, after: nil)
        count(.saved)
    }

    /// Saves a summary. One from the same source replaces the one before by its sync identifier, in one transaction.
    private mutating func save(
        _ sample: SampleRecord, _ entry: IngestEntry, _ summary: IngestAggregation, after old: Double?
    ) {
        var sample = sample
        sample.metadata.entries.append(.init(key: IngestMetadataKey.aggregation, value: .string(summary.rawValue)))
        if summary != .workout {
            let identifier = "health-auto-export/\(summary.rawValue)/\(StoredCandidates.second(sample.start))"
            sample.metadata.entries.append(.init(key: MetadataKey.syncIdentifier, value: .string(identifier)))
            sample.metadata.entries.append(
                .init(key: MetadataKey.syncVersion, value: .double(max(version, (old ?? 0) + 1))))
        }
        saves[entry.source, default: []].append(sample)
    }

    /// A summary of several samples, such as a night: all are replaced if any differs.
    private mutating func add(_ group: [(entry: IngestEntry, index: Int)], key: String) {
        let stored = candidates.summaries.filter { $0.isOwn && $0.key == key }
        var rest = stored
        let isSame =
            stored.count == group.count
            && group.allSatisfy { entry, _ in
                guard case .sample(let sample) = entry.item,
                    let place = rest.firstIndex(where: {
                        $0.start == sample.start && $0.end == sample.end && $0.value == sample.value
                    })
                else { return false }
                rest.remove(at: place)
                return true
            }
        if isSame { return count(.alreadyThere, group.count) }
        let inside = Set(stored.map(\.uuid))
        let others = group.flatMap { candidates.summaries(overlapping: $0.entry.start, $0.entry.end) }
            .filter { $0.key != key }
        if !others.isEmpty || group.contains(where: { candidates.overlapsSingles.contains($0.index) }) {
            let singles = group.flatMap { candidates.singles(overlapping: $0.entry.start, $0.entry.end) }
            guard replacesOtherKind, others.allSatisfy(\.isOwn), mayDelete(singles) else {
                return count(.mixed, group.count)
            }
            deletes.formUnion(others.map(\.uuid) + singles.map(\.uuid))
        }
        deletes.formUnion(inside)
        for (entry, _) in group {
            guard case .sample(var sample) = entry.item else { continue }
            let aggregation = (entry.summary ?? .unspecified).rawValue
            sample.metadata.entries.append(.init(key: IngestMetadataKey.aggregation, value: .string(aggregation)))
            sample.metadata.entries.append(.init(key: IngestMetadataKey.key, value: .string(key)))
            saves[entry.source, default: []].append(sample)
        }
        count(stored.isEmpty ? .saved : .replaced, group.count)
    }

    private mutating func count(_ fate: IngestTally.Fate, _ number: Int = 1) {
        fates[fate, default: 0] += number
    }
}

/// Converts values of one type to its canonical unit for comparison.
struct SampleConversions {
    private let canonical: UnitExpression?
    private let known = ConversionCache()

    /// Conversions by unit string.
    private final class ConversionCache {
        var conversions: [String: UnitConversion?] = [:]
    }

    init(canonical: String?) {
        self.canonical = canonical.flatMap { try? UnitExpression(parsing: $0) }
    }

    func canonical(_ value: Double, _ unit: String) -> Double {
        guard let canonical else { return value }
        let conversion: UnitConversion?
        if let found = known.conversions[unit] {
            conversion = found
        } else {
            conversion = (try? UnitExpression(parsing: unit)).flatMap { $0.conversion(to: canonical) }
            known.conversions[unit] = conversion
        }
        return conversion?(value) ?? value
    }
}
