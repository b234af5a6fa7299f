import HealthModel

extension ImportFindings {
    /// Counts what an element holds beyond what is known of it, and is kept.
    ///
    /// - Parameter line: The line on which the outermost element begins.
    mutating func noteOddities(of element: ArchivedElement, line: @autoclosure () -> Int) {
        guard let known = KnownMarkup.element(named: element.name) else { return }
        var seen: Set<String> = []
        for attribute in element.attributes {
            if !known.attributes.contains(attribute.name) {
                note("\(element.name) with attribute \(attribute.name), kept", count: 1, line: line())
            }
            if !seen.insert(attribute.name).inserted {
                note(
                    "\(element.name) with attribute \(attribute.name) twice, the first of them, kept", count: 1, line: line())
            }
        }
        for child in element.children {
            if child.name == ElementReader.textName {
                note("\(element.name) with text, kept", count: 1, line: line())
            } else if known.children.contains(child.name) {
                noteOddities(of: child, line: line())
            } else {
                note("\(element.name) with element \(child.name), kept", count: 1, line: line())
            }
        }
    }
}
