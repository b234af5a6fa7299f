import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// Writes one delivery within its transaction: deletions, samples and objects by source, then members.
struct SyncBatchWriter {
    private let engine: HealthEngine
    private let transaction: any StorageTransaction
    private let caller: Caller
    private let finder: PageFinder

    private(set) var outcome = SyncBatchOutcome()
    /// The places of the samples and objects that were written or found, by UUID.
    private var places: [UUID: StoredIdentity] = [:]
    private var waiting: PendingMembers

    init(engine: HealthEngine, transaction: any StorageTransaction, caller: Caller) {
        self.engine = engine
        self.transaction = transaction
        self.caller = caller
        finder = engine.finder(in: transaction)
        waiting = PendingMembers(transaction: transaction)
    }

    mutating func write(_ changes: ReceivedChanges, pending: inout PendingCommit) throws {
        // What is deleted and there, too, was saved again.
        let present = Set(changes.samples.compactMap(\.uuid)).union(changes.objects.compactMap(\.uuid))
        let doomed = try located(changes.deletions.filter { !present.contains($0) })
        try checkPermission(changes, doomed)
        let items = try newItems(changes, pending: &pending)
        try delete(doomed, besides: supersededPlaces(of: items), pending: &pending)
        try waiting.load()
        try save(items, series: changes.series, pending: &pending)
        try writeSummaries(changes.summaries, pending: &pending)
        try linkMembers(changes.members, pending: &pending)
        try waiting.store()
    }

    /// - Throws: ``EngineError`` unless the caller may share every type.
    private func checkPermission(_ changes: ReceivedChanges, _ doomed: [StoredIdentity]) throws {
        var types = Set(changes.samples.map(\.type)).union(changes.objects.map(\.type)).union(doomed.map(\.type))
        if !changes.summaries.isEmpty, let type = Self.summaryType { types.insert(type) }
        try engine.checkShare(types, as: caller, in: transaction)
    }

    // MARK: - What is new

    /// Returns valid items that are not stored yet, by source revision in the order of their occurrence. Stored objects
    /// are updated.
    private mutating func newItems(
        _ changes: ReceivedChanges, pending: inout PendingCommit
    ) throws -> [(revision: SourceRevisionRecord, items: [SaveItem])] {
        var groups: [(revision: SourceRevisionRecord, items: [SaveItem])] = []
        var groupIndex: [SourceRevisionRecord: Int] = [:]
        var seen: Set<UUID> = []
        func add(_ item: SaveItem, _ revision: SourceRevisionRecord) {
            if let index = groupIndex[revision] {
                groups[index].items.append(item)
            } else {
                groupIndex[revision] = groups.count
                groups.append((revision, [item]))
            }
        }
        try transaction.prefetchIdentities(of: changes.samples.compactMap(\.uuid) + changes.objects.compactMap(\.uuid))
        for sample in changes.samples {
            guard let (uuid, revision) = identity(sample.uuid, sample.revision, &seen) else { continue }
            if let place = try finder.locate(uuid) {
                places[uuid] = place
                outcome.unchanged += 1
                continue
            }
            if let reason = invalidity({ try engine.validate([.sample(sample)]) }) {
                outcome.rejected[uuid] = reason
            } else if let series = changes.series[uuid], !Self.isValid(series, of: sample) {
                outcome.rejected[uuid] = "The quantities of a series must lie within their sample."
            } else {
                var sample = sample
                if let series = changes.series[uuid] { sample.metadata = series.describing(sample) }
                add(.sample(sample), revision)
            }
        }
        for object in changes.objects {
            guard let (uuid, revision) = identity(object.uuid, object.revision, &seen) else { continue }
            if let reason = invalidity({ try validate(object) }) {
                outcome.rejected[uuid] = reason
            } else if let place = try finder.locate(uuid) {
                places[uuid] = place
                try update(place, with: object, pending: &pending)
            } else {
                add(.object(object), revision)
            }
        }
        return groups
    }

    private mutating func identity(
        _ uuid: UUID?, _ revision: SourceRevisionRecord?, _ seen: inout Set<UUID>
    ) -> (UUID, SourceRevisionRecord)? {
        guard let uuid, seen.insert(uuid).inserted else { return nil }
        guard let revision else {
            outcome.rejected[uuid] = "The sample has no source."
            return nil
        }
        return (uuid, revision)
    }

    /// The reason why something is not valid; `nil` if it is.
    private func invalidity(_ validate: () throws -> Void) -> String? {
        do {
            try validate()
            return nil
        } catch let error as ValidationError {
            return error.description
        } catch EngineError.invalidArgument(let reason) {
            return reason
        } catch {
            return "The sample is not valid."
        }
    }

    private func validate(_ object: ObjectRecord) throws {
        // The members of a correlation come separately, so it has none here.
        if TypeCatalog.description(for: object.type)?.kind == .correlation {
            try RecordValidation.validateReceivedCorrelation(object)
        } else {
            try engine.validate([.object(object)])
        }
    }

    private static func isValid(_ series: QuantitySeries, of sample: SampleRecord) -> Bool {
        series.isConsistent && series.count > 0 && series.starts[0] >= sample.start
            && series.ends.allSatisfy { $0 <= sample.end } && series.values.allSatisfy(\.isFinite)
    }

