import HealthModel
import HealthStorage

/// Turns a batch's own numbers into the store's, interning a noun when its number is first used.
struct BulkNumbers {
    private static let unknown = UInt32.max

    private let transaction: any StorageTransaction
    private let dictionaries: StoreDictionaries
    private var revisions: [UInt32]
    private var devices: [UInt32]
    private var units: [UInt32]
    private var types: [TypeCode: TypeDescription] = [:]
    /// Pairs of batch numbers (revision, device) that occur, each once.
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

    /// The type as the store knows it: catalog types have one code everywhere, others get the store's.
    mutating func describe(_ type: TypeCode) throws -> TypeDescription {
        if let known = TypeCatalog.description(for: type) ?? types[type] { return known }
        guard let local = dictionaries.types.first(where: { $0.code == type }) else {
            throw EngineError.invalidArgument("A batch uses a type that it does not describe.")
        }
        let code = try transaction.intern(typeIdentifier: local.identifier, kind: local.kind)
        let description =
            TypeCatalog.description(for: code)
            ?? TypeDescription(
                code: code, identifier: local.identifier, kind: local.kind,
                canonicalUnit: local.canonicalUnit, aggregationStyle: local.aggregationStyle,
                categoryValues: local.categoryValues,
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

    /// Notes which revisions occur with which devices, in batch numbers.
    mutating func notePairs(revisions: [UInt32], devices: [UInt32]) {
        revisions.withUnsafeBufferPointer { revisions in
            devices.withUnsafeBufferPointer { devices in
                // Neighbours mostly repeat one of the last few pairs; the set is asked for the others.
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

    /// Revisions with the devices they occur with.
    var occurringPairs: [(revision: SourceRevisionRecord, device: DeviceRecord?)] {
        pairs.sorted().compactMap { pair in
            guard let revision = dictionaries.revision(UInt32(pair >> 32)) else { return nil }
            return (revision, dictionaries.device(UInt32(truncatingIfNeeded: pair)))
        }
    }

    private static func map(
        _ column: [UInt32], table: inout [UInt32], intern: (UInt32) throws -> UInt32
    ) throws -> [UInt32] {
        // First which numbers occur, then one plain pass: the hot loop neither throws nor branches.
        let greatest = column.withUnsafeBufferPointer { column in
            column.reduce(0, Swift.max)
        }
        guard greatest < table.count else {
            throw EngineError.invalidArgument("A batch uses a number outside its dictionaries.")
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
