import HealthModel

/// What the head of an archive says beyond profile and samples, as notes of the store, and how it comes out
/// again: attributes under `ELEMENT.NAME`, children as markup under `ELEMENT#children`.
enum HeadNotes {
    /// The root's tag.
    static let root = "HealthData"
    /// The tag of the element that says when the archive was made.
    static let export = "ExportDate"
    /// The tag of the person's element.
    static let person = "Me"

    private static let locale = "locale"
    private static let date = "exportDate"
    private static let usualLocale = "en_US"

    /// The notes of a header. What the profile has room for is not among them.
    static func notes(of header: ArchiveHeader) -> [String: String] {
        var notes: [String: String] = [:]
        notes[locale] = header.locale
        notes[date] = header.exportDate
        keep(header.others, of: root, in: &notes)
        keep(header.export?.attributes.filter { $0.name != "value" } ?? [], of: export, in: &notes)
        keep(header.characteristics.filter { !PersonReader.sets($0) }, of: person, in: &notes)
        for element in [header.export, header.person].compactMap({ $0 }) where !element.children.isEmpty {
            notes[element.name + "#children"] = element.children.map(ElementText.print).joined()
        }
        return notes
    }

    /// The root, without what is inside it.
    static func root(_ notes: [String: String]) -> ArchivedElement {
        var element = ArchivedElement(name: root)
        element.append(locale, notes[locale] ?? usualLocale)
        complete(&element, from: notes)
        return element
    }

    /// Adds the attributes an element does not have yet, and the children.
    static func complete(_ element: inout ArchivedElement, from notes: [String: String]) {
        let prefix = element.name + "."
        for (key, value) in notes.sorted(by: { $0.key < $1.key }) where key.hasPrefix(prefix) {
            let name = String(key.dropFirst(prefix.count))
            if element[name] == nil { element.append(name, value) }
        }
        if let markup = notes[element.name + "#children"] {
            element.children += ElementText.parse("<\(element.name)>\(markup)</\(element.name)>")?.children ?? []
        }
    }

    private static func keep(
        _ attributes: [ArchivedElement.Attribute], of name: String, in notes: inout [String: String]
    ) {
        for attribute in attributes where notes["\(name).\(attribute.name)"] == nil {
            notes["\(name).\(attribute.name)"] = attribute.value
        }
    }
}
