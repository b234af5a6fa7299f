import Foundation
package import HealthEngine
package import HealthModel
import HealthStorage

/// Saves the entries of a request through the engine, on behalf of the application that posts.
///
/// Permission to write is the caller's, type by type; the source of a sample is the entry's own. Use on one thread.
package final class IngestWriter {
    let engine: HealthEngine
    let caller: Caller
    let sources: IngestSources
    /// Whether new entries replace stored ones of the other kind, summarized or single, instead of being left out.
    let replacesOtherKind: Bool
    /// Whether what other applications saved may be replaced: applications delete only what they saved.
    var mayDeleteOthers: Bool { caller.permission != .table }
    package internal(set) var tally = IngestTally()

    /// The workouts that the person has corrected, as they were and as they are.
    lazy var correctedWorkouts = Result { try readCorrectedWorkouts() }

    /// Whether to stop; asked for every batch.
    let isInterrupted: () -> Bool
    private let now: Double
    private var permissions: [TypeCode: Bool] = [:]
    private var reading: [TypeCode: Bool] = [:]

    /// Creates a writer.
    ///
    /// - Parameter application: The source of entries without one.
    package init(
        engine: HealthEngine, caller: Caller, application: SourceRevisionRecord, replacesOtherKind: Bool, now: Double,
        isInterrupted: @escaping () -> Bool = { false }
    ) {
        self.isInterrupted = isInterrupted
        self.engine = engine
        self.caller = caller
        self.now = now
        self.replacesOtherKind = replacesOtherKind
        sources = IngestSources(application: application)
    }

    /// Saves entries, a transaction for each object and for the samples of each type.
    func write(_ entries: [IngestEntry]) throws {
        if let type = Self.onlyType(of: entries) { return try writeSamples(entries, of: type) }
        var groups: [TypeCode: [IngestEntry]] = [:]
        var order: [TypeCode] = []
        for entry in entries {
            if case .object = entry.item {
                try IngestObjectWriter(writer: self).write(entry)
                continue
            }
            if groups[entry.type] == nil { order.append(entry.type) }
            groups[entry.type, default: []].append(entry)
        }
        for type in order { try writeSamples(groups[type] ?? [], of: type) }
    }

    /// The type of entries that are samples of one type.
    private static func onlyType(of entries: [IngestEntry]) -> TypeCode? {
        guard let type = entries.first?.type else { return nil }
        let areSamples = entries.indices.allSatisfy {
            if case .sample = entries[$0].item { entries[$0].type == type } else { false }
        }
        return areSamples ? type : nil
    }

    private func writeSamples(_ entries: [IngestEntry], of type: TypeCode) throws {
        guard try mayShare(type) else { return tally.add(.denied, of: type, count: entries.count) }
        guard let plan = try plan(entries, of: type) else { return }
        let groups = plan.saves.sorted { ($0.key ?? "") < ($1.key ?? "") }
        try save(
            groups.map { name, samples in SaveGroup(samples.map { .sample($0) }, as: saver(named: name)) },
            deleting: plan.deletes)
        for (fate, count) in plan.fates { tally.add(fate, of: type, count: count) }
    }

    /// Determines what is to be done with samples of one type.
    func plan(_ entries: [IngestEntry], of type: TypeCode) throws -> SamplePlan? {
        guard let description = TypeCatalog.description(for: type) else { return nil }
        let hasKeys = entries.contains { $0.summaryKey != nil }
        let candidates = try StoredCandidates(
            for: entries, type: type, engine: engine, sources: sources, readsAll: mayReadAll(type),
            slack: hasKeys ? 2 * 86_400 : 0, keepsSingles: replacesOtherKind)
        return SamplePlan(
            entries, type: description, candidates: candidates, sources: sources, replacesOtherKind: replacesOtherKind,
            mayDeleteOthers: mayDeleteOthers, now: now)
    }

    /// Saves what several sources contribute, in one transaction with the deletion of what it replaces: the deleted
    /// data was acknowledged, and an app may not post the period again.
    func save(_ groups: [SaveGroup], deleting uuids: Set<UUID>) throws {
        try engine.save(groups, deleting: Array(uuids), as: Caller(revision: sources.application, permission: .owner))
    }

    /// The caller that saves with the source of an entry. Permission is checked before, for the application that posts.
    func saver(named name: String?) -> Caller {
        Caller(revision: sources.revision(named: name), permission: .owner)
    }

    /// Whether the application may write a type.
    func mayShare(_ type: TypeCode) throws -> Bool {
        if let known = permissions[type] { return known }
        var may = true
        do {
            try engine.checkShare(type, as: caller)
        } catch EngineError.authorizationDenied, EngineError.authorizationNotDetermined {
            may = false
        }
        permissions[type] = may
        return may
    }

    /// Whether the application may read everything of a type. If not, it can't learn from a report what others saved.
    func mayReadAll(_ type: TypeCode) throws -> Bool {
        if let known = reading[type] { return known }
        var may = false
        do {
            may = try engine.checkRead(type, as: caller) == .everything
        } catch EngineError.authorizationNotDetermined {}
        reading[type] = may
        return may
    }

    private func readCorrectedWorkouts() throws -> [(original: ObjectRecord, corrected: ObjectRecord)] {
        let found = try engine.storage.read { try OriginalWorkout.all(in: $0) }
        return try engine.withReader(as: Caller(revision: sources.application, permission: .owner)) { reading in
            try found.compactMap { original, stored in
                guard let corrected = try reading.object(stored.sequence) else { return nil }
                var before = try original.restored(corrected)
                before.uuid = original.uuid
                return (before, corrected)
            }
        }
    }
}
