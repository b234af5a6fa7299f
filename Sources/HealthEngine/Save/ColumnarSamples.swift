package import Foundation
package import HealthModel
import HealthStorage

/// Quantity samples without a device and metadata, column by column, in the order in which they are to be saved.
///
/// Most of what programs deliver is of this form. It takes a tenth of the memory of as many ``SaveItem``s, and a save
/// encodes the columns as they are.
package struct ColumnarSamples: Sendable {
    /// A type and a unit string; most batches have one pair.
    package struct Kind: Hashable, Sendable {
        /// The type, which is a quantity type.
        package var type: TypeCode
        /// The unit string of the values.
        package var unit: String

        /// Creates a pair.
        package init(type: TypeCode, unit: String) {
            self.type = type
            self.unit = unit
        }
    }

    /// The pairs of types and units that occur.
    package private(set) var kinds: [Kind] = []
    /// The number of each sample's type and unit among ``kinds``; empty while all samples have the first.
    private(set) var kindNumbers: [UInt32] = []
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package private(set) var starts: [Double] = []
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package private(set) var ends: [Double] = []
    /// The quantities.
    package private(set) var values: [Double] = []
    /// Identities given by the application.
    package private(set) var uuids = OptionalColumn<UUID?>()
    private var numbersOfKinds: [Kind: Int] = [:]
    /// The number of the kind appended last.
    private var lastKind = 0
    /// The first sample of each kind.
    private var firstRows: [Int] = []

    /// Creates an empty batch.
    package init() {}

    /// Creates a batch of samples; `nil` unless all are quantities without a device, metadata and a creation date.
    package init?(_ samples: [SampleRecord]) {
        reserveCapacity(samples.count)
        for sample in samples {
            guard sample.device == nil, sample.metadata.isEmpty, sample.creation == nil, !sample.unit.isEmpty else {
                return nil
            }
            append(
                type: sample.type, start: sample.start, end: sample.end, value: sample.value, unit: sample.unit,
                uuid: sample.uuid)
        }
    }

    /// The number of samples.
    package var count: Int { starts.count }
    /// Whether there are no samples.
    package var isEmpty: Bool { starts.isEmpty }

    /// Reserves memory for samples.
    package mutating func reserveCapacity(_ count: Int) {
        starts.reserveCapacity(count)
        ends.reserveCapacity(count)
        values.reserveCapacity(count)
    }

    /// Appends a sample. Nothing is validated.
    ///
    /// - Parameters:
    ///   - start: Seconds since 2001-01-01 00:00:00 UTC.
    ///   - end: Seconds since 2001-01-01 00:00:00 UTC.
    ///   - unit: The unit string of `value`.
    package mutating func append(type: TypeCode, start: Double, end: Double, value: Double, unit: String, uuid: UUID?) {
        let row = starts.count
        let number = kindNumber(type, unit)
        if number > 0 || !kindNumbers.isEmpty {
            if kindNumbers.isEmpty { kindNumbers = [UInt32](repeating: 0, count: row) }
            kindNumbers.append(UInt32(number))
        }
        starts.append(start)
        ends.append(end)
        values.append(value)
        if uuid != nil || !uuids.isEmpty {
            uuids.fill(to: row)
            uuids.append(uuid)
        }
    }

    private mutating func kindNumber(_ type: TypeCode, _ unit: String) -> Int {
        if lastKind < kinds.count, kinds[lastKind].type == type, kinds[lastKind].unit == unit { return lastKind }
        let kind = Kind(type: type, unit: unit)
        lastKind = numbersOfKinds[kind] ?? kinds.count
        if lastKind == kinds.count {
            numbersOfKinds[kind] = lastKind
            kinds.append(kind)
            firstRows.append(starts.count)
        }
        return lastKind
    }

    /// The number of a sample's type and unit among ``kinds``.
    func kindNumber(of row: Int) -> Int {
        kindNumbers.isEmpty ? 0 : Int(kindNumbers[row])
    }

    /// The samples as items of a batch.
    package var items: [SaveItem] {
        starts.indices.map { row in
            let kind = kinds[kindNumber(of: row)]
            return .sample(
                SampleRecord(
                    uuid: uuids.entry(at: row), type: kind.type, start: starts[row], end: ends[row], value: values[row],
                    unit: kind.unit))
        }
    }
}

// MARK: - Validation and columns

extension ColumnarSamples {
    /// Validates every sample as ``RecordValidation`` does.
    func validate(_ describe: (TypeCode) throws -> TypeDescription) throws {
        let descriptions = try kinds.map { try describe($0.type) }
        for (number, row) in firstRows.enumerated() {
            // What isn't checked below is the same for all samples of a kind.
            let (kind, description) = (kinds[number], descriptions[number])
            try RecordValidation.validate(
                SampleRecord(type: kind.type, start: starts[row], end: ends[row], value: values[row], unit: kind.unit),
                description: description)
        }
        for row in starts.indices {
            // The usual case costs three comparisons: NaN and infinities fail them.
            if starts[row] <= ends[row], starts[row] > -RecordValidation.distantFuture,
                ends[row] < RecordValidation.distantFuture
            {
                continue
            }
            try RecordValidation.validateDates(
                start: starts[row], end: ends[row], description: descriptions[kindNumber(of: row)])
        }
    }

    /// The columns of each type, ordered by start.
    ///
    /// - Parameters:
    ///   - units: The store's numbers of the units of ``kinds``.
    ///   - first: The sequence of the first sample; the others follow.
    func columns(units: [UInt32], revision: UInt32, firstSequence first: Int64) -> [SampleColumns] {
        let types = Set(kinds.map(\.type)).sorted()
        return types.map { type in
            var columns = SampleColumns(type: type)
            if types.count == 1 {
                (columns.starts, columns.ends, columns.values, columns.uuids) = (starts, ends, values, uuids)
                columns.units =
                    kindNumbers.isEmpty
                    ? [UInt32](repeating: units[0], count: count) : kindNumbers.map { units[Int($0)] }
                columns.sequences = Array(first..<first + Int64(count))
            } else {
                let rows = starts.indices.filter { kinds[kindNumber(of: $0)].type == type }
                columns.starts = rows.map { starts[$0] }
                columns.ends = rows.map { ends[$0] }
                columns.values = rows.map { values[$0] }
                columns.units = rows.map { units[kindNumber(of: $0)] }
                columns.sequences = rows.map { first + Int64($0) }
                if !uuids.isEmpty { columns.uuids = OptionalColumn(rows.map { uuids[$0] }) }
            }
            let rowCount = columns.starts.count
            columns.revisions = [UInt32](repeating: revision, count: rowCount)
            columns.devices = [UInt32](repeating: 0, count: rowCount)
            columns.metadata.numbers = [UInt32](repeating: 0, count: rowCount)
            let isOrdered = zip(columns.starts, columns.starts.dropFirst()).allSatisfy { $0 <= $1 }
            return isOrdered ? columns : columns.permuted(by: columns.orderByStart())
        }
    }
}

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
