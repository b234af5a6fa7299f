import HealthModel

/// Writes an ``ArchivedElement`` as markup: the twin of ``ElementReader``.
enum ElementText {
    /// One line, children inside.
    static func print(_ element: ArchivedElement) -> String {
        if element.name == ElementReader.textName { return AttributeText.encode(element["value"] ?? "") }
        var text = "<" + element.name
        for attribute in element.attributes {
            text += " \(attribute.name)=\"\(AttributeText.encode(attribute.value))\""
        }
        if element.children.isEmpty { return text + "/>" }
        text += ">"
        for child in element.children { text += print(child) }
        return text + "</\(element.name)>"
    }
}
