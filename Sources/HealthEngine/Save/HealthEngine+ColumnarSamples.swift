import Foundation
import HealthModel
import HealthStorage

extension HealthEngine {
    /// Saves plain samples on behalf of the caller as ``save(_:as:waiting:)`` saves the same items: all of them, in the
    /// order given, or none.
    ///
    /// - Returns: The sequence of the first sample; those of the others follow. `nil` for an empty batch.
    /// - Throws: The errors of ``save(_:as:waiting:)``.
    package func save(_ samples: ColumnarSamples, as caller: Caller) throws -> Int64? {
        guard !samples.isEmpty else { return nil }
        try samples.validate(typeDescriptions())
        return try commit(prefetching: { samples.uuids.compactMap { $0 } }) { transaction, pending in
            try checkShare(Set(samples.kinds.map(\.type)), as: caller, in: transaction)
            try checkIdentities(samples, in: transaction)
            let first = try transaction.allocateSequences(samples.count)
            pending.recordSequences(samples.count, from: first)
            pending.types.formUnion(samples.kinds.map(\.type))
            pending.keepsShortPages = true
            let revision = try transaction.intern(caller.revision)
            let units = try samples.kinds.map { $0.unit.isEmpty ? 0 : try transaction.intern(unit: $0.unit) }
            try putIdentities(samples, firstSequence: first, in: transaction)
            let editor = PageEditor(transaction: transaction, capacity: configuration.pageCapacity)
            for columns in samples.columns(units: units, revision: revision, firstSequence: first) {
                try editor.merge(columns, shortPages: &pending.shortPages)
            }
            try recordKind(revision: caller.revision, device: nil, in: transaction, pending: &pending)
            return first
        }
    }

    /// Throws if a UUID occurs twice in the batch or belongs to a stored sample whose UUID is derived.
    private func checkIdentities(_ samples: ColumnarSamples, in transaction: any StorageTransaction) throws {
        guard !samples.uuids.isEmpty else { return }
        let finder = finder(in: transaction)
        var seen = Set<UUID>(minimumCapacity: samples.count)
        for case let uuid? in samples.uuids {
            guard seen.insert(uuid).inserted, try finder.locateDerived(uuid) == nil else { throw SavePlan.duplicate }
        }
    }

    private func putIdentities(
        _ samples: ColumnarSamples, firstSequence: Int64, in transaction: any StorageTransaction
    ) throws {
        for (row, uuid) in samples.uuids.enumerated() {
            guard let uuid else { continue }
            let identity = StoredIdentity(
                type: samples.kinds[samples.kindNumber(of: row)].type, sequence: firstSequence + Int64(row))
            try SavePlan.reportingDuplicates { try transaction.putIdentity(uuid, identity) }
        }
    }
}
