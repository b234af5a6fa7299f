package import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// A correction of a workout: the values that were recorded or imported wrong.
///
/// HealthKit's objects never change, so a corrected workout is another one in the place of the old one, which leaves a
/// tombstone. It has the source and device of the old one and all that belongs to it.
package struct WorkoutCorrection: Hashable, Sendable {
    /// The key of the metadata with a workout's title, which Strava's archive has.
    package static let titleKey = "Title"

    /// The raw value of the activity; `nil` if it was right.
    package var activityType: UInt?
    /// The title; an empty one removes it.
    package var title: String?
    /// The start, in seconds since 2001-01-01 00:00:00 UTC.
    package var start: Double?
    /// The end, in seconds since 2001-01-01 00:00:00 UTC.
    package var end: Double?

    /// Creates a correction. What is omitted stays.
    package init(activityType: UInt? = nil, title: String? = nil, start: Double? = nil, end: Double? = nil) {
        (self.activityType, self.title, self.start, self.end) = (activityType, title, start, end)
    }

    /// The result of a correction.
    package struct Outcome: Hashable, Sendable {
        /// The identity of the corrected workout.
        package var uuid: UUID
        /// The number of samples that the workout had and that are outside of its new times.
        package var samplesOutside = 0
        /// The number of locations of its routes outside of its new times.
        package var locationsOutside = 0
        /// Whether the workout was only moved, as its clock was wrong: what was recorded belongs to it nevertheless.
        package var isMoved = false

        /// Whether samples or locations no longer belong to the workout.
        package var hasLosses: Bool { !isMoved && samplesOutside + locationsOutside > 0 }
    }
}

extension HealthEngine {
    /// Corrects a workout of any source, in one transaction.
    ///
    /// Samples and locations outside of the new times no longer belong to the workout; the samples stay in the store.
    /// Totals and statistics of which the workout has samples are those of the samples that remain. If both ends are
    /// moved by the same time, or nothing that was recorded is within the new times, all of it stays with the workout,
    /// and events and activities are moved.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` if the workout is not stored or would end before it starts;
    ///   ``EngineError/authorizationDenied(_:)`` for an application.
    package func correctWorkout(
        _ uuid: UUID, _ correction: WorkoutCorrection, as caller: Caller
    ) throws -> WorkoutCorrection.Outcome {
        try commit(prefetching: { [uuid] }) { transaction, pending in
            try correctWorkout(uuid, correction, as: caller, in: transaction, pending: &pending)
        }
    }

    /// Returns what a correction of a workout would result in, and changes nothing. The identity is the present one.
    ///
    /// - Throws: The errors of ``correctWorkout(_:_:as:)``.
    package func previewCorrection(
        _ uuid: UUID, _ correction: WorkoutCorrection, as caller: Caller
    ) throws -> WorkoutCorrection.Outcome {
        do {
            return try commit(prefetching: { [uuid] }) { transaction, pending in
                var outcome = try correctWorkout(uuid, correction, as: caller, in: transaction, pending: &pending)
                outcome.uuid = uuid
                // An error takes everything back.
                throw CorrectionPreview(outcome: outcome)
            }
        } catch let preview as CorrectionPreview {
            return preview.outcome
        }
    }

    private func correctWorkout(
        _ uuid: UUID, _ correction: WorkoutCorrection, as caller: Caller, in transaction: any StorageTransaction,
        pending: inout PendingCommit
    ) throws -> WorkoutCorrection.Outcome {
        guard let place = try finder(in: transaction).locate(uuid),
            let stored = try transaction.object(sequence: place.sequence),
            TypeCatalog.description(for: stored.type)?.kind == .workout
        else { throw EngineError.invalidArgument("The workout is not stored.") }
        guard caller.permission == .owner else { throw EngineError.authorizationDenied(stored.type) }
        var replacement = try WorkoutReplacement(stored, uuid: uuid, engine: self, transaction: transaction)
        return try replacement.apply(correction, pending: &pending)
    }

    /// The end of a correction that isn't to be stored.
    private struct CorrectionPreview: Error {
        let outcome: WorkoutCorrection.Outcome
    }
}

/// The replacement of a workout by the corrected one, within a transaction.
private struct WorkoutReplacement {
    let stored: StoredObject
    let uuid: UUID
    let engine: HealthEngine
    let transaction: any StorageTransaction
    private let creation: Double?
    private var metadata: Metadata
    private var body: WorkoutBody

    private static let route = TypeCatalog.description(for: "HKWorkoutRouteTypeIdentifier")?.code

