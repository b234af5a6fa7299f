import HealthFormats
import HealthStorageFiles

/// The document type of exported archives: version 14 of the format, as written since iOS 17, and completed.
///
/// It also declares what iOS writes without declaring it, such as a workout's activities and their contents, inline
/// locations of routes, the counts of the first archives, and a few attributes that only a store has. No attribute of
/// an element below the root is required, because an element that lacks one is exported as it was imported.
enum ArchiveDefinition {
    /// The format version.
    static let version = 14

    /// XML declaration and document type.
    static let text: String = {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE HealthData [",
            "<!-- HealthKit Export Version: \(version) -->", "<!-- \(ExportMarker.comment) -->",
        ]
        for element in elements {
            if let comment = element.comment { lines.append("<!-- \(comment) -->") }
            lines.append(element.isComplete ? element.declaration() : element.relaxed.declaration())
        }
        lines.append("]>")
        return lines.joined(separator: "\n") + "\n"
    }()
}

/// The declaration of an element in a document type.
package struct ElementDeclaration {
    package var name: String
    package var content: String
    package var required: [String]
    package var implied: [String]
    var comment: String?

    package init(
        name: String, content: String, required: [String] = [], implied: [String] = [], comment: String? = nil
    ) {
        self.name = name
        self.content = content
        self.required = required
        self.implied = implied
        self.comment = comment
    }

    /// Whether the element always has its required attributes, because it is never exported as it was imported.
    fileprivate var isComplete: Bool { ["HealthData", "ExportDate", "Me"].contains(name) }

    /// The declaration without required attributes.
    fileprivate var relaxed: ElementDeclaration {
        ElementDeclaration(name: name, content: content, implied: required + implied, comment: comment)
    }

    /// The markup, without a line break at its end.
    ///
    /// - Parameter isClosed: Whether the list of attributes ends, as opposed to a defect of iOS 16.
    package func declaration(isClosed: Bool = true) -> String {
        var lines = ["<!ELEMENT \(name) \(content)>"]
        guard !required.isEmpty || !implied.isEmpty else { return lines[0] }
        lines.append("<!ATTLIST \(name)")
        lines += required.map { "  \($0) CDATA #REQUIRED" }
        lines += implied.map { "  \($0) CDATA #IMPLIED" }
        if isClosed { lines.append(">") }
        return lines.joined(separator: "\n")
    }
}

/// The names of files in an exported archive.
enum ArchiveLayout {
    /// The folder that contains all files.
    static let folder = "apple_health_export"
    /// The English name of the main file.
    static let mainFile = "export.xml"
}
