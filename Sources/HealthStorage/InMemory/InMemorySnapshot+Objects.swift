import Foundation
import HealthModel

extension InMemorySnapshot {
    final func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        switch window {
        case .all:
            try visitObjects(of: type, startsBefore: nil, endsAtOrAfter: nil, visit)
        case .time(let startsBefore, let endsAtOrAfter):
            try visitObjects(of: type, startsBefore: startsBefore, endsAtOrAfter: endsAtOrAfter, visit)
        case .sequencesAfter(let sequence):
            guard sequence < .max else { return }
            try state.objectKeys.visit(from: sequence + 1) { _, key in
                guard key.type == type, let object = state.objects[key] else { return true }
                return try visit(object)
            }
        case .containing(let sequence):
            if let object = try object(sequence: sequence), object.type == type {
                _ = try visit(object)
            }
        }
    }

    private func visitObjects(
        of type: TypeCode, startsBefore: Double?, endsAtOrAfter: Double?,
        _ visit: (StoredObject) throws -> Bool
    ) throws {
        let before = InMemoryObjectKey(type: type, start: -.infinity, sequence: .min)
        try state.objects.visit(from: before) { key, object in
            guard key.type == type else { return false }
            if let startsBefore, key.start >= startsBefore { return false }
            if let endsAtOrAfter, object.end < endsAtOrAfter { return true }
            return try visit(object)
        }
    }

    final func object(sequence: Int64) throws -> StoredObject? {
        state.objectKeys[sequence].flatMap { state.objects[$0] }
    }

    final func locate(_ uuid: UUID) throws -> StoredIdentity? {
        state.identities[uuid]
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        state.syncs[InMemorySyncKey(key: key)]
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        guard sequence < .max else { return }
        try state.tombstones.visit(from: sequence + 1) { _, tombstone in
            if let types, !types.contains(tombstone.type) { return true }
            return try visit(tombstone)
        }
    }
}
