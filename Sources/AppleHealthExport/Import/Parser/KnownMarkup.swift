/// Which attributes and children each element of an archive is known to have, in one version of the format or
/// another.
enum KnownMarkup {
    /// One element.
    struct Element {
        var attributes: Set<String>
        var children: Set<String>
    }

    /// The element of a name; `nil` for one that nobody knows.
    static func element(named name: String) -> Element? { elements[name] }

    private static let elements: [String: Element] = {
        var elements = Dictionary(
            uniqueKeysWithValues: ArchiveDefinition.elements.map { element in
                let names = element.content.split { !$0.isLetter }.map(String.init)
                return (
                    element.name,
                    Element(
                        attributes: Set(element.required + element.implied),
                        // Metadata is understood wherever it stands.
                        children: Set(names).subtracting(["EMPTY"]).union(["MetadataEntry"]))
                )
            })
        // Versions 11 and older.
        elements["ActivitySummary"]?.attributes.formUnion(["appleMoveMinutes", "appleMoveMinutesGoal"])
        for leaf in ["MetadataEntry", "ExportDate", "Me", "Location", "FileReference", "RightEye", "LeftEye", "SensitivityPoint"] {
            elements[leaf]?.children = []
        }
        return elements
    }()
}
