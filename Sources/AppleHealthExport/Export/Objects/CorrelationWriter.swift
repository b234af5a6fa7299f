import HealthModel

/// A correlation with its members inside. They stand by themselves as well, as in Apple's archives.
enum CorrelationWriter {
    static func write(_ object: ObjectRecord, _ style: RecordStyle, _ tally: inout ExportTally) -> ArchivedElement? {
        guard let type = style.dictionaries.type(object.type) else { return nil }
        var element = ArchivedElement(name: "Correlation")
        element.append("type", RecordStyle.identifier(type))
        element.appendFrame(of: object, style)
        element.append(object.metadata, passedOver: [CorrelationMember.entryKey], &tally)
        // What stood in members that nobody knows; the last of those that are equal comes first.
        var others = Dictionary(grouping: object.metadata.entries.reversed().compactMap(CorrelationMember.init), by: \.key)
        for member in object.members {
            guard let type = style.dictionaries.type(member.type) else { continue }
            var plain = member
            plain.metadata = CorrelationMember.known(member.metadata)
            guard var child = SampleElementWriter.write(plain, style, &tally) else { continue }
            if !others.isEmpty { others[CorrelationMember.Key(member, type)]?.popLast()?.complete(&child) }
            element.children.append(child)
        }
        tally.note(
            "unknown part of a correlation's member that is not there any more, left out",
            count: others.values.reduce(0) { $0 + $1.count })
        return element
    }
}
