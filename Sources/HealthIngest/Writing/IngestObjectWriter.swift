import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Saves objects: workouts with their parts and samples, blood pressure, electrocardiograms and other documents.
struct IngestObjectWriter {
    let writer: IngestWriter

    /// The caller that reads, whatever the application may read itself.
    private var owner: Caller { Caller(revision: writer.sources.application, permission: .owner) }

    private static let routeType = TypeCatalog.description(for: "HKWorkoutRouteTypeIdentifier")?.code

    /// Saves an object that isn't stored yet. A stored summary of the same period is replaced.
    func write(_ entry: IngestEntry) throws {
        guard case .object(let object) = entry.item else { return }
        guard try writer.mayShare(object.type) else { return writer.tally.add(.denied, of: object.type) }
        switch try find(object, entry) {
        case .same: writer.tally.add(.alreadyThere, of: object.type)
        case .mixed: writer.tally.add(.mixed, of: object.type)
        case .older(let uuids):
            try save(object, entry, deleting: uuids)
            writer.tally.add(.replaced, of: object.type)
        case .none:
            try save(object, entry)
            writer.tally.add(.saved, of: object.type)
        }
    }

    /// Saves a workout with its route and the heart rates that aren't stored as samples; a stored workout gains what it
    /// lacks of them.
    func write(_ workout: IngestWorkout) throws {
        guard case .object(var object) = workout.entry.item else { return }
        guard try writer.mayShare(object.type) else { return writer.tally.add(.denied, of: object.type) }
        // It throws for an identifier that something else has, before anything is counted.
        let found = try findWorkout(object)
        var parts: [ObjectRecord] = []
        for part in workout.entry.parts {
            if try writer.mayShare(part.type) { parts.append(part) } else { writer.tally.add(.denied, of: part.type) }
        }
        let plan = try heartRates(workout.during)
        let rates = (plan.map { Array($0.saves.values.joined()) } ?? []).sorted { $0.start < $1.start }
        let replaced = plan.map { Array($0.deletes) } ?? []
        if let stored = found {
            let saver = Caller(revision: stored.revision ?? writer.sources.application, permission: .owner)
            if let uuid = stored.uuid {
                try writer.engine.addMembers(rates, toObject: uuid, deleting: replaced, as: saver)
            }
            if !parts.isEmpty, let uuid = stored.uuid, try !hasRoute(stored) {
                try writer.engine.addParts(parts, toObject: uuid, as: saver)
                for part in parts { writer.tally.add(.saved, of: part.type) }
            }
            writer.tally.add(.alreadyThere, of: object.type)
        } else {
            if !workout.efforts.isEmpty { object.uuid = object.uuid ?? UUID() }
            object.members = rates
            try writer.engine.save(
                object, owning: [], parts: parts, deleting: replaced, as: writer.saver(named: workout.entry.source))
            writer.tally.add(.saved, of: object.type)
            for part in parts { writer.tally.add(.saved, of: part.type) }
        }
        if let plan, let type = workout.during.first?.type {
            for (fate, count) in plan.fates { writer.tally.add(fate, of: type, count: count) }
        }
        try writer.write(workout.after)
        try writer.write(workout.efforts)
        for case .sample(let effort) in workout.efforts.map(\.item) {
            // One that wasn't saved is stored already, or gives way to a sample that is.
            guard let uuid = found?.uuid ?? object.uuid, let own = effort.uuid,
                try writer.engine.withReader(as: owner, { try $0.locate(own) }) != nil
            else { continue }
            try writer.engine.workoutEffort.relate(effort, toWorkout: uuid, activity: nil, as: owner)
        }
    }

    /// The plan for the heart rates of a workout, which are saved with it; `nil` if there are none to save.
    private func heartRates(_ entries: [IngestEntry]) throws -> SamplePlan? {
        guard let type = entries.first?.type else { return nil }
        guard try writer.mayShare(type) else {
            writer.tally.add(.denied, of: type, count: entries.count)
            return nil
        }
        return try writer.plan(entries, of: type)
    }

    private func save(_ object: ObjectRecord, _ entry: IngestEntry, deleting older: Set<UUID> = []) throws {
        var object = object
        if let summary = entry.summary {
            object.metadata.entries.append(.init(key: IngestMetadataKey.aggregation, value: .string(summary.rawValue)))
        }
        try writer.save([SaveGroup([.object(object)], as: writer.saver(named: entry.source))], deleting: older)
    }

    // MARK: What is stored

    private enum Finding {
        case none
        case same
        case mixed
        case older(Set<UUID>)
    }

