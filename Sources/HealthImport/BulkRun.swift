import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// Writes one batch within its transaction: samples first, then objects.
struct BulkRun {
    let transaction: any StorageTransaction
    let identities: DerivedIdentities
    let editor: PageEditor
    let batch: BulkBatch
    /// The last sequence that the import did not allocate.
    let before: Int64

    var matchState: ImportMatchState
    var numbers: BulkNumberMap
    var classes = SourceEquivalence()
    /// The store's units by number, from 1.
    private(set) var units: [String] = []
    /// The members of the batch's objects, by type.
    var members: [TypeCode: BulkMembers] = [:]
    /// The numbers of samples and objects that were added and that were already stored, by type.
    var added: [TypeCode: Int] = [:]
    var alreadyThere: [TypeCode: Int] = [:]
    /// The sequences of the store's workouts that the person has corrected, and the places of those of the batch.
    var correctedWorkouts: Set<Int64> = []
    var corrected: Set<Int> = []
    /// The number of additions without a sample or object to belong to.
    var unmatchedAdditions = 0

    let engine: HealthEngine
    private var hasClasses = false
    private var identifiers: [TypeCode: String] = [:]

    init(
        engine: HealthEngine, transaction: any StorageTransaction, batch: BulkBatch,
        matchState: ImportMatchState
    ) throws {
        self.engine = engine
        self.transaction = transaction
        self.batch = batch
        self.matchState = matchState
        identities = engine.identities
        editor = PageEditor(
            transaction: transaction, capacity: engine.configuration.pageCapacity, encodesInParallel: true)
        numbers = BulkNumberMap(transaction: transaction, dictionaries: batch.dictionaries)
        try self.matchState.recordBeginning(transaction.lastSequence())
        before = self.matchState.lastForeign
    }

    var outcome: BulkOutcome {
        func byIdentifier(_ counts: [TypeCode: Int]) -> [String: Int] {
            var result: [String: Int] = [:]
            for (type, count) in counts where count > 0 {
                result[identifiers[type] ?? type.description] = count
            }
            return result
        }
        return BulkOutcome(
            added: byIdentifier(added), alreadyThere: byIdentifier(alreadyThere),
            unmatchedAdditions: unmatchedAdditions)
    }

    mutating func write(pending: inout PendingCommit) throws {
        try removeReplaced(pending: &pending)
        for columns in batch.columns where columns.count > 0 {
            try write(columns, pending: &pending)
        }
        try writeObjects(pending: &pending)
        for addition in batch.additions { try write(addition, pending: &pending) }
        try recordImported(pending)
        matchState.recordEnd(pending.sequences?.upperBound)
        pending.types.formUnion(added.keys)
        for (revision, device) in numbers.occurringPairs {
            try engine.recordKind(revision: revision, device: device, in: transaction, pending: &pending)
        }
    }

    private mutating func removeReplaced(pending: inout PendingCommit) throws {
        let finder = PageFinder(snapshot: transaction, identities: identities)
        var places: Set<StoredIdentity> = []
        for object in try batch.replaced.compactMap(finder.locate) {
            places.insert(object)
            for link in try transaction.links(ofOwner: object.sequence) {
                places.insert(StoredIdentity(type: link.memberType, sequence: link.member))
            }
        }
        if !places.isEmpty { matchState.forgetCorrections() }
        try engine.erase(places.sorted { $0.sequence < $1.sequence }, in: transaction, pending: &pending)
    }

    /// Records the sequences of this import, and that the store no longer equals the last archive.
    private func recordImported(_ pending: PendingCommit) throws {
        guard let sequences = pending.sequences else { return }
        try ImportHistory.removeKnownArchive(in: transaction)
        var imported = try ImportedSequences(in: transaction)
        imported.append(sequences)
        try imported.write(in: transaction)
    }

    // MARK: - Samples and objects

    mutating func describe(_ type: TypeCode) throws -> TypeDescription {
        let description = try numbers.describe(type)
        identifiers[description.code] = description.identifier
        return description
    }

    func allocateSequences(_ count: Int, pending: inout PendingCommit) throws -> Int64 {
        let first = try transaction.allocateSequences(count)
        pending.recordSequences(count, from: first)
        return first
    }

    /// Updates the equivalence classes and the units if they lack any of these numbers.
    mutating func extendClasses(revisions: [UInt32], devices: [UInt32], units: [UInt32] = []) throws {
        let revision = revisions.max() ?? 0
        let device = devices.max() ?? 0
        guard
            !hasClasses || !classes.covers(revision: revision, device: device)
                || Int(units.max() ?? 0) > self.units.count
        else { return }
        let dictionaries = try transaction.dictionaries()
        classes.extend(to: dictionaries)
        self.units = dictionaries.units
        hasClasses = true
    }

    mutating func extendClasses(of columns: SampleColumns) throws {
        try extendClasses(revisions: columns.revisions, devices: columns.devices, units: columns.units)
    }

    /// Merges new samples into the store's pages and returns their sequences. They are ordered and use the store's
    /// numbers.
    mutating func add(
        _ columns: SampleColumns, pending: inout PendingCommit
    ) throws -> Range<Int64> {
        var columns = columns
        let count = columns.starts.count
        let first = try allocateSequences(count, pending: &pending)
        columns.sequences = Array(first..<first + Int64(count))
        try editor.merge(columns)
        added[columns.type, default: 0] += count
        return first..<first + Int64(count)
    }

