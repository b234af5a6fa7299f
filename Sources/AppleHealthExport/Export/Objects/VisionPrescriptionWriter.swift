import Foundation
import HealthEngine
import HealthModel

/// A prescription as a `VisionPrescription` element: the twin of ``VisionPrescriptionReader``.
enum VisionPrescriptionWriter {
    /// Source, device and creation date stand in no version's document type; a prescription that has them
    /// says them all the same, or they would be lost.
    ///
    /// - Parameter attachments: the files kept with the prescription. Those that came from an archive have
    ///   their element already; for each other one there is one more.
    static func write(
        _ object: ObjectRecord, _ document: DocumentBody, attachments: [AttachmentRecord] = [],
        _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "VisionPrescription")
        if case .integer(let type) = document[VisionPrescriptionDocument.type] {
            element.append("type", VisionPrescriptionTypeText.print(type))
        }
        element.append("dateIssued", style.date(object.start))
        element.append(
            "expirationDate", document[VisionPrescriptionDocument.expiration]?.number.map { style.date($0) })
        element.append("brand", document[VisionPrescriptionDocument.brand]?.text)
        if let revision = object.revision, revision != VisionPrescriptionReader.unnamed || object.device != nil {
            element.appendOrigin(revision, object.device)
        }
        element.append("creationDate", object.creation.map { style.date($0) })
        element.children = ArchivedMetadata.spelled(lenses(of: document), in: object.metadata)
        for attachment in attachments where ArchivedAttachment.identifier(of: attachment) == nil {
            element.children.append(
                ArchivedElement(
                    name: ArchivedAttachment.elementName,
                    attributes: [.init(name: "identifier", value: attachment.identifier.uuidString)]))
        }
        element.append(object.metadata, &tally)
        return element
    }

    /// Where an attachment's file is to lie: under its name if that begins with the identifier the element
    /// gives, else under the identifier with the name's extension.
    static func path(of attachment: AttachmentRecord, names: inout CompanionNames) -> String {
        let identifier = ArchivedAttachment.identifier(of: attachment) ?? attachment.identifier.uuidString
        let name = attachment.name
        let suffix = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        let isNamedSo = CompanionPath.folded(name).hasPrefix(CompanionPath.folded(identifier))
        return names.claim(
            isNamedSo ? "/\(ArchivedAttachment.folder)/\(name)" : nil, in: ArchivedAttachment.folder,
            otherwise: identifier, suffix: suffix)
    }

    /// The right lens and the left one, as far as there are, without what was kept of their spelling.
    static func lenses(of document: DocumentBody) -> [ArchivedElement] {
        [
            (VisionPrescriptionReader.rightEye, VisionPrescriptionDocument.rightEye),
            (VisionPrescriptionReader.leftEye, VisionPrescriptionDocument.leftEye),
        ].compactMap { name, field in document[field].map { LensWriter.write($0, named: name) } }
    }
}
