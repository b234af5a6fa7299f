import HealthEngine
import HealthModel

/// Objects as they are told in a supplement.
enum SupplementObjects {
    /// Asks for a line about an object the archive has no place for; one of a type that only this store knows
    /// is left out.
    static func add(_ item: ExportRun.Planned, _ style: RecordStyle, to piece: ExportPiece) {
        let type = item.object.type
        guard style.isSupplemented, TypeCatalog.description(for: type) != nil else {
            piece.tally.leftOut[type, default: 0] += 1
            return
        }
        piece.supplement.append(.object(item.object, place: nil, members: item.members))
        piece.tally.supplemented[type, default: 0] += 1
    }

    /// Counts an object and its routes as elements of the piece, and asks for lines about those that the
    /// archive does not tell in full.
    static func add(
        _ item: ExportRun.Planned, _ element: ArchivedElement, _ style: RecordStyle, to piece: ExportPiece
    ) {
        let type = item.object.type
        if item.isTold || !reads(item, element, style) {
            piece.supplement.append(
                .object(item.object, place: piece.placed[type, default: 0], members: item.members))
            piece.tally.completed[type, default: 0] += 1
        }
        piece.placed[type, default: 0] += 1
        for route in item.routes {
            let type = route.route.type
            if route.isTold {
                piece.supplement.append(.object(route.route, place: piece.placed[type, default: 0], members: []))
                piece.tally.completed[type, default: 0] += 1
            }
            piece.placed[type, default: 0] += 1
        }
    }

    /// Whether the reader of such elements makes the same body of this one again.
    private static func reads(
        _ item: ExportRun.Planned, _ element: ArchivedElement, _ style: RecordStyle
    ) -> Bool {
        let object = item.object
        switch object.body {
        case .none, .archived: return true
        case .activitySummary: return (try? ActivitySummaryReader.read(element))?.body == object.body
        case .workout(let body):
            var ignored = ExportTally()
            let own = WorkoutWriter.write(object, body, style, &ignored)
            return (try? WorkoutReader.read(own))?.body == object.body
        case .document:
            switch style.dictionaries.type(object.type)?.identifier {
            case AudiogramReader.identifier: return (try? AudiogramReader.read(element))?.body == object.body
            case VisionPrescriptionReader.identifier:
                return (try? VisionPrescriptionReader.read(element))?.body == object.body
            default: return true
            }
        }
    }
}
