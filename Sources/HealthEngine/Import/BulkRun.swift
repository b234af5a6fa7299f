import HealthModel
import HealthPages
import HealthStorage

/// One batch on its way into the store, inside its transaction: samples first, then objects.
struct BulkRun {
    let transaction: any StorageTransaction
    let identities: DerivedIdentities
    let editor: PageEditor
    let batch: BulkBatch
    /// The store's last sequence when the import began.
    let before: Int64

    var memory: BulkMemory
    var numbers: BulkNumbers
    var classes = ContentClasses()
    /// Samples and objects that went in and that were there, by type.
    var added: [TypeCode: Int] = [:]
    var alreadyThere: [TypeCode: Int] = [:]
    /// Additions that found nothing to belong to.
    var strayAdditions = 0
    private(set) var kinds: [SourceKind] = []

    private let engine: HealthEngine
    private var hasClasses = false
    private var identifiers: [TypeCode: String] = [:]

    init(
        engine: HealthEngine, transaction: any StorageTransaction, batch: BulkBatch,
        memory: BulkMemory
    ) throws {
        self.engine = engine
        self.transaction = transaction
        self.batch = batch
        self.memory = memory
        identities = engine.identities
        editor = PageEditor(
            transaction: transaction, capacity: engine.configuration.pageCapacity,
            encodesInParallel: true)
        numbers = BulkNumbers(transaction: transaction, dictionaries: batch.dictionaries)
        before = try self.memory.noteBeginning(transaction.lastSequence())
    }

    var outcome: BulkOutcome {
        func byIdentifier(_ counts: [TypeCode: Int]) -> [String: Int] {
            var result: [String: Int] = [:]
            for (type, count) in counts where count > 0 {
                result[identifiers[type] ?? type.description] = count
            }
            return result
        }
        return BulkOutcome(added: byIdentifier(added), alreadyThere: byIdentifier(alreadyThere),
            strayAdditions: strayAdditions)
    }

    mutating func write(draft: inout CommitDraft) throws {
        for columns in batch.columns where columns.count > 0 {
            try write(columns, draft: &draft)
        }
        try writeObjects(draft: &draft)
        for addition in batch.additions { try write(addition, draft: &draft) }
        try noteImported(draft)
        draft.types.formUnion(added.keys)
        for (revision, device) in numbers.occurringPairs {
            try noteKind(revision, device)
        }
    }

    /// Keeps in the store which sequences this import took, and that it is no longer as the last archive
    /// left it.
    private func noteImported(_ draft: CommitDraft) throws {
        guard let sequences = draft.sequences else { return }
        try HealthEngine.forgetKnownArchive(in: transaction)
        var imported = try ImportedSequences(in: transaction)
        imported.append(sequences)
        try imported.write(in: transaction)
    }

    // MARK: For samples and objects alike

    mutating func describe(_ type: TypeCode) throws -> TypeDescription {
        let description = try numbers.describe(type)
        identifiers[description.code] = description.identifier
        return description
    }

    func takeSequences(_ count: Int, draft: inout CommitDraft) throws -> Int64 {
        let first = try transaction.takeSequences(count)
        draft.took(count, from: first)
        return first
    }

    /// Brings the content classes up to what is stored and to these numbers.
    mutating func extendClasses(revisions: [UInt32], devices: [UInt32]) throws {
        let revision = revisions.max() ?? 0
        let device = devices.max() ?? 0
        guard !hasClasses || !classes.covers(revision: revision, device: device) else { return }
        try classes.extend(to: transaction.dictionaries())
        hasClasses = true
    }

    mutating func noteKind(_ revision: SourceRevisionRecord, _ device: DeviceRecord?) throws {
        if let kind = try engine.noteKind(revision: revision, device: device, in: transaction) {
            kinds.append(kind)
        }
    }

    /// The store's merge of new samples, ordered and in its numbers, with sequences of their own.
    mutating func add(
        _ columns: SampleColumns, draft: inout CommitDraft
    ) throws -> Range<Int64> {
        var columns = columns
        let count = columns.starts.count
        let first = try takeSequences(count, draft: &draft)
        columns.sequences = Array(first..<first + Int64(count))
        try editor.merge(columns)
        added[columns.type, default: 0] += count
        return first..<first + Int64(count)
    }
}