    init(_ stored: StoredObject, uuid: UUID, engine: HealthEngine, transaction: any StorageTransaction) throws {
        (self.stored, self.uuid, self.engine, self.transaction) = (stored, uuid, engine, transaction)
        let content = try ObjectCoder.decode(stored.payload)
        guard case .workout(let body) = content.body else {
            throw EngineError.invalidArgument("The workout is not stored.")
        }
        (metadata, creation, self.body) = (content.metadata, content.creation, body)
    }

    mutating func apply(
        _ correction: WorkoutCorrection, pending: inout PendingCommit
    ) throws -> WorkoutCorrection.Outcome {
        let (start, end) = (correction.start ?? stored.start, correction.end ?? stored.end)
        guard start.isFinite, end.isFinite, start <= end else {
            throw EngineError.invalidArgument("A workout can’t end before it starts.")
        }
        let before = (metadata, body)
        let derived = body.activities.isEmpty ? body.activities(of: uuid, start: 0, end: 0).first?.uuid : nil
        if let activity = correction.activityType {
            for place in body.activities.indices where body.activities[place].activityType == body.activityType {
                body.activities[place].activityType = activity
            }
            body.activityType = activity
        }
        if let title = correction.title {
            metadata.set(WorkoutCorrection.titleKey, title.isEmpty ? nil : .string(title))
        }
        var outcome = WorkoutCorrection.Outcome(uuid: uuid)
        let hasOtherTimes = start != stored.start || end != stored.end
        guard hasOtherTimes || before != (metadata, body) else { return outcome }
        var links = try transaction.links(ofOwner: stored.sequence)
        var routes: [(old: StoredIdentity, new: StoredObject?)] = []
        if hasOtherTimes {
            (links, routes) = try fit(links, to: start...end, outcome: &outcome, pending: &pending)
        }
        if OriginalWorkout(metadata) == nil {
            metadata.set(MetadataKey.archivedOriginal, try OriginalWorkout(stored, uuid: uuid).value())
        }
        let sync = try takeSync()

        let old = StoredIdentity(type: stored.type, sequence: stored.sequence)
        // A tombstone for the workout and each route.
        let next = try allocate(routes.count + 2, pending: &pending)
        var new = stored
        (new.sequence, new.uuid, new.start, new.end) = (next, nil, start, end)
        new.payload = ObjectCoder.encode(metadata: metadata, creation: creation, body: .workout(body))
        outcome.uuid = engine.identities.uuid(for: next)
        let attachments = try AttachmentTable.records(of: uuid, in: transaction)
        if !attachments.isEmpty { try AttachmentTable.setRecords([], of: uuid, in: transaction) }
        let eraser = RecordRemover(
            transaction: transaction, identities: engine.identities,
            editor: PageEditor(transaction: transaction, capacity: engine.configuration.pageCapacity))
        let deletions = routes.enumerated().map { index, route in
            RecordRemover.Deletion(identity: route.old, tombstone: next + 2 + Int64(index), successor: nil)
        }
        try eraser.erase([.init(identity: old, tombstone: next + 1, successor: next)] + deletions)
        try transaction.putObject(new)
        let cut = routes.compactMap(\.new)
        for route in cut { try transaction.putObject(route) }
        let owner = StoredIdentity(type: new.type, sequence: next)
        let members =
            links.map { StoredIdentity(type: $0.memberType, sequence: $0.member) }
            + cut.map { StoredIdentity(type: $0.type, sequence: $0.sequence) }
        try transaction.addLinks(members.map { StoredLink(from: owner, to: $0) })
        if !attachments.isEmpty { try AttachmentTable.setRecords(attachments, of: outcome.uuid, in: transaction) }
        if let sync { try transaction.putSync(StoredSync(key: sync.key, version: sync.version, sequence: next)) }
        let efforts = try moveEfforts(to: new, outcome.uuid, derived, pending: &pending)
        try ImportHistory.replace(
            [(stored.sequence, next)] + routes.compactMap { old, new in new.map { (old.sequence, $0.sequence) } }
                + efforts,
            in: transaction)
        pending.types.formUnion([new.type] + members.map(\.type) + routes.map(\.old.type))
        return outcome
    }

    private func allocate(_ count: Int, pending: inout PendingCommit) throws -> Int64 {
        let first = try transaction.allocateSequences(count)
        pending.recordSequences(count, from: first)
        return first
    }

