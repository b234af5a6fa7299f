import HealthEngine
import HealthModel
import HealthStorage

/// Translates a batch's numbers into the store's, interning a dictionary entry when its number is first used.
struct BulkNumberMap {
    private static let unknown = UInt32.max

    private let transaction: any StorageTransaction
    private let dictionaries: StoreDictionaries
    private var revisions: [UInt32]
    private var devices: [UInt32]
    private var units: [UInt32]
    private var types: [TypeCode: TypeDescription] = [:]
    /// The pairs of batch numbers (revision, device) that occur.
    private(set) var pairs: Set<UInt64> = []

    init(transaction: any StorageTransaction, dictionaries: StoreDictionaries) {
        self.transaction = transaction
        self.dictionaries = dictionaries
        func table(_ count: Int) -> [UInt32] {
            [0] + Array(repeating: Self.unknown, count: count)
        }
        revisions = table(dictionaries.revisions.count)
        devices = table(dictionaries.devices.count)
        units = table(dictionaries.units.count)
    }

    /// The type with its code in the store: catalog types have the same code everywhere, others get the store's.
    mutating func describe(_ type: TypeCode) throws -> TypeDescription {
        if let known = TypeCatalog.description(for: type) ?? types[type] { return known }
        guard let local = dictionaries.ownType(type) else {
            throw EngineError.invalidArgument("The batch uses a type that it does not describe.")
        }
        let code = try transaction.intern(typeIdentifier: local.identifier, kind: local.kind)
        let description =
            TypeCatalog.description(for: code)
            ?? TypeDescription(
                code: code, identifier: local.identifier, kind: local.kind, canonicalUnit: local.canonicalUnit,
                aggregationStyle: local.aggregationStyle, categoryValues: local.categoryValues,
                categoryEnumeration: local.categoryEnumeration, isShareable: local.isShareable)
        types[type] = description
        return description
    }

    mutating func revisions(_ column: [UInt32]) throws -> [UInt32] {
        try Self.map(column, table: &revisions) { [dictionaries, transaction] number in
            try transaction.intern(dictionaries.revisions[Int(number) - 1])
        }
    }

    mutating func devices(_ column: [UInt32]) throws -> [UInt32] {
        try Self.map(column, table: &devices) { [dictionaries, transaction] number in
            try transaction.intern(dictionaries.devices[Int(number) - 1])
        }
    }

    mutating func units(_ column: [UInt32]) throws -> [UInt32] {
        try Self.map(column, table: &units) { [dictionaries, transaction] number in
            let unit = dictionaries.units[Int(number) - 1]
            return unit.isEmpty ? 0 : try transaction.intern(unit: unit)
        }
    }

    /// Records which revisions occur with which devices, in batch numbers.
    mutating func recordPairs(revisions: [UInt32], devices: [UInt32]) {
        revisions.withUnsafeBufferPointer { revisions in
            devices.withUnsafeBufferPointer { devices in
                // Neighbors mostly repeat one of the last few pairs, which spares a lookup in the set.
                var recent: (UInt64, UInt64, UInt64, UInt64) = (.max, .max, .max, .max)
                for row in revisions.indices {
                    let pair = UInt64(revisions[row]) << 32 | UInt64(devices[row])
                    if pair == recent.0 || pair == recent.1 || pair == recent.2 || pair == recent.3 {
                        continue
                    }
                    recent = (pair, recent.0, recent.1, recent.2)
                    pairs.insert(pair)
                }
            }
        }
    }

    /// The revisions with the devices they occur with.
    var occurringPairs: [(revision: SourceRevisionRecord, device: DeviceRecord?)] {
        pairs.sorted().compactMap { pair in
            guard let revision = dictionaries.revision(UInt32(pair >> 32)) else { return nil }
            return (revision, dictionaries.device(UInt32(truncatingIfNeeded: pair)))
        }
    }

    private static func map(
        _ column: [UInt32], table: inout [UInt32], intern: (UInt32) throws -> UInt32
    ) throws -> [UInt32] {
        // The numbers that occur are interned first, so that the hot loop neither throws nor branches.
        let maximum = column.withUnsafeBufferPointer { column in
            column.reduce(0, Swift.max)
        }
        guard maximum < table.count else {
            throw EngineError.invalidArgument("The batch uses a number outside its dictionaries.")
        }
        var isUsed = Array(repeating: false, count: table.count)
        column.withUnsafeBufferPointer { column in
            isUsed.withUnsafeMutableBufferPointer { isUsed in
                for number in column { isUsed[Int(number)] = true }
            }
        }
        for number in isUsed.indices where isUsed[number] && table[number] == unknown {
            table[number] = try intern(UInt32(number))
        }
        return [UInt32](unsafeUninitializedCapacity: column.count) { result, count in
            column.withUnsafeBufferPointer { column in
                table.withUnsafeBufferPointer { table in
                    for row in column.indices { result[row] = table[Int(column[row])] }
                }
            }
            count = column.count
        }
    }
}

