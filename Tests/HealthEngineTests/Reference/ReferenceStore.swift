import Foundation
import HealthEngine
import HealthModel

/// A store as a list: what the engine is held to. Everything is a loop over all items; nothing is shared
/// with the engine but the nouns of HealthModel.
struct ReferenceStore {
    var items: [ReferenceItem] = []
    var deletions: [ReferenceDeletion] = []
    /// The deleted items, by the order of their deletion.
    var deleted: [Int: ReferenceItem] = [:]
    /// Counts everything that is saved or deleted.
    var lastOrder = 0
    /// Bundle identifiers in order of first appearance, with the revision they appeared in.
    var appeared: [SourceRevisionRecord] = []
    /// The person's own order of sources, and which do not count, by type.
    var preferences: [TypeCode: (order: [String], disabled: Set<String>)] = [:]

    mutating func save(_ batch: [SaveItem], as caller: Caller) {
        if !appeared.contains(where: { $0.source.bundleIdentifier == caller.bundleIdentifier }) {
            appeared.append(caller.revision)
        }
        for item in batch {
            switch item {
            case .sample(let sample):
                _ = save(sample, as: caller)
            case .object(let object):
                let members = object.members.map { member in
                    items.first { $0.uuid != nil && $0.uuid == member.uuid }?.order
                        ?? save(member, as: caller)
                }
                lastOrder += 1
                items.append(
                    ReferenceItem(
                        order: lastOrder, uuid: object.uuid, type: object.type, start: object.start,
                        end: object.end, revision: caller.revision, device: object.device,
                        metadata: object.metadata, body: object.body, isObject: true))
                link(members, to: lastOrder)
            }
        }
    }

    mutating func addMembers(_ samples: [SampleRecord], toObject uuid: UUID, as caller: Caller) {
        guard let owner = items.first(where: { $0.uuid == uuid })?.order else { return }
        let members = samples.map { sample in
            if let stored = items.first(where: { $0.uuid != nil && $0.uuid == sample.uuid }) { return stored.order }
            var bare = sample
            bare.device = nil
            return save(bare, as: caller)
        }
        link(members, to: owner)
    }

    private mutating func link(_ members: [Int], to owner: Int) {
        for index in items.indices where members.contains(items[index].order) {
            items[index].owners.insert(owner)
        }
    }

    /// Saves one sample and returns its order. A sync version that is not newer is ignored.
    private mutating func save(_ sample: SampleRecord, as caller: Caller) -> Int {
        var owners: Set<Int> = []
        if case .string(let identifier) = sample.metadata[MetadataKey.syncIdentifier],
            let version = sample.metadata[MetadataKey.syncVersion]?.number,
            let index = items.firstIndex(where: {
                $0.type == sample.type && $0.revision.source.bundleIdentifier == caller.bundleIdentifier
                    && $0.metadata[MetadataKey.syncIdentifier] == .string(identifier)
            })
        {
            let old = items[index]
            guard version > old.metadata[MetadataKey.syncVersion]?.number ?? 0 else { return old.order }
            owners = old.owners
            remove([old.order])
        }
        lastOrder += 1
        items.append(
            ReferenceItem(
                order: lastOrder, uuid: sample.uuid, type: sample.type, start: sample.start,
                end: sample.end, value: sample.value, unit: sample.unit, revision: caller.revision,
                device: sample.device, metadata: sample.metadata, owners: owners))
        return lastOrder
    }

    /// Deletes by identity.
    mutating func delete(_ uuids: [UUID]) {
        remove(uuids.compactMap { uuid in items.first { $0.uuid == uuid }?.order })
    }

    /// Deletes by filter, only the application's own unless `owner`; returns how many.
    mutating func deleteObjects(
        of type: TypeCode, matching filter: SampleFilter, as caller: Caller
    ) -> Int {
        let victims = items.filter {
            $0.type == type && matches($0, filter)
                && (caller.permission == .owner
                    || $0.revision.source.bundleIdentifier == caller.bundleIdentifier)
        }
        remove(victims.map(\.order))
        return victims.count
    }

