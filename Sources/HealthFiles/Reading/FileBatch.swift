import HealthEngine
import HealthImport
import HealthModel

/// Collects what files contain until there is enough for a transaction.
struct FileBatch {
    private var objects: [ObjectRecord] = []
    private var members: [BulkBatch.Members] = []
    private var parts: [BulkBatch.Part] = []
    private var columns: [TypeCode: SampleColumns] = [:]
    private var metadata: [TypeCode: MetadataInterner] = [:]
    private var dictionaries = IndexedDictionaries()
    /// The number of samples and objects.
    private(set) var count = 0

    mutating func append(_ content: FileContent) {
        let first = objects.count
        objects += content.objects
        for (owner, series) in content.members where series.count > 0 {
            var columns = SampleColumns(type: series.type)
            append(series, to: &columns)
            members.append(.init(owner: first + owner, columns: columns))
        }
        parts += content.parts.map { .init(owner: first + $0.owner, object: $0.object) }
        for sample in content.samples { append(sample) }
        for series in content.series where series.count > 0 {
            var column = columns.removeValue(forKey: series.type) ?? SampleColumns(type: series.type)
            append(series, to: &column)
            columns[series.type] = column
        }
        count += content.count
    }

    private mutating func append(_ sample: SampleRecord) {
        let revision = sample.revision.map { dictionaries.intern(.revision($0)) } ?? 0
        let device = sample.device.map { dictionaries.intern(.device($0)) } ?? 0
        let unit = sample.unit.isEmpty ? 0 : dictionaries.intern(.unit(sample.unit))
        var column = columns.removeValue(forKey: sample.type) ?? SampleColumns(type: sample.type)
        column.append(
            sample, unit: unit, revision: revision, device: device, sequence: 0,
            &metadata[sample.type, default: MetadataInterner()])
        columns[sample.type] = column
    }

    private mutating func append(_ series: SampleSeries, to column: inout SampleColumns) {
        let revision = dictionaries.intern(.revision(series.origin.revision))
        let device = series.origin.device.map { dictionaries.intern(.device($0)) } ?? 0
        let unit = series.unit.isEmpty ? 0 : dictionaries.intern(.unit(series.unit))
        let count = column.starts.count + series.count
        column.starts += series.starts
        column.ends += series.ends
        column.values += series.values
        column.units += repeatElement(unit, count: series.count)
        column.revisions += repeatElement(revision, count: series.count)
        column.devices += repeatElement(device, count: series.count)
        column.metadata.fill(to: count)
    }

    /// Returns the batch and starts again.
    mutating func take() -> BulkBatch {
        defer { self = FileBatch() }
        let columns = columns.values.sorted { $0.type < $1.type }.map { column in
            var column = column
            column.sequences = []
            // Series have no identities.
            if !column.uuids.isEmpty { column.uuids.fill(to: column.starts.count) }
            return column
        }
        var batch = BulkBatch(
            columns: columns, objects: objects, parts: parts, dictionaries: dictionaries.dictionaries)
        batch.members = members
        return batch
    }
}
