import Foundation
import HealthModel

/// A sample of a single-object family: what is particular to it are the fields and series of a document.
///
/// A class of such a family keeps its document as a constant, reads its properties out of it, and is
/// entered in `HKSample.document(…)`, which makes it from what the store holds.
protocol DocumentBacked: HKSample {
    /// The fields and series, as the store keeps them.
    var document: DocumentBody { get }

    /// The object as the store holds it; nothing is validated again.
    init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody)
}

extension ObjectArchive {
    /// What an archive of a document-backed sample holds; `nil` for a damaged one.
    static func document(
        from coder: NSCoder
    ) -> (identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody)? {
        guard let archive = SecureRecord.decode(ObjectArchive.self, from: coder),
            case .object(let record) = archive.item, let base = archive.base(of: record)
        else { return nil }
        guard case .document(let document) = record.body else { return nil }
        return (base.identity, base.context, record.start, record.end, document)
    }
}
