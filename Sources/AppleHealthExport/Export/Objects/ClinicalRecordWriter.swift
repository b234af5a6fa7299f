import Foundation
import HealthModel

/// Writes a clinical record as a `ClinicalRecord` element and the file it refers to: the counterpart of
/// ``ClinicalRecordReader``.
enum ClinicalRecordWriter {
    /// The folder of the files in an archive.
    static let folder = "clinical-records"

    /// The element.
    ///
    /// - Parameter path: The path of the file in the archive. Without one, the element has the path it was imported
    ///   with, if any.
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

    /// The path of the record's file: the path in the archive it was imported from, if that is valid and unused,
    /// otherwise one made of the record's UUID. `nil` for a record without a resource.
    static func path(
        of object: ObjectRecord, _ document: DocumentBody, uuid: UUID, names: inout AuxiliaryFileNames
    ) -> String? {
        guard document[ClinicalRecordDocument.data] != nil else { return nil }
        let preserved = object.metadata.entries.lazy.compactMap { ArchivedMetadata.attribute(of: $0) }
            .first { $0.name == pathName }?.value
        let type = document[ClinicalRecordDocument.resourceType]?.text ?? "Resource"
        return names.path(preserved, in: folder, otherwise: "\(type)-\(uuid.uuidString)", suffix: ".json")
    }

    /// The unchanged bytes of the record's file; `nil` for a record without a resource.
    static func file(of document: DocumentBody) -> [UInt8]? {
        if case .data(let bytes) = document[ClinicalRecordDocument.data] { bytes } else { nil }
    }

    private static let pathName = "resourceFilePath"
}
