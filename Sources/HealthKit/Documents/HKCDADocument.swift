public import Foundation

/// A document in Clinical Document Architecture: what its header says, and its bytes.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKCDADocument: NSObject, @unchecked Sendable {
    private let header: CDAHeader

    init(_ header: CDAHeader, data: Data?) {
        self.header = header
        documentData = data
    }

    /// The XML; `nil` when a query left it out.
    public let documentData: Data?

    /// The title, empty where the document has none.
    public var title: String { header.title }

    /// The patient's name, empty where the document has none.
    public var patientName: String { header.patientName }

    /// The first author's name: a person's, else a device's, else an organization's.
    public var authorName: String { header.authorName }

    /// The name of the organization that keeps the document.
    public var custodianName: String { header.custodianName }
}
