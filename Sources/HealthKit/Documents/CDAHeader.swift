import Foundation

/// What the header of a document in Clinical Document Architecture says, as far as the original shows it.
struct CDAHeader: Hashable, Sendable {
    var title = ""
    var patientName = ""
    var authorName = ""
    var custodianName = ""

    /// Where each fact stands, by local element names below the root; of several places the first that is filled.
    private enum Place {
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

    init(title: String, patientName: String, authorName: String, custodianName: String) {
        self.title = title
        self.patientName = patientName
        self.authorName = authorName
        self.custodianName = custodianName
    }

    /// Reads the header of a document; what follows it only has to be well formed.
    ///
    /// - Throws: ``XMLScanError`` for bytes that are no XML in UTF-8 and for another kind of document.
    init(parsing bytes: [UInt8]) throws(XMLScanError) {
        var scanner = XMLScanner(bytes)
        var path: [String] = []
        var found: [[String]: String] = [:]
        var open: (place: [String], words: [Substring])?
        while let token = try scanner.next() {
            switch token {
            case .start(let name):
                guard !path.isEmpty || name == "ClinicalDocument" else { throw .notAClinicalDocument }
                path.append(name)
                let place = Array(path.dropFirst())
                // The first element counts: a document may name several authors.
                if open == nil, Place.all.contains(place), found[place] == nil { open = (place, []) }
            case .text(let text):
                // A name's parts stand in elements of their own.
                open?.words += text.split(whereSeparator: \.isWhitespace)
            case .end:
                if let ended = open, ended.place.count == path.count - 1 {
                    found[ended.place] = ended.words.joined(separator: " ")
                    open = nil
                }
                path.removeLast()
            }
        }
        func fact(_ places: [[String]]) -> String {
            places.lazy.compactMap { found[$0] }.first { !$0.isEmpty } ?? ""
        }
        self.init(
            title: fact(Place.title), patientName: fact(Place.patient), authorName: fact(Place.author),
            custodianName: fact(Place.custodian))
    }
}
