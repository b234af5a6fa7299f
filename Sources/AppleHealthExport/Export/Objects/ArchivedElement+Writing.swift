import HealthModel

extension ArchivedElement {
    /// Appends an attribute; none for a value that is not there.
    mutating func append(_ name: String, _ value: String?) {
        if let value { attributes.append(.init(name: name, value: value)) }
    }

    /// Appends who wrote something and with what, in the archive's order.
    mutating func appendOrigin(_ revision: SourceRevisionRecord?, _ device: DeviceRecord?) {
        append("sourceName", revision?.source.name ?? "")
        append("sourceVersion", revision?.version)
        append("device", device.map { DeviceTextWriter.text($0) })
    }

    /// Appends the attributes that workouts, correlations and documents have in common: the twin of
    /// ``ElementFrame``.
    mutating func appendFrame(of object: ObjectRecord, _ style: RecordStyle) {
        appendOrigin(object.revision, object.device)
        append("creationDate", object.creation.map { style.date($0) })
        append("startDate", style.date(object.start))
        append("endDate", style.date(object.end))
    }

    /// Sets an attribute, in place of one of this name.
    mutating func set(_ attribute: Attribute) {
        if let index = attributes.firstIndex(where: { $0.name == attribute.name }) {
            attributes[index].value = attribute.value
        } else {
            attributes.append(attribute)
        }
    }

    /// Appends what metadata comes to: attributes and children.
    mutating func append(_ metadata: Metadata, passedOver: Set<String> = [], _ tally: inout ExportTally) {
        let parts = MetadataElements(metadata, passedOver: passedOver, &tally)
        for attribute in parts.attributes { set(attribute) }
        children += parts.children
    }
}
