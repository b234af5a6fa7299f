import HealthModel

/// What an element says that the record made of it would not say again, kept among the record's metadata so
/// that it comes out with it.
///
/// What counts as said is decided by writing the record at once with its own writer: there is no second list
/// of what each reader understands.
enum ElementRemainder {
    /// Adds the attributes of `element` that the record, as an element again, lacks or spells in another way.
    /// A date in another zone and a device with another address say the same. Of an attribute given twice the
    /// first one counts, as everywhere.
    static func keep(
        _ element: ArchivedElement, in record: inout ObjectRecord,
        writtenBy write: (ObjectRecord, RecordStyle, inout ExportTally) -> ArchivedElement
    ) {
        // What is only compared is not told.
        var ignored = ExportTally()
        let written = write(record, RecordStyle(dictionaries: StoreDictionaries(), offset: 0), &ignored)
        var seen: Set<String> = []
        for attribute in element.attributes where seen.insert(attribute.name).inserted {
            guard !saysTheSame(attribute, written[attribute.name]) else { continue }
            record.metadata.entries.append(ArchivedMetadata.attribute(attribute.name, attribute.value))
        }
    }

    /// Adds the children in `read` that `written`, made of what was read, does not spell alike; each under
    /// its name and its number among them.
    static func keep(
        children read: [ArchivedElement], beside written: [ArchivedElement], in record: inout ObjectRecord
    ) {
        for (number, child) in read.enumerated() {
            guard number >= written.count || !areAlike(child, written[number]) else { continue }
            record.metadata.entries.append(ArchivedMetadata.spelling(of: child, number: number))
        }
    }

    /// Whether two elements have the same attributes and children, in whatever order the attributes are.
    static func areAlike(_ one: ArchivedElement, _ other: ArchivedElement) -> Bool {
        one.name == other.name && one.attributes.count == other.attributes.count
            && one.attributes.allSatisfy { other[$0.name] == $0.value } && one.children.count == other.children.count
            && zip(one.children, other.children).allSatisfy(areAlike)
    }

    private static func saysTheSame(_ attribute: ArchivedElement.Attribute, _ written: String?) -> Bool {
        guard let written else { return false }
        if attribute.value == written { return true }
        if attribute.name == "device" {
            return attribute.value.hasPrefix("<<HKDevice: ") && DeviceText.parse(attribute.value) == DeviceText.parse(written)
        }
        guard let instant = DateText.parse(written) else { return false }
        // A date of another shape (with fractions, with `T`) is kept as it was written.
        return attribute.value.utf8.count == DateCursor.length && DateText.parse(attribute.value) == instant
    }
}