/// The members of a batch's objects that are samples of one type, object by object, with the store's numbers.
struct BulkMembers {
    private(set) var columns: SampleColumns
    /// The place of each row among all members of its object.
    private(set) var places: [Int] = []
    /// Rows that need not be written, because a stored object has them.
    var stored: Set<Int> = []
    private var interner = MetadataInterner()

    init(type: TypeCode) {
        columns = SampleColumns(type: type)
    }

    mutating func append(_ member: SampleRecord, unit: UInt32, revision: UInt32, device: UInt32, place: Int) {
        columns.append(member, unit: unit, revision: revision, device: device, sequence: 0, &interner)
        places.append(place)
    }

    /// Appends the members of an object from one place on.
    mutating func append(_ members: SampleColumns, place: Int) {
        var members = members
        let count = members.starts.count
        members.sequences = Array(repeating: 0, count: count)
        var renumbering = MetadataRenumbering()
        columns.append(members, rows: 0..<count, &renumbering)
        places += place..<place + count
    }
}

/// An object of a batch with the store's numbers.
struct BulkObject {
    /// The content by which two members are equal, with source and device by class.
    struct MemberKey: Hashable {
        var type: TypeCode
        var start: Double
        var end: Double
        var value: UInt64
        var unit: UInt32
        var revision: UInt32
        var device: UInt32

        init(_ columns: SampleColumns, row: Int, _ classes: SourceEquivalence) {
            (type, start, end) = (columns.type, columns.starts[row], columns.ends[row])
            (value, unit) = (columns.values[row].bitPattern, columns.units[row])
            revision = classes.revisionClass(columns.revisions[row])
            device = classes.deviceClass(columns.devices[row])
        }

        /// The key without value and unit, by which members are equal that may agree in another unit.
        var withoutValue: MemberKey {
            var key = self
            (key.value, key.unit) = (0, 0)
            return key
        }

        /// Whether the values of two members agree in different units (see ``BaseUnitQuantity``), or are equal in one.
        ///
        /// - Parameter units: The store's units by number, from 1.
        func hasAlikeValue(as other: MemberKey, units: [String]) -> Bool {
            if unit == other.unit { return value == other.value }
            guard let one = quantity(units), let other = other.quantity(units) else { return false }
            return one.agrees(with: other)
        }

        private func quantity(_ units: [String]) -> BaseUnitQuantity? {
            guard unit > 0, unit <= units.count else { return nil }
            return BaseUnitQuantity(QuantityRecord(Double(bitPattern: value), unit: units[Int(unit) - 1]))
        }

        /// Whether two correlations have the same members, possibly in other units.
        static func areAlike(_ one: [MemberKey: Int], _ other: [MemberKey: Int], units: [String]) -> Bool {
            func groups(_ counts: [MemberKey: Int]) -> [MemberKey: [MemberKey]] {
                var groups: [MemberKey: [MemberKey]] = [:]
                for (key, count) in counts {
                    groups[key.withoutValue, default: []] += Array(repeating: key, count: count)
                }
                return groups.mapValues { members in
                    guard members.count > 1 else { return members }
                    return members.map { ($0, $0.quantity(units)?.value ?? 0) }.sorted { $0.1 < $1.1 }.map(\.0)
                }
            }
            let (one, other) = (groups(one), groups(other))
            return one.count == other.count
                && one.allSatisfy { key, members in
                    guard let others = other[key], members.count == others.count else { return false }
                    return zip(members, others).allSatisfy { $0.hasAlikeValue(as: $1, units: units) }
                }
        }
    }

    var record: ObjectRecord
    var type: TypeCode
    var isCorrelation: Bool
    var revision: UInt32
    var device: UInt32
    var payload: [UInt8]
    /// The rows of its members among those of the batch, by type.
    var members: [TypeCode: Range<Int>] = [:]
    var memberCount: Int { members.values.reduce(0) { $0 + $1.count } }
    /// The index of its owner in the batch.
    var owner: Int?
    /// Its sequence in the store, once known.
    var sequence: Int64?
    /// Whether it is stored or has been written.
    var isDone = false

    /// The day of an activity summary, as year · 10000 + month · 100 + day.
    var summaryDay: Int? {
        guard case .activitySummary(let summary) = record.body else { return nil }
        return summary.dayNumber
    }

    func stored(sequence: Int64) -> StoredObject {
        StoredObject(
            sequence: sequence, uuid: record.uuid, type: type, start: record.start, end: record.end,
            revision: revision, device: device, payload: payload)
    }
}