    private mutating func remove(_ orders: [Int]) {
        for order in orders {
            guard let index = items.firstIndex(where: { $0.order == order }) else { continue }
            let item = items.remove(at: index)
            lastOrder += 1
            var deletion = ReferenceDeletion(order: lastOrder, type: item.type, uuid: item.uuid)
            deleted[lastOrder] = item
            if case .string(let identifier) = item.metadata[MetadataKey.syncIdentifier],
                let version = item.metadata[MetadataKey.syncVersion]?.number
            {
                deletion.syncIdentifier = identifier
                deletion.syncVersion = version
            }
            deletions.append(deletion)
            for other in items.indices { items[other].owners.remove(order) }
        }
    }
}

extension ReferenceStore {
    /// Items that any part of the request selects, in the order asked for.
    func samples(_ request: SampleRequest, visible: (ReferenceItem) -> Bool = { _ in true }) -> [ReferenceItem] {
        var found = items.filter { item in
            visible(item) && request.parts.contains { $0.type == item.type && matches(item, $0.filter) }
        }
        found.sort { $0.order < $1.order }
        // Bubbling up keeps equal items as they are.
        if found.count > 1 {
            for _ in found.indices {
                for index in 0..<found.count - 1 where precedes(found[index + 1], found[index], request.sort) {
                    found.swapAt(index, index + 1)
                }
            }
        }
        return request.limit > 0 ? Array(found.prefix(request.limit)) : found
    }

    private func precedes(_ left: ReferenceItem, _ right: ReferenceItem, _ sort: [SampleSort]) -> Bool {
        for key in sort {
            let (one, other) = (value(of: key.key, left), value(of: key.key, right))
            if one != other { return key.ascending ? one < other : one > other }
        }
        return false
    }

    /// Samples of a type are ordered by their quantities, whatever units they were saved in.
    private func canonicalValue(of item: ReferenceItem) -> Double {
        let unit = TypeCatalog.description(for: item.type)?.canonicalUnit
        return unit.flatMap { ReferenceUnits.convert(item.value, from: item.unit, to: $0) } ?? item.value
    }

    private func value(of key: SampleSort.Key, _ item: ReferenceItem) -> Double {
        switch key {
        case .start: item.start
        case .end: item.end
        case .sequence: Double(item.order)
        case .duration: item.duration
        case .value: item.isObject ? -.infinity : canonicalValue(of: item)
        case .workoutTotal(let total):
            item.workout.flatMap { total.value(of: $0) }.flatMap {
                ReferenceUnits.convert($0.value, from: $0.unit, to: "m")
                    ?? ReferenceUnits.convert($0.value, from: $0.unit, to: "kcal")
                    ?? ReferenceUnits.convert($0.value, from: $0.unit, to: "count")
            } ?? -.infinity
        }
    }
}

/// One stored sample or object of the reference model.
struct ReferenceItem {
    /// Position in the order of saving.
    var order: Int
    /// `nil` until the store under test has told the identity it derived.
    var uuid: UUID?
    var type: TypeCode
    var start: Double
    var end: Double
    var value = 0.0
    var unit = ""
    var revision: SourceRevisionRecord
    var device: DeviceRecord?
    var metadata: Metadata
    var body = ObjectBody.none
    var isObject = false
    /// Orders of the objects that own it.
    var owners: Set<Int> = []

    var workout: WorkoutBody? {
        if case .workout(let workout) = body { workout } else { nil }
    }

    var duration: Double { workout?.duration ?? end - start }
}

/// One deletion of the reference model.
struct ReferenceDeletion: Hashable {
    var order: Int
    var type: TypeCode
    var uuid: UUID?
    var syncIdentifier: String?
    var syncVersion: Double?
}
