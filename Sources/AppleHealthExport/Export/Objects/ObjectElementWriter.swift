import HealthModel

/// Any object as the element it has in an archive.
enum ObjectElementWriter {
    /// The element; `nil` for objects the format has no place for.
    static func write(
        _ object: ObjectRecord, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement? {
        switch object.body {
        case .workout(let body): WorkoutWriter.write(object, body, style, &tally)
        case .activitySummary(let body): ActivitySummaryWriter.write(object, body, &tally)
        case .none: CorrelationWriter.write(object, style, &tally)
        case .archived(let element): element
        case .document(let document): write(object, document, style, &tally)
        }
    }

    private static func write(
        _ object: ObjectRecord, _ document: DocumentBody, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement? {
        guard let identifier = style.dictionaries.type(object.type)?.identifier else { return nil }
        switch identifier {
        case AudiogramReader.identifier: return AudiogramWriter.write(object, document, style, &tally)
        case VisionPrescriptionReader.identifier:
            return VisionPrescriptionWriter.write(object, document, style, &tally)
        case _ where ClinicalRecordType.contains(identifier):
            return ClinicalRecordWriter.write(object, document, style, &tally)
        default: return nil
        }
    }
}
