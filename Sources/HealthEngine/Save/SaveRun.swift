import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// Carries a plan out: one sequence run, old versions out, samples into pages, objects into rows, links.
struct SaveRun {
    let transaction: any StorageTransaction
    let caller: Caller
    let identities: DerivedIdentities
    let editor: PageEditor
    /// Written entries by index: where each one is.
    private(set) var places: [Int: StoredIdentity] = [:]
    /// Devices that the written samples name, for ``HealthEngine/noteKind(revision:device:in:)``.
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

    /// Writes the plan's entries and takes their sequences.
    mutating func write(_ plan: SavePlan, draft: inout CommitDraft) throws {
        let count = plan.sequenceCount
        guard count > 0 else { return }
        let first = try transaction.takeSequences(count)
        draft.took(count, from: first)

        var next = first
        var victims: [Eraser.Victim] = []
        for (index, entry) in plan.entries.enumerated() where entry.supersededBy == nil {
            if let replaced = entry.replaces {
                victims.append(
                    Eraser.Victim(
                        identity: StoredIdentity(type: replaced.key.type, sequence: replaced.sequence),
                        tombstone: next, successor: next + 1))
                next += 1
            }
            let type = entry.item.type
            places[index] = StoredIdentity(type: type, sequence: next)
            draft.types.insert(type)
            next += 1
        }
        draft.keepsShortPages = true
        for victim in victims { _ = draft.shortPages.take(victim.identity.type) }
        try Eraser(transaction: transaction, identities: identities, editor: editor).erase(victims)
        try writeEntries(plan, shortPages: &draft.shortPages)
        try writeLinks(plan)
    }

    private mutating func writeEntries(_ plan: SavePlan, shortPages: inout ShortPages) throws {
        var interner = Interner(transaction)
        let revision = try interner.number(caller.revision)
        var builders: [TypeCode: ColumnsBuilder] = [:]
        for (index, entry) in plan.entries.enumerated() {
            guard let place = places[index] else { continue }
            switch entry.item {
            case .sample(let sample):
                let unit = try interner.number(unit: sample.unit)
                let device = try interner.number(sample.device)
                devices.insert(sample.device)
                builders[sample.type, default: ColumnsBuilder(type: sample.type)].append(
                    sample, unit: unit, revision: revision, device: device, sequence: place.sequence)
                if let uuid = sample.uuid {
                    try refusingDuplicates { try transaction.putIdentity(uuid, place) }
                }
            case .object(let object):
                devices.insert(object.device)
                let stored = try StoredObject(
                    sequence: place.sequence, uuid: object.uuid, type: object.type,
                    start: object.start, end: object.end, revision: revision,
                    device: interner.number(object.device),
                    payload: ObjectCoder.encode(
                        metadata: object.metadata, creation: object.creation, body: object.body))
                try refusingDuplicates { try transaction.putObject(stored) }
            }
            if let key = entry.sync {
                try transaction.putSync(
                    StoredSync(key: key, version: entry.version, sequence: place.sequence))
            }
        }
        for (_, builder) in builders.sorted(by: { $0.key < $1.key }) {
            try editor.merge(builder.ordered(), shortPages: &shortPages)
        }
    }

    /// A UUID that is stored already shows when it is put in.
    private func refusingDuplicates(_ put: () throws -> Void) throws {
        do {
            try put()
        } catch let error as StorageError where error.kind == .duplicate {
            throw SavePlan.duplicate
        }
    }

    private func writeLinks(_ plan: SavePlan) throws {
        for (index, entry) in plan.entries.enumerated() {
            guard let owner = places[index] else { continue }
            for target in entry.members {
                guard let member = place(of: target, in: plan) else { continue }
                try transaction.addLink(
                    StoredLink(
                        owner: owner.sequence, ownerType: owner.type, member: member.sequence,
                        memberType: member.type))
            }
        }
    }

    /// Where a target stands after the write. A stored target that an entry of the batch replaced is
    /// where its successor is.
    func place(of target: SavePlan.Target, in plan: SavePlan) -> StoredIdentity? {
        switch plan.final(target) {
        case .planned(let index):
            return places[index]
        case .stored(let identity):
            let successor = plan.entries.indices.last {
                plan.entries[$0].replaces?.sequence == identity.sequence && places[$0] != nil
            }
            return successor.flatMap { places[$0] } ?? identity
        }
    }
}
