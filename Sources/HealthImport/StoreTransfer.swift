import Foundation
import HealthEngine
import HealthModel
import HealthPages
package import HealthStorage

/// Copies a store into a new one of another backend, such as from a file into a database.
///
/// The copy is the same store: identity, sequence numbers, UUIDs, dictionaries, permissions and settings are kept, so
/// anchors that applications have stored work with it. It is one transaction: a copy that is interrupted leaves the new
/// store empty.
package enum StoreTransfer {
    /// The counts of copied samples and objects.
    package struct Report: Hashable, Sendable, Encodable {
        /// The number of quantity and category samples.
        package var samples = 0
        /// The number of other objects.
        package var objects = 0
        /// The number of deletions.
        package var deletions = 0
    }

    /// Copies everything.
    ///
    /// - Parameter progress: Called with the number of samples copied so far.
    /// - Throws: ``EngineError/invalidArgument(_:)`` if the destination is not empty; `StorageError`.
    package static func copy(
        from source: any HealthStorage, to destination: any HealthStorage, progress: (Int) -> Void = { _ in }
    ) throws -> Report {
        try source.read { snapshot in
            try destination.write { transaction in
                try expectEmpty(transaction)
                var report = Report()
                var uuidsOfObjects: Set<UUID> = []
                try transaction.adopt(snapshot.identity())
                _ = try transaction.allocateSequences(Int(snapshot.lastSequence()))
                try copyDictionaries(snapshot, transaction)
                for type in try snapshot.typesInUse() {
                    try snapshot.visitPages(of: type, in: .all, bodies: true) { page in
                        var copy = page.copy
                        copy.summary = try PageTotals(PageHeader(of: page))
                        try transaction.putPage(copy)
                        report.samples += page.bounds.count
                        progress(report.samples)
                        return true
                    }
                    try snapshot.visitObjects(of: type, in: .all) { object in
                        if let uuid = object.uuid { uuidsOfObjects.insert(uuid) }
                        try transaction.putObject(object)
                        report.objects += 1
                        return true
                    }
                }
                report.deletions = try copyRest(snapshot, transaction, except: uuidsOfObjects)
                return report
            }
        }
    }

    private static func expectEmpty(_ transaction: any StorageTransaction) throws {
        guard try transaction.lastSequence() == 0, try transaction.typesInUse().isEmpty,
            try transaction.namespaces().isEmpty
        else { throw EngineError.invalidArgument("The store to copy to is not empty.") }
    }

    /// The numbers of entries follow from their order.
    private static func copyDictionaries(_ snapshot: any StorageSnapshot, _ transaction: any StorageTransaction) throws
    {
        let dictionaries = try snapshot.dictionaries()
        func check(_ number: UInt32, _ index: Int) throws {
            guard number == index + 1 else {
                throw StorageError(.damaged, "A dictionary of the store has two equal entries.")
            }
        }
        for (index, source) in dictionaries.sources.enumerated() { try check(transaction.intern(source), index) }
        for (index, revision) in dictionaries.revisions.enumerated() { try check(transaction.intern(revision), index) }
        for (index, device) in dictionaries.devices.enumerated() { try check(transaction.intern(device), index) }
        for (index, unit) in dictionaries.units.enumerated() { try check(transaction.intern(unit: unit), index) }
        for type in dictionaries.types {
            guard try transaction.intern(typeIdentifier: type.identifier, kind: type.kind) == type.code else {
                throw StorageError(.damaged, "A type of the store has another number in the copy.")
            }
        }
    }

    /// Copies links, identities, sync identifiers, deletions and settings. Returns the number of deletions.
    private static func copyRest(
        _ snapshot: any StorageSnapshot, _ transaction: any StorageTransaction, except uuidsOfObjects: Set<UUID>
    ) throws -> Int {
        for type in try snapshot.typesInUse() {
            try snapshot.visitObjects(of: type, in: .all) { object in
                try transaction.addLinks(snapshot.links(ofOwner: object.sequence))
                return true
            }
        }
        try snapshot.visitIdentities { uuid, identity in
            // Those of objects were entered with them.
            if !uuidsOfObjects.contains(uuid) { try transaction.putIdentity(uuid, identity) }
            return true
        }
        try snapshot.visitSyncs { sync in
            try transaction.putSync(sync)
            return true
        }
        var deletions = 0
        try snapshot.visitTombstones(after: 0, types: nil) { tombstone in
            try transaction.putTombstone(tombstone)
            deletions += 1
            return true
        }
        for namespace in try snapshot.namespaces() {
            for (key, value) in try snapshot.values(namespace: namespace) {
                try transaction.setValue(value, namespace: namespace, key: key)
            }
        }
        return deletions
    }
}
