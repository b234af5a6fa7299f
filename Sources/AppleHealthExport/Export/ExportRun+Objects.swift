import Foundation
import HealthEngine
import HealthModel

extension ExportRun {
    /// How many objects make a piece, and how many numbers of their series.
    private static let objectsInPiece = 128
    private static let numbersInPiece = 1 << 18

    /// An object with what is known of the files beside it.
    struct Planned: Sendable {
        var object: ObjectRecord
        /// A workout's routes, with the paths of their files; no path where there can be no files.
        var routes: [(route: ObjectRecord, path: String?, isTold: Bool)] = []
        /// Where a clinical record's file lies.
        var path: String?
        var attachments: [AttachmentRecord] = []
        /// Whether the archive has no place for it.
        var isExtra = false
        /// Whether the supplement tells of it whatever its element says.
        var isTold = false
        /// The samples that belong to it, where it is told.
        var members: [SupplementPage] = []
    }

    /// Writes the objects of one type.
    func writeObjects(of type: TypeDescription, to pipeline: PiecePipeline) throws {
        var planned: [Planned] = []
        var numbers = 0
        func submit() throws {
            if type.kind == .correlation {
                var objects = planned.map(\.object)
                try contents.fillMembers(of: &objects)
                for index in planned.indices {
                    planned[index].object.members = objects[index].members
                    try tellMembers(of: &planned[index])
                }
            }
            let (batch, style) = (planned, style)
            planned = []
            numbers = 0
            try pipeline.submit { piece in
                for item in batch { Self.write(item, style, to: piece) }
            }
        }
        try contents.visitObjects(of: type.code, in: options.selection) { object in
            guard var item = try plan(object, type) else { return true }
            try tell(&item)
            planned.append(item)
            for part in [object] + item.routes.map(\.route) {
                if case .document(let body) = part.body { numbers += body.series.values.reduce(0) { $0 + $1.count } }
            }
            if planned.count >= Self.objectsInPiece || numbers >= Self.numbersInPiece { try submit() }
            return true
        }
        if !planned.isEmpty { try submit() }
    }

    /// Names the files that go with an object; `nil` for one that is no element of its own.
    private func plan(_ object: ObjectRecord, _ type: TypeDescription) throws -> Planned? {
        var item = Planned(object: object)
        switch (object.body, type.identifier) {
        case (.workout, _):
            for route in try contents.parts(of: object.sequence) where isRoute(route) {
                let hasFile = output.takesCompanions && !WorkoutRouteWriter.mustStandInline(route)
                let path = hasFile ? companions.add(route: route, workoutEnd: object.end) : nil
                item.routes.append((route, path, false))
                placed.insert(route.sequence)
            }
        case (.document, WorkoutRouteReader.identifier), (.document, HeartbeatSeriesReader.identifier):
            // These stand within a workout and a record, if there is one for them.
            if placed.contains(object.sequence) { return nil }
            item.isExtra = true
        case (.document, ElectrocardiogramReader.identifier):
            if output.takesCompanions {
                let path = companions.add(electrocardiogram: object)
                tally.written[object.type, default: 0] += 1
                if supplement != nil, contents.isGivenIdentity(of: object) { toldElectrocardiograms[path] = object.sequence }
                return nil
            }
            item.isExtra = true
        case (.document(let document), _) where ClinicalRecordType.contains(type.identifier):
            if output.takesCompanions {
                item.path = companions.add(clinicalRecord: object, document)
            } else if ClinicalRecordWriter.file(of: document) != nil {
                tally.note("file of a clinical record; a zip or folder has a place for it")
            }
        case (.document, VisionPrescriptionReader.identifier):
            item.attachments = try contents.attachments(of: object)
            for attachment in item.attachments {
                if output.takesCompanions {
                    companions.add(attachment: attachment, of: object)
                } else {
                    tally.note("file of a prescription; a zip or folder has a place for it")
                }
            }
        default: break
        }
        return item
    }

    private func isRoute(_ object: ObjectRecord) -> Bool {
        style.dictionaries.type(object.type)?.identifier == WorkoutRouteReader.identifier
    }

    private static func write(_ item: Planned, _ style: RecordStyle, to piece: ExportPiece) {
        let object = item.object
        guard !item.isExtra, let element = ObjectElementWriter.write(item, style, &piece.tally) else {
            return SupplementObjects.add(item, style, to: piece)
        }
        ElementMarkup.write(element, depth: 1, to: piece.text, &piece.tally)
        piece.tally.written[object.type, default: 0] += 1
        for route in item.routes { piece.tally.written[route.route.type, default: 0] += 1 }
        if style.isSupplemented { SupplementObjects.add(item, element, style, to: piece) }
    }
}
