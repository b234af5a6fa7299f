import Foundation
import HealthEngine
import HealthFiles
import HealthModel

/// Reads a `VisionPrescription` element as a prescription for glasses or contacts. The counterpart is
/// ``VisionPrescriptionWriter``.
///
/// Attachment elements and lenses that cannot be read are kept in the metadata. The importer finds the files of
/// attachments.
enum VisionPrescriptionReader {
    static let identifier = "HKVisionPrescriptionTypeIdentifier"
    static let rightEye = "RightEye"
    static let leftEye = "LeftEye"
    /// The source of a prescription without one, which is usual: the application in which people enter prescriptions.
    static let defaultSource = SourceText.revision(name: "Health", version: nil, device: nil)

    /// Reads an element. Throws if it lacks a date of issue or if its type is unknown.
    static func read(_ element: ArchivedElement) throws(ElementError) -> ObjectRecord {
        guard let issuedText = element["dateIssued"] else { throw ElementError("it has no dateIssued") }
        guard let issued = instant(issuedText) else { throw ElementError("its dateIssued is not a date") }
        guard let typeText = element["type"] else { throw ElementError("it has no type") }
        guard let type = VisionPrescriptionTypeText.rawValue(of: typeText) else {
            throw ElementError("its type is unknown")
        }
        let device = element["device"].flatMap(DeviceText.parse)
        var record = ObjectRecord(
            type: TypeCatalog.description(for: identifier)!.code, start: issued, end: issued,
            revision: element["sourceName"].map {
                SourceText.revision(name: $0, version: element["sourceVersion"], device: device)
            } ?? defaultSource, device: device, creation: element["creationDate"].flatMap(ArchiveDate.parse))
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
                document[
                    child.name == rightEye ? VisionPrescriptionDocument.rightEye : VisionPrescriptionDocument.leftEye] =
                    lens
            } else {
                record.metadata.entries.append(ArchivedMetadata.child(child))
            }
        }
        record.body = .document(document)
        let read = [eyes[rightEye], eyes[leftEye]].compactMap { $0 }
        UnknownContent.preserve(children: read, beside: VisionPrescriptionWriter.lenses(of: document), in: &record)
        UnknownContent.preserve(element, in: &record) { VisionPrescriptionWriter.write($0, document, $1, &$2) }
        return record
    }

    /// The instant; for a day without a time its midnight in UTC.
    private static func instant(_ text: String) -> Double? {
        ArchiveDate.parse(text) ?? DateText.day(text).map { Double($0 * 86_400) }
    }
}

/// Reads a `RightEye` or `LeftEye` element as a record of ``LensDocument``.
enum LensReader {
    /// An attribute of a lens, the field for it, and the unit if none is given: opticians write lengths in millimetres.
    struct Part {
        var attribute: String
        var field: String
        var unit: String
    }

    /// The lens; `nil` for one without a sphere, or with an invalid number or unit.
    static func read(_ element: ArchivedElement, isContact: Bool) -> FieldValue? {
        guard element.children.isEmpty else { return nil }
        var fields: [String: FieldValue] = [:]
        for part in powers + (isContact ? contacts : [vertex] + distances) {
            guard element[part.attribute] != nil else { continue }
            guard let quantity = quantity(element, part) else { return nil }
            fields[part.field] = .quantity(quantity.record)
        }
        guard fields[LensDocument.sphere] != nil else { return nil }
        if !isContact, element[prismAmount.attribute] != nil, element[prismAngle.attribute] != nil {
            guard let amount = quantity(element, prismAmount), let angle = quantity(element, prismAngle) else {
                return nil
            }
            let isRightEye = element.name == VisionPrescriptionReader.rightEye
            let parts = PrismParts(amount: amount.canonical, degrees: angle.canonical, isRightEye: isRightEye)
            fields[LensDocument.prism] = PrismDocument.record(
                parts, amount: amount.record, angle: angle.record, isRightEye: isRightEye)
        }
        return .record(fields)
    }

    private static func quantity(
        _ element: ArchivedElement, _ part: Part
    ) -> (record: QuantityRecord, canonical: Double)? {
        ArchiveQuantity.read(
            element[part.attribute], unit: element[part.attribute + "Unit"], in: part.unit, without: part.unit)
    }
}

/// The attachments of prescriptions in an archive, and how imported attachments are identified in the store.
enum ArchivedAttachment {
    static let elementName = "Attachment"
    /// The folder of an archive that holds the files.
    static let folder = "attachments"
    private static let identifierKey = MetadataKey.archivedPrefix + "identifier"

    /// The distinct identifiers in an object's attachment elements, in order.
    static func identifiers(in metadata: Metadata) -> [String] {
        var seen: Set<String> = []
        return metadata.entries.compactMap { ArchivedMetadata.element(of: $0) }
            .filter { $0.name == elementName }.compactMap { $0["identifier"] }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The identifier of an imported attachment in its archive; `nil` for one that an application added.
    static func identifier(of attachment: AttachmentRecord) -> String? {
        attachment.metadata.text(identifierKey)
    }

    /// The UUID of an attachment: its identifier if that is a UUID, otherwise a hash of it by FNV-1a. UUIDs are stored,
    /// so this must never change.
    static func uuid(of identifier: String) -> UUID {
        if let uuid = UUID(uuidString: identifier) { return uuid }
        let (high, low) = (FNV1a.hash(identifier.utf8), FNV1a.hash(identifier.utf8, seed: 0x8422_2325_CBF2_9CE4))
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { $0.loadUnaligned(as: UUID.self) }
    }

    /// The metadata of an imported attachment.
    static func metadata(identifier: String) -> Metadata {
        Metadata([.init(key: identifierKey, value: .string(identifier))])
    }
}

/// Finds files in an archive's `attachments` folder by the identifier in an `Attachment` element.
///
/// How Apple names these files is unknown. A file matches if its name is the identifier with or without an extension,
/// or if it is the only one whose name begins with the identifier, ignoring case.
struct AttachmentFolder {
    private struct File {
        var name: String
        var path: String
    }

    /// The files, sorted by folded name.
    private let files: [File]

    init(paths: [String]) {
        files = paths.compactMap { path in
            Self.name(of: path).map { File(name: AuxiliaryPath.folded($0), path: path) }
        }.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    }

    /// The path of the file; `nil` if no file or more than one matches.
    func path(of identifier: String) -> String? {
        // If the identifier is a path, its last part is the name.
        guard let wanted = Self.name(of: identifier).map({ AuxiliaryPath.folded($0) }), !wanted.isEmpty else {
            return nil
        }
        let candidates = files[files.partitionPoint { $0.name < wanted }...].prefix { $0.name.hasPrefix(wanted) }
        return candidates.first { $0.name == wanted }?.path
            ?? candidates.first { $0.name.hasPrefix(wanted + ".") }?.path
            ?? (candidates.count == 1 ? candidates.first?.path : nil)
    }

    private static func name(of path: String) -> String? {
        path.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
    }
}
