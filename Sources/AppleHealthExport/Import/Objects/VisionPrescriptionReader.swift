import HealthModel

/// A `VisionPrescription` element as a prescription of glasses or contacts. The way back is
/// ``VisionPrescriptionWriter``.
///
/// Attachments stay among the metadata as they are; their files are found and kept beside the object by the
/// importer. Lenses that cannot be read stay there too.
enum VisionPrescriptionReader {
    static let identifier = "HKVisionPrescriptionTypeIdentifier"
    static let rightEye = "RightEye"
    static let leftEye = "LeftEye"
    /// Whose a prescription is that names nobody, as no version's document type lets it: the application in
    /// which people enter them.
    static let unnamed = SourceText.revision(name: "Health", version: nil, device: nil)

    /// Throws for an element without a date of issue, and for one of a kind nobody knows.
    static func read(_ element: ArchivedElement) throws(ObjectRefusal) -> ObjectRecord {
        guard let issuedText = element["dateIssued"] else { throw ObjectRefusal("it has no dateIssued") }
        guard let issued = instant(issuedText) else { throw ObjectRefusal("its dateIssued is no date") }
        guard let typeText = element["type"] else { throw ObjectRefusal("it has no type") }
        guard let type = VisionPrescriptionTypeText.rawValue(of: typeText) else {
            throw ObjectRefusal("its type is not known")
        }
        let device = element["device"].flatMap(DeviceText.parse)
        var record = ObjectRecord(
            type: TypeCatalog.description(for: identifier)!.code, start: issued, end: issued,
            revision: element["sourceName"].map {
                SourceText.revision(name: $0, version: element["sourceVersion"], device: device)
            } ?? unnamed, device: device, creation: element["creationDate"].flatMap(DateText.parse))
        var document = DocumentBody(fields: [VisionPrescriptionDocument.type: .integer(type)])
        if let expiration = element["expirationDate"].flatMap(instant), expiration >= issued {
            document[VisionPrescriptionDocument.expiration] = .date(expiration)
        }
        let isContact = type == VisionPrescriptionDocument.contacts
        if isContact { document[VisionPrescriptionDocument.brand] = element["brand"].map { .string($0) } }
        var eyes: [String: ArchivedElement] = [:]
        for child in element.children {
            if let entry = ElementMetadata.entry(child) {
                record.metadata.entries.append(entry)
            } else if child.name == rightEye || child.name == leftEye, eyes[child.name] == nil,
                let lens = LensReader.read(child, isContact: isContact)
            {
                eyes[child.name] = child
                document[child.name == rightEye ? VisionPrescriptionDocument.rightEye : VisionPrescriptionDocument.leftEye] =
                    lens
            } else {
                record.metadata.entries.append(ArchivedMetadata.child(child))
            }
        }
        record.body = .document(document)
        let read = [eyes[rightEye], eyes[leftEye]].compactMap { $0 }
        ElementRemainder.keep(children: read, beside: VisionPrescriptionWriter.lenses(of: document), in: &record)
        ElementRemainder.keep(element, in: &record) { VisionPrescriptionWriter.write($0, document, $1, &$2) }
        return record
    }

    /// A day without a time is its midnight in UTC.
    private static func instant(_ text: String) -> Double? {
        DateText.parse(text) ?? DateText.parseDay(text).map { Double($0 * 86_400) }
    }
}
