import Foundation
import HealthModel

extension DocumentBacked {
    /// A new object of an application's making. Dates and metadata that are not allowed end the process.
    init(
        new type: HKSampleType, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?,
        document: DocumentBody
    ) {
        let record = ObjectRecord(
            uuid: UUID(), type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate,
            metadata: ProgrammerError.checkedMetadata(metadata), body: .document(document))
        ProgrammerError.check(record, of: type)
        self.init(
            identity: record.uuid ?? UUID(),
            context: ObjectContext(type: type, device: device, metadata: record.metadata),
            start: record.start, end: record.end, document: document)
    }
}
