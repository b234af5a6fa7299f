import HealthModel

/// The elements a parser skipped and the irregularities it found.
struct ImportFindings: Sendable {
    /// The number of skipped elements, by type identifier or element name.
    private(set) var skipped: [String: Int] = [:]
    /// The first skipped elements, with line and reason.
    private(set) var skips: [ImportReport.Skip] = []
    /// The number of irregularities, by description.
    private(set) var irregularities: [String: Int] = [:]
    /// The line of the first occurrence of each irregularity that has a line.
    private(set) var irregularityLines: [String: Int] = [:]
    private let maximumReasons: Int

    /// Bounds the report: an archive may contain any number of different irregularities.
    private static let maximumEntries = 1_000

    init(maximumReasons: Int) {
        self.maximumReasons = maximumReasons
    }

    mutating func skip(line: @autoclosure () -> Int, type: String, reason: String) {
        let key = skipped[type] == nil && skipped.count >= Self.maximumEntries ? "others" : type
        skipped[key, default: 0] += 1
        if skips.count < maximumReasons { skips.append(.init(line: line(), type: type, reason: reason)) }
    }

    mutating func report(_ text: String, count: Int, line: @autoclosure () -> Int? = nil) {
        let key = irregularities[text] == nil && irregularities.count >= Self.maximumEntries ? "others" : text
        if irregularities[key] == nil { irregularityLines[key] = line() }
        irregularities[key, default: 0] += count
    }

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
