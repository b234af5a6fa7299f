import Foundation
package import HealthModel
import HealthPages
package import HealthStorage

/// Executes a plan: takes a run of sequence numbers, erases old versions, and writes samples into pages, objects into
/// rows, and links.
package struct SaveRun {
    let transaction: any StorageTransaction
    let caller: Caller
    let identities: DerivedIdentities
    let editor: PageEditor
    /// The identities of the plan's entries; `nil` for one that is not written.
    private(set) var written: [StoredIdentity?] = []
    /// The devices of the samples and objects written.
    private(set) var devices: Set<DeviceRecord> = []
    /// Whether a sample or object without a device was written.
    private(set) var hasSamplesWithoutDevice = false

    init(
        transaction: any StorageTransaction, caller: Caller, identities: DerivedIdentities,
        capacity: Int
    ) {
        self.transaction = transaction
        self.caller = caller
        self.identities = identities
        editor = PageEditor(transaction: transaction, capacity: capacity)
    }

    /// Takes sequence numbers for the plan's entries and writes them.
    mutating func write(_ plan: SavePlan, pending: inout PendingCommit) throws {
        let count = plan.sequenceCount
        guard count > 0 else { return }
        let first = try transaction.allocateSequences(count)
        pending.recordSequences(count, from: first)

        var next = first
        var deletions: [RecordRemover.Deletion] = []
        written = Array(repeating: nil, count: plan.entries.count)
        // The entries stay where they are: copying one retains all of its values.
        for index in plan.entries.indices where plan.entries[index].supersededBy == nil {
            if let replaced = plan.entries[index].replaces {
                deletions.append(
                    RecordRemover.Deletion(
                        identity: StoredIdentity(type: replaced.key.type, sequence: replaced.sequence),
                        tombstone: next, successor: next + 1))
                next += 1
            }
            let type = plan.entries[index].item.type
            written[index] = StoredIdentity(type: type, sequence: next)
            pending.types.insert(type)
            next += 1
        }
        pending.keepsShortPages = true
        for deletion in deletions { _ = pending.shortPages.removePage(of: deletion.identity.type) }
        try RecordRemover(transaction: transaction, identities: identities, editor: editor).erase(deletions)
        try writeEntries(plan, shortPages: &pending.shortPages)
        try writeLinks(plan)
    }

    private mutating func writeEntries(_ plan: SavePlan, shortPages: inout ShortPages) throws {
        var interner = DictionaryInterner(transaction)
        let revision = try transaction.intern(caller.revision)
        var builders: [TypeCode: ColumnsBuilder] = [:]
        for index in plan.entries.indices {
            guard let identity = written[index] else { continue }
            switch plan.entries[index].item {
            case .sample(let sample):
                let unit = try interner.number(unit: sample.unit)
                let device = try interner.number(sample.device)
                record(sample.device)
                builders[sample.type, default: ColumnsBuilder(type: sample.type)].append(
                    sample, unit: unit, revision: revision, device: device, sequence: identity.sequence)
                try putIdentity(of: sample, identity)
            case .object(let object):
                record(object.device)
                let stored = try StoredObject(
                    sequence: identity.sequence, uuid: object.uuid, type: object.type, start: object.start,
                    end: object.end, revision: revision, device: interner.number(object.device),
                    payload: ObjectCoder.encode(metadata: object.metadata, creation: object.creation, body: object.body)
                )
                try SavePlan.reportingDuplicates { try transaction.putObject(stored) }
            }
            if let key = plan.entries[index].sync {
                try transaction.putSync(
                    StoredSync(key: key, version: plan.entries[index].version, sequence: identity.sequence))
            }
        }
        let runs = builders.sorted(by: { $0.key < $1.key }).map { $0.value.ordered() }
        try editor.prefetchPages(of: runs, besides: shortPages)
        for run in runs { try editor.merge(run, shortPages: &shortPages) }
    }

    private func putIdentity(of sample: SampleRecord, _ identity: StoredIdentity) throws {
        guard let uuid = sample.uuid else { return }
        try SavePlan.reportingDuplicates { try transaction.putIdentity(uuid, identity) }
    }

    private mutating func record(_ device: DeviceRecord?) {
        if let device { devices.insert(device) } else { hasSamplesWithoutDevice = true }
    }

    private func writeLinks(_ plan: SavePlan) throws {
        for index in plan.entries.indices where !plan.entries[index].members.isEmpty {
            guard let owner = written[index] else { continue }
            try transaction.addLinks(links(from: owner, to: plan.entries[index].members, in: plan))
        }
    }

    /// Returns an owner's links to the targets that are stored after the write.
    func links(from owner: StoredIdentity, to targets: [SavePlan.Target], in plan: SavePlan) -> [StoredLink] {
        targets.compactMap { target in
            identity(of: target, in: plan).map { StoredLink(from: owner, to: $0) }
        }
    }

    /// Returns a target's identity after the write: that of its successor if an entry of the batch replaced it.
    package func identity(of target: SavePlan.Target, in plan: SavePlan) -> StoredIdentity? {
        switch plan.final(target) {
        case .planned(let index):
            return written.isEmpty ? nil : written[index]
        case .stored(let identity):
            let successor = plan.entries.indices.last {
                plan.entries[$0].replaces?.sequence == identity.sequence && written[$0] != nil
            }
            return successor.flatMap { written[$0] } ?? identity
        }
    }
}