    /// Fits what was recorded to the new times.
    ///
    /// - Returns: The links to what still belongs to the workout, and the routes that are replaced, by nothing if none
    ///   of their locations is within the times.
    private mutating func fit(
        _ links: [StoredLink], to range: ClosedRange<Double>, outcome: inout WorkoutCorrection.Outcome,
        pending: inout PendingCommit
    ) throws -> ([StoredLink], [(old: StoredIdentity, new: StoredObject?)]) {
        let recording = try RecordedSamples(of: stored, body, links, engine: engine, in: transaction)
        let samplesOutside = recording.sequences(outside: range)
        var outside = recording.isLinked ? samplesOutside : []
        outcome.samplesOutside = outside.count
        var routes: [(route: StoredObject, content: (Metadata, Double?, DocumentBody), inside: [Int])] = []
        var hasLocations = false
        for link in links where link.memberType == Self.route {
            guard let route = try transaction.object(sequence: link.member) else { continue }
            let content = try ObjectCoder.decode(route.payload)
            guard case .document(let document) = content.body,
                let times = document.series[RouteDocument.Column.timestamps.rawValue]
            else { continue }
            let inside = times.indices.filter { range.contains(times[$0]) }
            outcome.locationsOutside += times.count - inside.count
            hasLocations = hasLocations || !inside.isEmpty
            if inside.count < times.count {
                routes.append((route, (content.metadata, content.creation, document), inside))
            }
        }
        let isShifted = isMove(to: range) || !hasLocations && samplesOutside.count == recording.count
        outcome.isMoved = isShifted && outcome.samplesOutside + outcome.locationsOutside > 0
        body.fit(
            from: stored.start...stored.end, to: range, shift: isShifted ? range.lowerBound - stored.start : 0,
            recording: isShifted || samplesOutside.isEmpty ? nil : recording)
        guard !isShifted else { return (links, []) }
        var replaced: [(old: StoredIdentity, new: StoredObject?)] = []
        for (route, content, inside) in routes {
            outside.insert(route.sequence)
            let old = StoredIdentity(type: route.type, sequence: route.sequence)
            guard let first = inside.first, let last = inside.last else {
                replaced.append((old, nil))
                continue
            }
            var document = content.2
            let times = document.series[RouteDocument.Column.timestamps.rawValue] ?? []
            document.series = document.series.mapValues { column in
                column.count == times.count ? inside.map { column[$0] } : column
            }
            var new = route
            (new.sequence, new.uuid) = (try allocate(1, pending: &pending), nil)
            (new.start, new.end) = (times[first], max(times[first], times[last]))
            new.payload = ObjectCoder.encode(metadata: content.0, creation: content.1, body: .document(document))
            replaced.append((old, new))
        }
        return (links.filter { !outside.contains($0.member) }, replaced)
    }

    /// Whether both ends are moved by the same time, to the minute that people enter: the clock was wrong.
    private func isMove(to range: ClosedRange<Double>) -> Bool {
        let (first, last) = (range.lowerBound - stored.start, range.upperBound - stored.end)
        return abs(last - first) < min(60, abs(first))
    }

    /// Raises the sync version, so that an application's older version doesn't take the place of the corrected workout.
    private mutating func takeSync() throws -> (key: StoredSync.Key, version: Double)? {
        guard let mark = SyncMark(metadata),
            let source = try transaction.dictionaries().revision(stored.revision)?.source.bundleIdentifier
        else { return nil }
        let key = mark.key(source: source, type: stored.type)
        // An import stores the metadata alone.
        guard try transaction.sync(key)?.sequence == stored.sequence else { return nil }
        let version = mark.version + 1
        let whole = Int64(exactly: version).map { MetadataValue.integer($0) }
        metadata.set(MetadataKey.syncVersion, whole ?? .double(version))
        return (key, version)
    }

    /// Relates the effort samples of the old workout to the new one.
    ///
    /// - Returns: The sequences of the relations with those that are in their place.
    private func moveEfforts(
        to new: StoredObject, _ identity: UUID, _ derived: UUID?, pending: inout PendingCommit
    ) throws -> [(old: Int64, new: Int64)] {
        var moved: [(old: Int64, new: Int64)] = []
        let relations = try EffortRelation.all(in: transaction, transaction.dictionaries())
        for var relation in relations where relation.workout == uuid {
            guard var object = try transaction.object(sequence: relation.sequence) else { continue }
            relation.workout = identity
            if let derived, relation.activity == derived {
                relation.activity = body.activities(of: identity, start: 0, end: 0).first?.uuid
            }
            try transaction.removeObject(sequence: object.sequence)
            (object.sequence, object.start, object.end) = (try allocate(1, pending: &pending), new.start, new.end)
            object.payload = ObjectCoder.encode(
                metadata: .empty, creation: nil, body: .document(relation.document))
            try transaction.putObject(object)
            moved.append((relation.sequence, object.sequence))
            pending.types.insert(object.type)
        }
        return moved
    }
}
