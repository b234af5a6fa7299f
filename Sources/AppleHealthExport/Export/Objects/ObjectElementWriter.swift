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
        case .document: nil
        }
    }
}
