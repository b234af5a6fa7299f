import HealthModel

/// Any object as the element it has in an archive.
enum ObjectElementWriter {
    /// The element of an object that has no files beside it; `nil` for objects the format has no place for.
    static func write(
        _ object: ObjectRecord, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement? {
        write(ExportRun.Planned(object: object), style, &tally)
    }

    /// The element; `nil` for objects the format has no place for.
    static func write(
        _ item: ExportRun.Planned, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement? {
        let object = item.object
        switch object.body {
        case .workout(let body):
            let routes = item.routes.map { route, path, _ in
                path.map { WorkoutRouteWriter.write(route, path: $0, style, &tally) }
                    ?? WorkoutRouteWriter.writeInline(route, style, &tally)
            }
            return WorkoutWriter.write(object, body, routes: routes, style, &tally)
        case .activitySummary(let body): return ActivitySummaryWriter.write(object, body, &tally)
        // A correlation of nothing is none that a reader would take.
        case .none: return object.members.isEmpty ? nil : CorrelationWriter.write(object, style, &tally)
        case .archived(let element): return element
        case .document(let document): return write(item, document, style, &tally)
        }
    }

    private static func write(
        _ item: ExportRun.Planned, _ document: DocumentBody, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement? {
        let object = item.object
        guard let identifier = style.dictionaries.type(object.type)?.identifier else { return nil }
        switch identifier {
        case AudiogramReader.identifier: return AudiogramWriter.write(object, document, style, &tally)
        case VisionPrescriptionReader.identifier:
            return VisionPrescriptionWriter.write(object, document, attachments: item.attachments, style, &tally)
        case _ where ClinicalRecordType.contains(identifier):
            return ClinicalRecordWriter.write(object, document, path: item.path, style, &tally)
        default: return nil
        }
    }
}
