public import Foundation

/// A document in Clinical Document Architecture: its header and its XML.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKCDADocument: NSObject, _CVarArgObject, @unchecked Sendable {
    private let header: CDAHeader

    init(_ header: CDAHeader, data: Data?) {
        self.header = header
        storedDocumentData = data
    }

    /// The XML; `nil` if the query did not include it.
    open var documentData: Data? { storedDocumentData }

    private let storedDocumentData: Data?

    /// The title; empty if the document has none.
    open var title: String { header.title }

    /// The name of the patient; empty if the document has none.
    open var patientName: String { header.patientName }

    /// The name of the first author: a person, else a device, else an organization.
    open var authorName: String { header.authorName }

    /// The name of the organization that maintains the document.
    open var custodianName: String { header.custodianName }
}

/// The header of a document in Clinical Document Architecture, as far as the original shows it.
struct CDAHeader: Hashable, Sendable {
    var title = ""
    var patientName = ""
    var authorName = ""
    var custodianName = ""

    /// The path of each value, as local element names below the root. Of several paths, the first with text counts.
    private enum Path {
        static let title = [["title"]]
        static let patient = [["recordTarget", "patientRole", "patient", "name"]]
        static let author = [
            ["author", "assignedAuthor", "assignedPerson", "name"],
            ["author", "assignedAuthor", "assignedAuthoringDevice", "softwareName"],
            ["author", "assignedAuthor", "representedOrganization", "name"],
        ]
        static let custodian = [["custodian", "assignedCustodian", "representedCustodianOrganization", "name"]]
        static let all = Set(title + patient + author + custodian)
    }
}

extension CDAHeader {
    /// Reads the header of a document. The rest only has to be well formed.
    ///
    /// - Throws: ``XMLScanError`` for bytes that are not XML in UTF-8 and for another kind of document.
    init(parsing bytes: [UInt8]) throws(XMLScanError) {
        var scanner = XMLScanner(bytes)
        var path: [String] = []
        var found: [[String]: String] = [:]
        var open: (path: [String], words: [Substring])?
        while let token = try scanner.next() {
            switch token {
            case .start(let name):
                guard !path.isEmpty || name == "ClinicalDocument" else { throw .notAClinicalDocument }
                path.append(name)
                let local = Array(path.dropFirst())
                // The first element counts: a document may have several authors.
                if open == nil, Path.all.contains(local), found[local] == nil { open = (local, []) }
            case .text(let text):
                // The parts of a name are in separate elements.
                open?.words += text.split(whereSeparator: \.isWhitespace)
            case .end:
                if let ended = open, ended.path.count == path.count - 1 {
                    found[ended.path] = ended.words.joined(separator: " ")
                    open = nil
                }
                path.removeLast()
            }
        }
        func text(_ paths: [[String]]) -> String {
            paths.lazy.compactMap { found[$0] }.first { !$0.isEmpty } ?? ""
        }
        self.init(
            title: text(Path.title), patientName: text(Path.patient), authorName: text(Path.author),
            custodianName: text(Path.custodian))
    }
}
