package import Foundation
package import HealthEngine
package import HealthModel
import HealthStorage

/// The changes that a device sends from its store to this one: samples and objects with their identities and sources, members
/// of objects, and deletions.
package struct ReceivedChanges: Sendable {
    /// Quantity and category samples, each with a UUID and a source revision.
    package var samples: [SampleRecord]
    /// The quantities of series samples among ``samples``.
    package var series: [UUID: QuantitySeries]
    /// Objects, each with a UUID and a source revision, without members.
    package var objects: [ObjectRecord]
    /// The members of ``objects``. They may arrive in another batch, before or after their owner.
    package var members: [UUID: [UUID]]
    /// Activity summaries. A summary replaces the one of the same day.
    package var summaries: [ActivitySummaryBody]
    /// The identities of deleted samples and objects.
    package var deletions: [UUID]

    package init(
        samples: [SampleRecord] = [], series: [UUID: QuantitySeries] = [:], objects: [ObjectRecord] = [],
        members: [UUID: [UUID]] = [:], summaries: [ActivitySummaryBody] = [], deletions: [UUID] = []
    ) {
        self.samples = samples
        self.series = series
        self.objects = objects
        self.members = members
        self.summaries = summaries
        self.deletions = deletions
    }
}

/// The header of a delivery: who sends it, and its place among the deliveries of that device.
package struct SyncBatchHeader: Hashable, Sendable, Codable {
    /// The identity that the device chose.
    package var device: UUID
    /// A name of the device for people.
    package var name: String
    /// The number of the delivery. A device never uses a number for other contents; some numbers may be missing.
    package var sequence: Int
    /// The number of the last delivery that the device knows to be stored; 0 if there is none.
    package var acknowledged: Int
    /// The identity of the delivery's contents, such as a digest; `nil` if there is none.
    package var contents: String?

    package init(device: UUID, name: String, sequence: Int, acknowledged: Int, contents: String? = nil) {
        self.device = device
        self.name = name
        self.sequence = sequence
        self.acknowledged = acknowledged
        self.contents = contents
    }

    /// Whether this is the other delivery, sent again.
    func isRepetition(of other: SyncBatchHeader) -> Bool {
        sequence == other.sequence && (contents == nil || other.contents == nil || contents == other.contents)
    }
}

/// The result of a delivery.
package struct SyncBatchOutcome: Hashable, Sendable, Codable {
    /// The number of samples and objects that were new.
    package var added = 0
    /// The number of objects that were stored with other contents or fewer members.
    package var updated = 0
    /// The number of samples and objects that were stored already.
    package var unchanged = 0
    /// The number of samples and objects that were deleted.
    package var deleted = 0
    /// Samples and objects that cannot be stored, with reasons that contain no health data.
    package var rejected: [UUID: String] = [:]

    /// Creates the outcome of a delivery that changed nothing.
    package init() {}
}

/// The record of a device that delivers.
package struct SyncDeviceRecord: Hashable, Sendable, Codable {
    /// The header of the last delivery.
    package var last: SyncBatchHeader
    /// When the last delivery was stored, in seconds since 2001-01-01 00:00:00 UTC.
    package var date: Double
    /// When the first delivery was stored, in seconds since 2001-01-01 00:00:00 UTC.
    package var firstDate: Double
    /// The outcome of the last delivery.
    package var outcome: SyncBatchOutcome
    /// The number of samples and objects that all deliveries added.
    package var added: Int
    /// The number of samples and objects that all deliveries deleted.
    package var deleted: Int
}

/// A delivery that does not continue the ones before.
package enum SyncOrderError: Error, Hashable, Sendable {
    /// A later delivery of the device is stored: this one was delayed, or the device has an older state.
    case stale(lastSequence: Int)
    /// A delivery that the device knows to be stored is not: this store is an older copy or another one.
    case lost(lastSequence: Int)
}

/// The devices that deliver to a store, in its settings table.
enum SyncDeviceLog {
    static let namespace = "deliveries"
}

extension HealthEngine {
    /// The devices that have delivered to this store, in the order of their names.
    package func deliveries() throws -> [SyncDeviceRecord] {
        try storage.read { snapshot in
            try snapshot.values(namespace: SyncDeviceLog.namespace).values.map {
                try Settings.decode(SyncDeviceRecord.self, from: $0, namespace: SyncDeviceLog.namespace)
            }
        }.sorted { ($0.last.name, $0.last.device.uuidString) < ($1.last.name, $1.last.device.uuidString) }
    }

    /// Forgets a device. Its data stays. If it delivers again, it is asked to send everything it has.
    package func forgetDelivery(device: UUID) throws {
        try commit { transaction, pending in
            try transaction.setValue(nil, namespace: SyncDeviceLog.namespace, key: device.uuidString)
            pending.settingsChanged = true
        }
    }

    /// Stores a delivery and its number in one transaction.
    ///
    /// Samples and objects keep their UUIDs, source revisions and devices, whichever caller sends them, so this is for
    /// a caller who acts as the person; for any other one, every type must be shared. Everything is recognized by UUID:
    /// what is stored is not stored again, an object with other contents is updated in its place, and a sync identifier
    /// with a higher version replaces the older version. A sample that is not valid is rejected and does not keep the
    /// others from being stored.
    ///
    /// A delivery with the number and the contents of the last one is that delivery again: nothing happens, and its
    /// outcome is returned. One with the same number and other contents comes from a copy of the device, and is stale.
    ///
    /// - Throws: ``SyncOrderError``; ``EngineError/authorizationDenied(_:)`` and
    ///   ``EngineError/authorizationNotDetermined(_:)``; errors of the storage. Nothing is stored then.
    package func receive(
        _ changes: ReceivedChanges, _ header: SyncBatchHeader, as caller: Caller
    ) throws -> SyncBatchOutcome {
        try commit { transaction, pending in
            let known = try Settings.read(
                SyncDeviceRecord.self, namespace: SyncDeviceLog.namespace, key: header.device.uuidString,
                in: transaction)
            let last = known?.last.sequence ?? 0
            if let known, header.isRepetition(of: known.last) { return known.outcome }
            guard header.sequence > last else { throw SyncOrderError.stale(lastSequence: last) }
            guard header.acknowledged <= last else { throw SyncOrderError.lost(lastSequence: last) }
            var run = SyncBatchWriter(engine: self, transaction: transaction, caller: caller)
            try run.write(changes, pending: &pending)
            let now = configuration.now()
            let record = SyncDeviceRecord(
                last: header, date: now, firstDate: known?.firstDate ?? now, outcome: run.outcome,
                added: (known?.added ?? 0) &+ run.outcome.added, deleted: (known?.deleted ?? 0) &+ run.outcome.deleted)
            try Settings.write(
                record, namespace: SyncDeviceLog.namespace, key: header.device.uuidString, in: transaction)
            return run.outcome
        }
    }
}
