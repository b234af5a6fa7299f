import AppleHealthExport

/// The document type of a version of iOS, with its declarations and defects.
struct DialectDocumentType {
    private let dialect: ArchiveDialect
    private let isAsWritten: Bool

    /// - Parameter isAsWritten: Whether to declare only what that version of iOS declares; otherwise everything in the
    ///   archive is declared.
    init(_ dialect: ArchiveDialect, isAsWritten: Bool) {
        self.dialect = dialect
        self.isAsWritten = isAsWritten
    }

    /// The XML declaration and document type.
    var text: String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE HealthData [\n"
        if let version = dialect.exportVersion { text += "<!-- HealthKit Export Version: \(version) -->\n" }
        let isMalformed = isAsWritten && dialect.hasMalformedDocumentType
        for element in elements {
            let isOpen = isMalformed && element.name == "VisionPrescription"
            text += element.declaration(isClosed: !isOpen) + "\n"
            if isMalformed, element.name == "LeftEye" {
                text += "  device CDATA #IMPLIED\n" + Self.metadataEntry.declaration() + "\n>\n"
            }
            if element.name == "Correlation" {
                text += "<!-- Note: members of correlations are also top-level records. -->\n"
            }
        }
        return text + "]>\n"
    }

    private static let metadataEntry = ElementDeclaration(
        name: "MetadataEntry", content: "EMPTY", required: ["key", "value"])

    private var elements: [ElementDeclaration] {
        DialectElement.all.filter { $0.isDeclared(in: dialect, isAsWritten: isAsWritten) }.map(\.declaration)
    }
}

/// A declaration of the document types of some versions of iOS.
struct DialectElement {
    let declaration: ElementDeclaration
    /// The first version with the declaration; `nil` if the first archives have it.
    let since: ArchiveDialect?
    /// The first later version without it; `nil` if there is none.
    let before: ArchiveDialect?
    /// Whether what these versions declare has it, as opposed to what is declared to be complete; `nil` if both have.
    let isAsWritten: Bool?

    func isDeclared(in dialect: ArchiveDialect, isAsWritten: Bool) -> Bool {
        since.map { dialect >= $0 } ?? true && before.map { dialect < $0 } ?? true
            && (self.isAsWritten ?? isAsWritten) == isAsWritten
    }
}