    /// Finds objects that are stored under another type because one of the two archives lacks the file that
    /// determines it. If the new one has the file, the stored one is replaced and leaves a tombstone, so that anchored
    /// queries for either type report the change.
    mutating func findByAlternateTypes(_ objects: inout [BulkObject], pending: inout PendingCommit) throws {
        guard !batch.alternateTypes.isEmpty else { return }
        var places: [String: [Int]] = [:]
        for other in batch.alternateTypes {
            guard batch.objects.indices.contains(other.object) else {
                throw EngineError.invalidArgument(
                    "The batch names alternate types of an object that it does not contain.")
            }
            guard !objects[other.object].isDone else { continue }
            for identifier in other.identifiers { places[identifier, default: []].append(other.object) }
        }
        let dictionaries = try transaction.dictionaries()
        for (identifier, places) in places.sorted(by: { $0.key < $1.key }) {
            guard let type = dictionaries.type(identifier: identifier)?.code else { continue }
            try findStored(&objects, at: places.filter { !objects[$0].isDone }, underType: type, pending: &pending)
        }
    }

    private mutating func findStored(
        _ objects: inout [BulkObject], at places: [Int], underType type: TypeCode, pending: inout PendingCommit
    ) throws {
        let candidates = try candidates(startingAt: Set(places.map { objects[$0].record.start }), of: type)
        guard !candidates.isEmpty else { return }
        try extendClasses(revisions: places.map { objects[$0].revision }, devices: places.map { objects[$0].device })
        for place in places {
            let object = objects[place]
            let match = try candidates[object.record.start]?.first { stored in
                // Objects with equal payloads do not differ in their files.
                try matchState.isFree(stored.sequence, of: type) && object.payload != stored.payload
                    && isEqual(object, stored)
            }
            guard let match else { continue }
            _ = matchState.match(match.sequence, of: type)
            if try ObjectEquivalence.withFile(match.payload, newer: object.record) != nil {
                let stored = StoredIdentity(type: type, sequence: match.sequence)
                try engine.erase([stored], in: transaction, pending: &pending)
            } else {
                objects[place].isDone = true
                objects[place].sequence = match.sequence
                alreadyThere[try describe(type).code, default: 0] += 1
            }
        }
    }

    /// Attaches the batch's files to their objects, which are stored by now. A file whose metadata and size equal
    /// those of an existing attachment is skipped.
    func writeAttachments(of objects: [BulkObject]) throws {
        for attachment in batch.attachments {
            guard batch.objects.indices.contains(attachment.owner) else {
                throw EngineError.invalidArgument("The batch contains a file of an object that it does not contain.")
            }
            guard attachment.bytes.count <= AttachmentRecord.maximumSize else {
                throw EngineError.invalidArgument("The batch contains a file that is too large for an attachment.")
            }
            guard let sequence = objects[attachment.owner].sequence else { continue }
            let owner = try transaction.object(sequence: sequence)?.uuid ?? identities.uuid(for: sequence)
            let stored = try AttachmentTable.records(of: owner, in: transaction)
            var record = attachment.record
            record.size = attachment.bytes.count
            guard !stored.contains(where: { $0.metadata == record.metadata && $0.size == record.size }) else {
                continue
            }
            if try AttachmentTable.piece(0, of: record.identifier, in: transaction) != nil {
                record.identifier = Self.mixed(record.identifier, owner)
            }
            try AttachmentTable.add(record, bytes: attachment.bytes, to: owner, in: transaction)
        }
    }

    /// An identity derived from two others, the same in every import.
    private static func mixed(_ one: UUID, _ other: UUID) -> UUID {
        var bytes = one.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            withUnsafeBytes(of: other.uuid) { other in
                for index in bytes.indices { bytes[index] ^= other[index] }
            }
        }
        return UUID(uuid: bytes)
    }

    /// Writes an addition unless it is already stored.
    mutating func write(_ addition: BulkBatch.Addition, pending: inout PendingCommit) throws {
        let finder = PageFinder(snapshot: transaction, identities: identities)
        switch addition {
        case .members(let members, let owner):
            guard let place = try finder.locate(owner), try transaction.object(sequence: place.sequence) != nil else {
                return unmatchedAdditions += members.count
            }
            try link(members, to: place, finder, pending: &pending)
        case .quantities(let series, let sample):
            guard series.isConsistent, series.count > 0, let place = try finder.locate(sample),
                TypeCatalog.description(for: place.type)?.kind == .quantity
            else { return unmatchedAdditions += 1 }
            guard try QuantitySeriesTable.read(of: place, in: transaction) == nil else { return }
            try QuantitySeriesTable.write(series, of: place, in: transaction)
            pending.types.insert(place.type)
        case .attachment(let record, let bytes, let owner):
            guard record.size == bytes.count, bytes.count <= AttachmentRecord.maximumSize,
                let place = try finder.locate(owner)
            else { return unmatchedAdditions += 1 }
            let stored = try AttachmentTable.records(of: owner, in: transaction)
            guard !stored.contains(where: { $0.identifier == record.identifier }) else { return }
            // The identifier is that of another object's attachment; a file belongs to one object only.
            guard try AttachmentTable.piece(0, of: record.identifier, in: transaction) == nil else {
                return unmatchedAdditions += 1
            }
            try AttachmentTable.add(record, bytes: bytes, to: owner, in: transaction)
            pending.types.insert(place.type)
        }
    }

    private mutating func link(
        _ members: [UUID], to owner: StoredIdentity, _ finder: PageFinder, pending: inout PendingCommit
    ) throws {
        var linked = Set(try transaction.links(ofOwner: owner.sequence).map(\.member))
        for member in members {
            guard let place = try finder.locate(member), place.sequence != owner.sequence else {
                unmatchedAdditions += 1
                continue
            }
            guard linked.insert(place.sequence).inserted else { continue }
            try transaction.addLink(StoredLink(from: owner, to: place))
            pending.types.insert(owner.type)
        }
    }
}
