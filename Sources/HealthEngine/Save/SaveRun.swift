import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// Executes a plan: takes a run of sequence numbers, erases old versions, and writes samples into pages, objects into
/// rows, and links.
struct SaveRun {
    let transaction: any StorageTransaction
    let caller: Caller
    let identities: DerivedIdentities
    let editor: PageEditor
    /// The entries written, by index.
    private(set) var written: [Int: StoredIdentity] = [:]
    /// The devices of the samples written.
    private(set) var devices: Set<DeviceRecord?> = []

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
    mutating func write(_ plan: SavePlan, draft: inout CommitDraft) throws {
        let count = plan.sequenceCount
        guard count > 0 else { return }
        let first = try transaction.allocateSequences(count)
        draft.recordSequences(count, from: first)

        var next = first
        var deletions: [Eraser.Deletion] = []
        for (index, entry) in plan.entries.enumerated() where entry.supersededBy == nil {
            if let replaced = entry.replaces {
                deletions.append(
                    Eraser.Deletion(
                        identity: StoredIdentity(type: replaced.key.type, sequence: replaced.sequence),
                        tombstone: next, successor: next + 1))
                next += 1
            }
            let type = entry.item.type
            written[index] = StoredIdentity(type: type, sequence: next)
            draft.types.insert(type)
            next += 1
        }
        draft.keepsShortPages = true
        for deletion in deletions { _ = draft.shortPages.removePage(of: deletion.identity.type) }
        try Eraser(transaction: transaction, identities: identities, editor: editor).erase(deletions)
        try writeEntries(plan, shortPages: &draft.shortPages)
        try writeLinks(plan)
    }

    private mutating func writeEntries(_ plan: SavePlan, shortPages: inout ShortPages) throws {
        var interner = DictionaryInterner(transaction)
        let revision = try interner.number(caller.revision)
        var builders: [TypeCode: ColumnsBuilder] = [:]
        for (index, entry) in plan.entries.enumerated() {
            guard let identity = written[index] else { continue }
            switch entry.item {
            case .sample(let sample):
                let unit = try interner.number(unit: sample.unit)
                let device = try interner.number(sample.device)
                devices.insert(sample.device)
                builders[sample.type, default: ColumnsBuilder(type: sample.type)].append(
                    sample, unit: unit, revision: revision, device: device, sequence: identity.sequence)
                if let uuid = sample.uuid {
                    try reportingDuplicates { try transaction.putIdentity(uuid, identity) }
                }
            case .object(let object):
                devices.insert(object.device)
                let stored = try StoredObject(
                    sequence: identity.sequence, uuid: object.uuid, type: object.type,
                    start: object.start, end: object.end, revision: revision,
                    device: interner.number(object.device),
                    payload: ObjectCoder.encode(
                        metadata: object.metadata, creation: object.creation, body: object.body))
                try reportingDuplicates { try transaction.putObject(stored) }
            }
            if let key = entry.sync {
                try transaction.putSync(
                    StoredSync(key: key, version: entry.version, sequence: identity.sequence))
            }
        }
        for (_, builder) in builders.sorted(by: { $0.key < $1.key }) {
            try editor.merge(builder.ordered(), shortPages: &shortPages)
        }
    }

    /// Reports a UUID that is already stored, which is detected when it is written.
    private func reportingDuplicates(_ put: () throws -> Void) throws {
        do {
            try put()
        } catch let error as StorageError where error.kind == .duplicate {
            throw SavePlan.duplicate
        }
    }

    private func writeLinks(_ plan: SavePlan) throws {
        for (index, entry) in plan.entries.enumerated() {
            guard let owner = written[index] else { continue }
            for target in entry.members {
                guard let member = identity(of: target, in: plan) else { continue }
                try transaction.addLink(
                    StoredLink(
                        owner: owner.sequence, ownerType: owner.type, member: member.sequence,
                        memberType: member.type))
            }
        }
    }

    /// Returns a target's identity after the write: that of its successor if an entry of the batch replaced it.
    func identity(of target: SavePlan.Target, in plan: SavePlan) -> StoredIdentity? {
        switch plan.final(target) {
        case .planned(let index):
            return written[index]
        case .stored(let identity):
            let successor = plan.entries.indices.last {
                plan.entries[$0].replaces?.sequence == identity.sequence && written[$0] != nil
            }
            return successor.flatMap { written[$0] } ?? identity
        }
    }
}

/// Gives units, devices and source revisions their numbers in the store, asking the backend once for each.
struct DictionaryInterner {
    private let transaction: any StorageTransaction
    private var units: [String: UInt32] = ["": 0]
    private var devices: [DeviceRecord: UInt32] = [:]
    private var revisions: [SourceRevisionRecord: UInt32] = [:]

    init(_ transaction: any StorageTransaction) {
        self.transaction = transaction
    }

    /// The unit's number; 0 for the empty string.
    mutating func number(unit: String) throws -> UInt32 {
        if let known = units[unit] { return known }
        let number = try transaction.intern(unit: unit)
        units[unit] = number
        return number
    }

    /// The device's number; 0 for none.
    mutating func number(_ device: DeviceRecord?) throws -> UInt32 {
        guard let device else { return 0 }
        if let known = devices[device] { return known }
        let number = try transaction.intern(device)
        devices[device] = number
        return number
    }

    mutating func number(_ revision: SourceRevisionRecord) throws -> UInt32 {
        if let known = revisions[revision] { return known }
        let number = try transaction.intern(revision)
        revisions[revision] = number
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
        columns.append(
            sample, unit: unit, revision: revision, device: device,
            metadata: interner.number(of: sample.metadata, in: &columns.metadata.table), sequence: sequence)
    }

    /// Returns the samples by start, then sequence.
    func ordered() -> SampleColumns {
        isOrdered ? columns : columns.permuted(by: columns.orderByStart())
    }
}
