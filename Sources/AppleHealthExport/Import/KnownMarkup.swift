import HealthFiles
import HealthModel

extension ImportFindings {
    /// Counts the unknown attributes and children of an element, which are kept.
    ///
    /// - Parameter line: The line on which the outermost element begins.
    mutating func reportUnknownContent(of element: ArchivedElement, line: @autoclosure () -> Int) {
        guard let known = KnownMarkup.element(named: element.name) else { return }
        var seen: Set<String> = []
        for attribute in element.attributes {
            if !known.attributes.contains(attribute.name) {
                report("\(element.name) with attribute \(attribute.name), preserved", count: 1, line: line())
            }
            if !seen.insert(attribute.name).inserted {
                report(
                    "\(element.name) with attribute \(attribute.name) twice, the first one, preserved", count: 1,
                    line: line())
            }
        }
        for child in element.children {
            if child.name == ElementReader.textName {
                report("\(element.name) with text, preserved", count: 1, line: line())
            } else if known.children.contains(child.name) {
                reportUnknownContent(of: child, line: line())
            } else {
                report("\(element.name) with element \(child.name), preserved", count: 1, line: line())
            }
        }
    }
}

/// The known attributes and children of each element, in any version of the format.
enum KnownMarkup {
    struct Element {
        var attributes: Set<String>
        var children: Set<String>
    }

    /// The element with a name; `nil` for an unknown one.
    static func element(named name: String) -> Element? { elements[name] }

    private static let elements: [String: Element] = {
        var elements = Dictionary(
            uniqueKeysWithValues: ArchiveDefinition.elements.map { element in
                let names = element.content.split { !$0.isLetter }.map(String.init)
                return (
                    element.name,
                    Element(
                        attributes: Set(element.required + element.implied),
                        // Metadata is read in every element.
                        children: Set(names).subtracting(["EMPTY"]).union(["MetadataEntry"]))
                )
            })
        // Version 11 and earlier.
        elements["ActivitySummary"]?.attributes.formUnion(["appleMoveMinutes", "appleMoveMinutesGoal"])
        for leaf in [
            "MetadataEntry", "ExportDate", "Me", "Location", "FileReference", "RightEye", "LeftEye", "SensitivityPoint",
        ] {
            elements[leaf]?.children = []
        }
        return elements
    }()
}
