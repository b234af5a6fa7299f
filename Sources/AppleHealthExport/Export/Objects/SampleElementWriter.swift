import HealthModel

/// A single sample as a `Record` element: what ``RecordWriter`` writes for a row, as a tree. The members of
/// correlations come out so.
enum SampleElementWriter {
    static func write(_ sample: SampleRecord, _ style: RecordStyle, _ tally: inout ExportTally) -> ArchivedElement? {
        guard let type = style.dictionaries.type(sample.type) else { return nil }
        var element = ArchivedElement(name: "Record")
        element.append("type", RecordStyle.identifier(type))
        element.appendOrigin(sample.revision, sample.device)
        element.append("unit", sample.unit.isEmpty ? nil : sample.unit)
        element.append("creationDate", sample.creation.map { style.date($0) })
        element.append("startDate", style.date(sample.start))
        element.append("endDate", style.date(sample.end))
        element.append(
            "value", type.kind == .quantity ? NumberText.print(sample.value) : CategoryValueWriter.text(sample.value, type))
        // Told once already, for the sample by itself.
        var ignored = ExportTally()
        element.append(sample.metadata, &ignored)
        return element
    }
}