    private func find(_ object: ObjectRecord, _ entry: IngestEntry) throws -> Finding {
        if try identified(object) != nil { return .same }
        let name = writer.sources.name(of: entry.source)
        var older: Set<UUID> = []
        for stored in try stored(like: object) {
            var aggregation: String?
            if case .string(let text) = stored.metadata[IngestMetadataKey.aggregation] { aggregation = text }
            guard let uuid = stored.uuid else { continue }
            let isSameSource = entry.source == nil || stored.revision?.source.name == name
            let isOwn = stored.revision.map { writer.sources.isOwn($0.source) } ?? false
            switch (entry.summary?.rawValue, aggregation) {
            case (nil, nil) where isOwn && isRenamed(object, stored): older.insert(uuid)
            case (nil, nil):
                if isSameSource, isSame(object, stored, ignoringEnd: !entry.isEndKnown) { return .same }
            case (let new?, let old?) where new == old && stored.start == object.start && isOwn:
                if isSame(object, stored, ignoringEnd: false) { return .same }
                older.insert(uuid)
            default:
                guard StoredCandidates.overlaps(stored.start, stored.end, object.start, object.end) else { continue }
                guard writer.replacesOtherKind, isOwn || writer.mayDeleteOthers else { return .mixed }
                older.insert(uuid)
            }
        }
        return older.isEmpty ? .none : .older(older)
    }

    private func findWorkout(_ object: ObjectRecord) throws -> ObjectRecord? {
        if let stored = try identified(object) { return stored }
        guard case .workout(let body) = object.body else { return nil }
        let readsAll = try writer.mayReadAll(object.type)
        for (original, corrected) in try writer.correctedWorkouts.get() {
            guard readsAll || corrected.revision.map({ writer.sources.isOwn($0.source) }) ?? false else { continue }
            if original.uuid == object.uuid || isSame(object, body, original) { return corrected }
        }
        // Without an identifier, and for workouts that an archive brought.
        return try stored(like: object).first { isSame(object, body, $0) }
    }

    private func isSame(_ object: ObjectRecord, _ body: WorkoutBody, _ stored: ObjectRecord) -> Bool {
        guard case .workout(let other) = stored.body else { return false }
        return abs(stored.start - object.start) < 1 && abs(stored.end - object.end) < 1
            && other.activityType == body.activityType
    }

    /// Whether a stored object has the same contents.
    private func isSame(_ object: ObjectRecord, _ stored: ObjectRecord, ignoringEnd: Bool) -> Bool {
        guard StoredCandidates.second(stored.start) == StoredCandidates.second(object.start),
            ignoringEnd || StoredCandidates.second(stored.end) == StoredCandidates.second(object.end)
        else { return false }
        if case .document(let one) = object.body, case .document(let other) = stored.body {
            if let new = one.series[ElectrocardiogramDocument.voltages(lead: 1)] {
                let old = other.series[ElectrocardiogramDocument.voltages(lead: 1)] ?? []
                return old.isEmpty || old.count == new.count
            }
            return one.series.isEmpty && !other.series.isEmpty || one.fields == other.fields
        }
        guard object.members.count == stored.members.count else { return false }
        return object.members.allSatisfy { member in
            stored.members.contains {
                let conversions = SampleConversions(canonical: member.unit)
                return $0.type == member.type
                    && StoredCandidates.areEqual(conversions.canonical($0.value, $0.unit), member.value)
            }
        }
    }

    /// Whether both are the same medication with other fields, such as another nickname.
    private func isRenamed(_ object: ObjectRecord, _ stored: ObjectRecord) -> Bool {
        guard case .document(let one) = object.body, case .document(let other) = stored.body,
            one["displayText"] != nil, let concept = one["medicationConceptIdentifier"]
        else { return false }
        return other["medicationConceptIdentifier"] == concept && one.fields != other.fields
    }

    /// The stored objects of the same type and about the same time that the application may know of.
    private func stored(like object: ObjectRecord) throws -> [ObjectRecord] {
        let filter = SampleFilter.and([
            .start(.lessThanOrEqual, object.end + 1), .end(.greaterThanOrEqual, object.start - 1),
        ])
        let selection = try writer.engine.samples(
            SampleRequest(parts: [.init(type: object.type, filter: filter)]),
            as: owner)
        let readsAll = try writer.mayReadAll(object.type)
        return selection.objects.filter { stored in
            readsAll || stored.revision.map { writer.sources.isOwn($0.source) } ?? false
        }
    }

    /// The stored object with the identifier of an object, if it has one.
    private func identified(_ object: ObjectRecord) throws -> ObjectRecord? {
        guard let uuid = object.uuid else { return nil }
        return try writer.engine.withReader(as: owner) { reading in
            guard let identity = try reading.locate(uuid) else { return nil }
            // A sample with this identity isn't read as an object: its type tells it apart.
            var stored =
                try reading.object(identity.sequence)
                ?? ObjectRecord(uuid: uuid, type: identity.type, start: 0, end: 0)
            guard stored.type == object.type else {
                throw IngestEntryError("“id” is the identifier of something else.")
            }
            stored.uuid = uuid
            return stored
        }
    }

    private func hasRoute(_ workout: ObjectRecord) throws -> Bool {
        try writer.engine.withReader(as: owner) { reading in
            try reading.members(of: workout.sequence).contains { $0.type == Self.routeType }
        }
    }
}
