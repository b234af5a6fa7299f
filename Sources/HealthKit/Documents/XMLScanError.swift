/// Why bytes are not the document that was expected. Holds no text of the document.
enum XMLScanError: Error, Hashable, CustomStringConvertible {
    /// Bytes at this offset are no well-formed XML in UTF-8.
    case malformed(offset: Int)
    /// A document type declaration at this offset: what it may expand to is not bounded.
    case declaration(offset: Int)
    /// Elements nested deeper than any clinical document.
    case tooDeep(offset: Int)
    /// Well-formed, but the root is not `ClinicalDocument`.
    case notAClinicalDocument

    var description: String {
        switch self {
        case .malformed(let offset): "The document is not well-formed XML in UTF-8 at byte \(offset)."
        case .declaration(let offset): "The document has a document type declaration at byte \(offset)."
        case .tooDeep(let offset): "The document nests its elements too deep at byte \(offset)."
        case .notAClinicalDocument: "The root of the document is not ClinicalDocument."
        }
    }
}
