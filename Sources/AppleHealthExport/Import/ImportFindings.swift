import HealthModel

/// The elements a parser skipped and the irregularities it found.
struct ImportFindings: Sendable {
    /// The number of skipped elements, by type identifier or element name.
    private(set) var skipped: [String: Int] = [:]
    /// The first skipped elements, with line and reason.
    private(set) var skips: [ImportReport.Skip] = []
    /// The number of irregularities, by description.
    private(set) var notes: [String: Int] = [:]
    /// The line of the first occurrence of each note that has a line.
    private(set) var noteLines: [String: Int] = [:]
    private let reasonsKept: Int

    /// Bounds the report: an archive may contain any number of different irregularities.
    private static let notesKept = 1_000

    init(reasonsKept: Int) {
        self.reasonsKept = reasonsKept
    }

    mutating func skip(line: @autoclosure () -> Int, type: String, reason: String) {
        let key = skipped[type] == nil && skipped.count >= Self.notesKept ? "others" : type
        skipped[key, default: 0] += 1
        if skips.count < reasonsKept { skips.append(.init(line: line(), type: type, reason: reason)) }
    }

    mutating func note(_ text: String, count: Int, line: @autoclosure () -> Int? = nil) {
        let key = notes[text] == nil && notes.count >= Self.notesKept ? "others" : text
        if notes[key] == nil { noteLines[key] = line() }
        notes[key, default: 0] += count
    }

    /// Counts the unknown attributes and children of an element, which are kept.
    ///
    /// - Parameter line: The line on which the outermost element begins.
    mutating func noteUnknownContent(of element: ArchivedElement, line: @autoclosure () -> Int) {
        guard let known = KnownMarkup.element(named: element.name) else { return }
        var seen: Set<String> = []
        for attribute in element.attributes {
            if !known.attributes.contains(attribute.name) {
                note("\(element.name) with attribute \(attribute.name), kept", count: 1, line: line())
            }
            if !seen.insert(attribute.name).inserted {
                note(
                    "\(element.name) with attribute \(attribute.name) twice, the first one, kept", count: 1,
                    line: line())
            }
        }
        for child in element.children {
            if child.name == ElementReader.textName {
                note("\(element.name) with text, kept", count: 1, line: line())
            } else if known.children.contains(child.name) {
                noteUnknownContent(of: child, line: line())
            } else {
                note("\(element.name) with element \(child.name), kept", count: 1, line: line())
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
