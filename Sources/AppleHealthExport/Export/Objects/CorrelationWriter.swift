import HealthModel

/// A correlation with its members inside. They stand by themselves as well, as in Apple's archives.
enum CorrelationWriter {
    static func write(_ object: ObjectRecord, _ style: RecordStyle, _ tally: inout ExportTally) -> ArchivedElement? {
        guard let type = style.dictionaries.type(object.type) else { return nil }
        var element = ArchivedElement(name: "Correlation")
        element.append("type", RecordStyle.identifier(type))
        element.appendFrame(of: object, style)
        element.append(object.metadata, &tally)
        element.children += object.members.compactMap { SampleElementWriter.write($0, style, &tally) }
        return element
    }
}
