import Foundation
import HealthEngine
import HealthFiles
import HealthModel

/// Writes a prescription as a `VisionPrescription` element: the counterpart of ``VisionPrescriptionReader``.
enum VisionPrescriptionWriter {
    /// Writes source, device and creation date as well, although no version declares them for prescriptions.
    ///
    /// - Parameter attachments: The files attached to the prescription. Imported ones already have an element; one is
    ///   added for each of the others.
    static func write(
        _ object: ObjectRecord, _ document: DocumentBody, attachments: [AttachmentRecord] = [],
        _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "VisionPrescription")
        if case .integer(let type) = document[VisionPrescriptionDocument.type] {
            element.append("type", VisionPrescriptionTypeText.print(type))
        }
        element.append("dateIssued", style.date(object.start))
        element.append("expirationDate", document[VisionPrescriptionDocument.expiration]?.number.map { style.date($0) })
        element.append("brand", document[VisionPrescriptionDocument.brand]?.text)
        if let revision = object.revision, revision != VisionPrescriptionReader.defaultSource || object.device != nil {
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

    /// The path of an attachment's file: its name, if that begins with the identifier in the element, otherwise the
    /// identifier with the extension of the name.
    static func path(of attachment: AttachmentRecord, names: inout AuxiliaryFileNames) -> String {
        let identifier = ArchivedAttachment.identifier(of: attachment) ?? attachment.identifier.uuidString
        let name = attachment.name
        let suffix = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        let hasIdentifier = AuxiliaryPath.folded(name).hasPrefix(AuxiliaryPath.folded(identifier))
        return names.path(
            hasIdentifier ? "/\(ArchivedAttachment.folder)/\(name)" : nil, in: ArchivedAttachment.folder,
            otherwise: identifier, suffix: suffix)
    }

    /// The lenses for the right and the left eye, in the usual spelling.
    static func lenses(of document: DocumentBody) -> [ArchivedElement] {
        [
            (VisionPrescriptionReader.rightEye, VisionPrescriptionDocument.rightEye),
            (VisionPrescriptionReader.leftEye, VisionPrescriptionDocument.leftEye),
        ].compactMap { name, field in document[field].map { LensWriter.write($0, named: name) } }
    }
}

/// Writes a lens as a `RightEye` or `LeftEye` element: the counterpart of ``LensReader``.
enum LensWriter {
    /// The element, with attributes in the order of the document type.
    static func write(_ lens: FieldValue, named name: String) -> ArchivedElement {
        var element = ArchivedElement(name: name)
        guard case .record(let fields) = lens else { return element }
        for part in LensReader.powers + [LensReader.vertex] { add(part, of: fields, to: &element) }
        if case .record(let prism) = fields[LensDocument.prism] {
            add(LensReader.prismAmount, of: prism, to: &element)
            add(LensReader.prismAngle, of: prism, to: &element)
        }
        for part in LensReader.distances + LensReader.contacts { add(part, of: fields, to: &element) }
        return element
    }

    private static func add(_ part: LensReader.Part, of fields: [String: FieldValue], to element: inout ArchivedElement)
    {
        guard case .quantity(let quantity) = fields[part.field] else { return }
        element.attributes += [
            .init(name: part.attribute, value: DecimalText.print(quantity.value)),
            .init(name: part.attribute + "Unit", value: quantity.unit),
        ]
    }
}
