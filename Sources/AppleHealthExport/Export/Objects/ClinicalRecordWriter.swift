import Foundation
import HealthModel

/// A health institution's record as a `ClinicalRecord` element and the file it names: the twin of
/// ``ClinicalRecordReader``.
enum ClinicalRecordWriter {
    /// The folder of an archive that holds the files.
    static let folder = "clinical-records"

    /// The element.
    ///
    /// - Parameter path: where its file lies in the archive; without one it names the file it was imported
    ///   with, if it was.
    static func write(
        _ object: ObjectRecord, _ document: DocumentBody, path: String? = nil, _ style: RecordStyle,
        _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "ClinicalRecord")
        let type = document[ClinicalRecordDocument.resourceType]?.text
        element.append("type", type ?? TypeCatalog.description(for: object.type)?.identifier)
        element.append("identifier", document[ClinicalRecordDocument.identifier]?.text)
        if object.revision != nil { element.appendOrigin(object.revision, object.device) }
        element.append("sourceURL", document[ClinicalRecordDocument.sourceURL]?.text)
        element.append("fhirVersion", document[ClinicalRecordDocument.version]?.text)
        element.append("creationDate", object.creation.map { style.date($0) })
        element.append("receivedDate", style.date(object.start))
        element.append(object.metadata, &tally)
        if let path { element.set(.init(name: pathName, value: path)) }
        return element
    }

    /// Where the record's file is to lie: where it lay in the archive it came from if that is a place in the
    /// folder that no other file has taken, else under a name made of the record's identity. `nil` for a
    /// record without a resource.
    static func path(
        of object: ObjectRecord, _ document: DocumentBody, uuid: UUID, names: inout CompanionNames
    ) -> String? {
        guard document[ClinicalRecordDocument.data] != nil else { return nil }
        let kept = object.metadata.entries.lazy.compactMap { ArchivedMetadata.attribute(of: $0) }
            .first { $0.name == pathName }?.value
        let type = document[ClinicalRecordDocument.resourceType]?.text ?? "Resource"
        return names.claim(kept, in: folder, otherwise: "\(type)-\(uuid.uuidString)", suffix: ".json")
    }

    /// The bytes of the record's file, as they were; `nil` for a record without a resource.
    static func file(of document: DocumentBody) -> [UInt8]? {
        if case .data(let bytes) = document[ClinicalRecordDocument.data] { bytes } else { nil }
    }

    private static let pathName = "resourceFilePath"
}
