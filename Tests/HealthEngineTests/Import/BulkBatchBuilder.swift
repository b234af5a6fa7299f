import HealthEngine
import HealthImport
import HealthModel

/// Makes batches of sample and object records, numbering dictionary entries as an archive reader does.
struct BulkBatchBuilder {
    private var dictionaries = StoreDictionaries()
    private var columns: [TypeCode: SampleColumns] = [:]
    private var order: [TypeCode] = []
    private var objects: [ObjectRecord] = []

    /// A batch of these, in order.
    static func batch(_ samples: [SampleRecord], _ objects: [ObjectRecord] = []) -> BulkBatch {
        var builder = BulkBatchBuilder()
        for sample in samples { builder.add(sample) }
        builder.objects = objects
        return builder.batch
    }

    /// A batch of objects whose members are columns instead of records.
    static func batch(withColumnsOf objects: [ObjectRecord]) -> BulkBatch {
        var builder = BulkBatchBuilder()
        var members: [BulkBatch.Members] = []
        for (owner, object) in objects.enumerated() {
            for sample in object.members { builder.add(sample) }
            members += builder.order.compactMap { builder.columns[$0] }.map { .init(owner: owner, columns: $0) }
            (builder.columns, builder.order) = ([:], [])
            var bare = object
            bare.members = []
            builder.add(bare)
        }
        var batch = builder.batch
        batch.members = members
        return batch
    }

    /// Describes a type outside the catalog.
    mutating func describe(_ type: TypeDescription) {
        dictionaries.types.append(type)
    }

    mutating func add(_ object: ObjectRecord) {
        objects.append(object)
    }

    mutating func add(_ sample: SampleRecord) {
        var column = columns[sample.type] ?? SampleColumns(type: sample.type)
        if columns[sample.type] == nil { order.append(sample.type) }
        column.starts.append(sample.start)
        column.ends.append(sample.end)
        column.values.append(sample.value)
        column.units.append(Self.number(sample.unit, in: &dictionaries.units, none: ""))
        column.revisions.append(Self.number(sample.revision, in: &dictionaries.revisions))
        column.devices.append(Self.number(sample.device, in: &dictionaries.devices))
        column.metadata.numbers.append(
            Self.number(sample.metadata, in: &column.metadata.table, none: .empty))
        column.uuids.append(sample.uuid)
        column.creations.append(sample.creation ?? .nan)
        columns[sample.type] = column
    }

    var batch: BulkBatch {
        BulkBatch(
            columns: order.compactMap { columns[$0] }, objects: objects, dictionaries: dictionaries)
    }

    private static func number<Entry: Equatable>(_ entry: Entry?, in table: inout [Entry], none: Entry? = nil) -> UInt32
    {
        guard let entry, entry != none else { return 0 }
        if let place = table.firstIndex(of: entry) { return UInt32(place) + 1 }
        table.append(entry)
        return UInt32(table.count)
    }
}