/// Gives dictionary entries their numbers in the store, asking the backend once for each.
package struct DictionaryInterner {
    private let transaction: any StorageTransaction
    private var numbers: [DictionaryEntry: UInt32] = [:]
    /// The unit asked for last: samples that are saved together usually have the same.
    private var lastUnit: (text: String, number: UInt32) = ("", 0)
    /// Likewise the revision and the device: comparing equal ones is faster than hashing all their texts.
    private var lastRevision: (record: SourceRevisionRecord, number: UInt32)?
    private var lastDevice: (record: DeviceRecord, number: UInt32)?

    package init(_ transaction: any StorageTransaction) {
        self.transaction = transaction
    }

    /// The unit's number; 0 for the empty string.
    package mutating func number(unit: String) throws -> UInt32 {
        if lastUnit.text == unit { return lastUnit.number }
        let number = unit.isEmpty ? 0 : try number(.unit(unit))
        lastUnit = (unit, number)
        return number
    }

    /// The device's number; 0 for none.
    package mutating func number(_ device: DeviceRecord?) throws -> UInt32 {
        guard let device else { return 0 }
        if let lastDevice, lastDevice.record == device { return lastDevice.number }
        let number = try number(.device(device))
        lastDevice = (device, number)
        return number
    }

    /// The revision's number; 0 for none.
    package mutating func number(_ revision: SourceRevisionRecord?) throws -> UInt32 {
        guard let revision else { return 0 }
        if let lastRevision, lastRevision.record == revision { return lastRevision.number }
        let number = try number(.revision(revision))
        lastRevision = (revision, number)
        return number
    }

    private mutating func number(_ entry: DictionaryEntry) throws -> UInt32 {
        if let known = numbers[entry] { return known }
        let number = try transaction.intern(entry)
        numbers[entry] = number
        return number
    }
}

/// Collects sample records of one type as ordered columns.
struct ColumnsBuilder {
    private var columns: SampleColumns
    private var interner = MetadataInterner()
    private var isOrdered = true

    init(type: TypeCode) {
        columns = SampleColumns(type: type)
    }

    /// Appends a sample whose sequence is above those of all before it.
    mutating func append(
        _ sample: SampleRecord, unit: UInt32, revision: UInt32, device: UInt32, sequence: Int64
    ) {
        if let last = columns.starts.last, sample.start < last { isOrdered = false }
        columns.append(sample, unit: unit, revision: revision, device: device, sequence: sequence, &interner)
    }

    /// Returns the samples by start, then sequence.
    func ordered() -> SampleColumns {
        isOrdered ? columns : columns.permuted(by: columns.orderByStart())
    }
}