    /// Replaces the contents of a stored object if they differ. Its sequence stays: for anchored queries, a sample
    /// never changes.
    private mutating func update(
        _ place: StoredIdentity, with object: ObjectRecord, pending: inout PendingCommit
    ) throws {
        guard var stored = try transaction.object(sequence: place.sequence), stored.type == object.type else {
            outcome.unchanged += 1
            return
        }
        let payload = ObjectCoder.encode(metadata: object.metadata, creation: object.creation, body: object.body)
        guard payload != stored.payload || object.start != stored.start || object.end != stored.end else {
            outcome.unchanged += 1
            return
        }
        (stored.payload, stored.start, stored.end) = (payload, object.start, object.end)
        try transaction.putObject(stored)
        pending.types.insert(stored.type)
        outcome.updated += 1
    }

    // MARK: - Deletions

    private func located(_ uuids: [UUID]) throws -> [StoredIdentity] {
        try transaction.prefetchIdentities(of: uuids)
        var seen: Set<UUID> = []
        return try uuids.compactMap { seen.insert($0).inserted ? try finder.locate($0) : nil }
    }

    /// The stored versions that new items replace by their sync identifiers, with the objects that own them.
    private func supersededPlaces(
        of groups: [(revision: SourceRevisionRecord, items: [SaveItem])]
    ) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for group in groups {
            for item in group.items {
                let metadata =
                    switch item {
                    case .sample(let sample): sample.metadata
                    case .object(let object): object.metadata
                    }
                guard let mark = SyncMark(metadata) else { continue }
                let key = mark.key(source: group.revision.source.bundleIdentifier, type: item.type)
                if let stored = try transaction.sync(key), stored.version < mark.version {
                    found.insert(stored.sequence)
                }
            }
        }
        return found
    }

    private mutating func delete(
        _ doomed: [StoredIdentity], besides superseded: Set<Int64>, pending: inout PendingCommit
    ) throws {
        // What a newer version replaces is deleted when that is written, so that it takes its place in objects.
        outcome.deleted += doomed.count
        try engine.erase(doomed.filter { !superseded.contains($0.sequence) }, in: transaction, pending: &pending)
    }

    // MARK: - Writing

    private mutating func save(
        _ groups: [(revision: SourceRevisionRecord, items: [SaveItem])], series: [UUID: QuantitySeries],
        pending: inout PendingCommit
    ) throws {
        for group in groups {
            let source = Caller(revision: group.revision, permission: .allowAll)
            var plan = SavePlan(caller: source, finder: finder)
            let targets = try group.items.map { try plan.add($0) }
            let run = try engine.write(plan, as: source, in: transaction, pending: &pending)
            outcome.added += plan.outcome.saved
            outcome.unchanged += plan.outcome.ignored
            for (item, target) in zip(group.items, targets) {
                guard let uuid = item.uuid, let target, let place = run.identity(of: target, in: plan) else { continue }
                places[uuid] = place
                if let quantities = series[uuid], plan.isWritten(target, as: uuid) {
                    try QuantitySeriesTable.write(quantities, of: place, in: transaction)
                }
                for link in try waiting.resolve(uuid, at: place, finder) { try add(link, pending: &pending) }
            }
        }
    }

    private func add(_ link: StoredLink, pending: inout PendingCommit) throws {
        try transaction.addLink(link)
        pending.types.insert(link.ownerType)
    }

    private mutating func linkMembers(_ members: [UUID: [UUID]], pending: inout PendingCommit) throws {
        for (owner, uuids) in members.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            guard let owning = try place(of: owner), try transaction.object(sequence: owning.sequence) != nil else {
                continue
            }
            let linked = Set(try transaction.links(ofOwner: owning.sequence).map(\.member))
            for uuid in uuids where uuid != owner {
                guard let member = try place(of: uuid) else {
                    waiting.add(member: uuid, of: owner)
                    continue
                }
                guard !linked.contains(member.sequence) else { continue }
                try add(StoredLink(from: owning, to: member), pending: &pending)
            }
        }
    }

    private func place(of uuid: UUID) throws -> StoredIdentity? {
        try places[uuid] ?? finder.locate(uuid)
    }

    // MARK: - Activity summaries

    private static let summaryType = TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier")?.code

    private func writeSummaries(_ summaries: [ActivitySummaryBody], pending: inout PendingCommit) throws {
        guard let type = Self.summaryType, !summaries.isEmpty else { return }
        var writer = try SummaryWriter(of: [type], in: transaction)
        for summary in summaries {
            let day = CivilDate.dayNumber(year: summary.year, month: summary.month, day: summary.day)
            let (start, noon) = (Double(day) * 86_400, Double(day) * 86_400 + 43_200)
            let payload = ObjectCoder.encode(metadata: .empty, creation: nil, body: .activitySummary(summary))
            guard writer[summary.dayNumber]?.payload != payload else { continue }
            // The device continues to deliver the day, of which an earlier archive has less.
            try writer.write(
                StoredObject(
                    sequence: 0, uuid: nil, type: type, start: noon, end: noon, revision: 0, device: 0, payload: payload
                ), day: summary.dayNumber, dayStart: start, exported: nil, pending: &pending)
            pending.types.insert(type)
        }
        try writer.finish()
    }
}

extension RecordValidation {
    /// Validates a correlation whose members are not with it.
    static func validateReceivedCorrelation(_ object: ObjectRecord) throws(ValidationError) {
        guard let description = TypeCatalog.description(for: object.type) else { return }
        try validateDates(start: object.start, end: object.end, description: description)
        try validateMetadata(object.metadata, description: description)
    }
}
