import HealthModel

/// A `ClinicalRecord` element with the file it names as a health institution's record. The way back is
/// ``ClinicalRecordWriter``.
enum ClinicalRecordReader {
    /// What an element and its file come to.
    struct Reading {
        /// The type the record belongs to; only the caller knows its code in this import.
        var typeIdentifier: String
        /// The record, its type still to be set where it is none of the catalog's.
        var record: ObjectRecord
        /// Whether the file's bytes are no JSON object; they are kept all the same.
        var isBroken = false
    }

    /// Throws for an element without a date.
    ///
    /// - Parameter resource: the bytes of the file; `nil` where it cannot be had.
    static func read(_ element: ArchivedElement, resource: [UInt8]?) throws(ObjectRefusal) -> Reading {
        guard let receivedText = element["receivedDate"] else { throw ObjectRefusal("it has no receivedDate") }
        guard let received = DateText.parse(receivedText) else { throw ObjectRefusal("its receivedDate is no date") }
        let facts = resource.flatMap { FHIRFacts(json: $0) }
        let given = element["type"] ?? ""
        // The attribute says it, unless a tool has written HealthKit's name there or nothing.
        let resourceType = given.isEmpty || given.hasPrefix("HK") ? facts?.resourceType : given
        let identifier = ClinicalRecordType.identifier(
            of: given.isEmpty ? resourceType ?? "" : given, facts: facts ?? FHIRFacts())

        var fields: [String: FieldValue] = [:]
        fields[ClinicalRecordDocument.displayName] = .string(facts?.name ?? resourceType ?? "")
        fields[ClinicalRecordDocument.version] = element["fhirVersion"].map { .string($0) }
        fields[ClinicalRecordDocument.resourceType] = resourceType.map { .string($0) }
        fields[ClinicalRecordDocument.identifier] = element["identifier"].map { .string($0) }
        fields[ClinicalRecordDocument.sourceURL] = element["sourceURL"].map { .string($0) }
        fields[ClinicalRecordDocument.data] = resource.map { .data($0) }

        let document = DocumentBody(fields: fields)
        let device = element["device"].flatMap(DeviceText.parse)
        var record = ObjectRecord(
            type: TypeCatalog.description(for: identifier)?.code ?? .firstUnknown, start: received, end: received,
            revision: element["sourceName"].map {
                SourceText.revision(name: $0, version: element["sourceVersion"], device: device)
            }, device: device, creation: element["creationDate"].flatMap(DateText.parse),
            body: .document(document))
        for child in element.children {
            record.metadata.entries.append(ElementMetadata.entry(child) ?? ArchivedMetadata.child(child))
        }
        ElementRemainder.keep(element, in: &record) { ClinicalRecordWriter.write($0, document, $1, &$2) }
        return Reading(
            typeIdentifier: identifier, record: record, isBroken: resource != nil && facts == nil)
    }
}
