import Foundation
import HealthEngine
import HealthModel

extension ArchiveParser {
    /// Takes a hearing test.
    mutating func takeAudiogram(_ element: ArchivedElement, at start: Int) {
        do {
            add(try AudiogramReader.read(element))
        } catch {
            keepWhole(element, because: error, at: start)
        }
    }

    /// Takes a prescription of glasses or contacts.
    mutating func takeVisionPrescription(_ element: ArchivedElement, at start: Int) {
        do {
            let record = try VisionPrescriptionReader.read(element)
            for identifier in ArchivedAttachment.identifiers(in: record.metadata) {
                takeAttachment(identifier, of: record, at: start)
            }
            add(record)
        } catch {
            keepWhole(element, because: error, at: start)
        }
    }

    /// Takes a file of the prescription that is about to be added and starts at offset `start`.
    private mutating func takeAttachment(_ identifier: String, of record: ObjectRecord, at start: Int) {
        if attachmentFolder == nil {
            attachmentFolder = AttachmentFolder(paths: companions.paths(inFolder: ArchivedAttachment.folder))
        }
        do throws(CompanionError) {
            guard let path = attachmentFolder?.path(of: identifier) else { throw .missing }
            let bytes = try companions.contents(of: path, limit: AttachmentRecord.greatestSize)
            let name = path.split(separator: "/").last.map(String.init) ?? identifier
            attachments.append(
                .init(
                    owner: objects.count,
                    record: AttachmentRecord(
                        identifier: ArchivedAttachment.uuid(of: identifier), name: name,
                        contentType: AttachmentKind.identifier(name: name, bytes: bytes), size: bytes.count,
                        creation: record.start, metadata: ArchivedAttachment.metadata(identifier: identifier)),
                    bytes: bytes))
            batchRecords += BatchWeight.weight(ofBytes: bytes.count)
        } catch {
            findings.skip(
                line: window.line(at: start), type: VisionPrescriptionReader.identifier,
                reason: error.reason + ", its reference is kept")
        }
    }

    /// Takes a health institution's record with the file it names.
    mutating func takeClinicalRecord(_ element: ArchivedElement, at start: Int) {
        var missing: CompanionError?
        var resource: [UInt8]?
        if let path = element["resourceFilePath"] {
            do throws(CompanionError) {
                resource = try companions.contents(of: path)
            } catch {
                missing = error
            }
        }
        do {
            var reading = try ClinicalRecordReader.read(element, resource: resource)
            reading.record.type = documentType(reading.typeIdentifier)
            if let missing {
                findings.skip(
                    line: window.line(at: start), type: reading.typeIdentifier,
                    reason: missing.reason + ", its reference is kept")
            }
            if reading.isBroken { 
                findings.note("ClinicalRecord with a file that is no JSON, kept", count: 1, line: window.line(at: start))
            }
            let others = ClinicalRecordType.others(of: element["type"] ?? "", than: reading.typeIdentifier, hasFile: resource != nil)
            if !others.isEmpty { otherTypes.append(.init(object: objects.count, identifiers: others)) }
            add(reading.record)
        } catch {
            keepWhole(element, because: error, at: start)
        }
    }

    /// Keeps an element that says too little to be read as what it is.
    private mutating func keepWhole(_ element: ArchivedElement, because refusal: ObjectRefusal, at start: Int) {
        findings.note("\(element.name), kept as it is: \(refusal.reason)", count: 1, line: window.line(at: start))
        takeDocument(element, identifier: DocumentReader.identifier(of: element), at: start)
    }
}
