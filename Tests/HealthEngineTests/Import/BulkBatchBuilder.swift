import HealthEngine
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
