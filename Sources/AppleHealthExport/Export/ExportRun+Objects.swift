import Foundation
import HealthEngine
import HealthModel
import HealthImport

extension ExportRun {
    /// The maximum number of objects in a piece, and of numbers in their series.
    private static let objectsInPiece = 128
    private static let numbersInPiece = 1 << 18

    /// An object and the files that belong to it.
    struct Planned: Sendable {
        var object: ObjectRecord
        /// A workout's routes and the paths of their files; `nil` for routes whose points are in the main file.
        var routes: [(route: ObjectRecord, path: String?, isSupplemented: Bool)] = []
        /// The path of a clinical record's file.
        var path: String?
        var attachments: [AttachmentRecord] = []
        /// Whether the archive format cannot hold the object.
        var isExtra = false
        /// Whether the object is in the supplement regardless of its element.
        var isSupplemented = false
        /// The samples that belong to an object in the supplement.
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
                    try supplementMembers(of: &planned[index])
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
            try supplement(&item)
            planned.append(item)
            for part in [object] + item.routes.map(\.route) {
                if case .document(let body) = part.body { numbers += body.series.values.reduce(0) { $0 + $1.count } }
            }
            if planned.count >= Self.objectsInPiece || numbers >= Self.numbersInPiece { try submit() }
            return true
        }
        if !planned.isEmpty { try submit() }
    }

    /// Names the files of an object. Returns `nil` for an object without an element of its own.
    private func plan(_ object: ObjectRecord, _ type: TypeDescription) throws -> Planned? {
        var item = Planned(object: object)
        switch (object.body, type.identifier) {
        case (.workout, _):
            for route in try contents.parts(of: object.sequence) where isRoute(route) {
                let hasFile = output.acceptsAuxiliaryFiles && !WorkoutRouteWriter.requiresInlinePoints(route)
                let path = hasFile ? auxiliaryFiles.add(route: route, workoutEnd: object.end) : nil
                item.routes.append((route, path, false))
                placed.insert(route.sequence)
            }
        case (.document, WorkoutRouteReader.identifier), (.document, HeartbeatSeriesReader.identifier):
            // These are inside the element of a workout or record, if there is one.
            if placed.contains(object.sequence) { return nil }
            item.isExtra = true
        case (.document, ElectrocardiogramReader.identifier):
            if output.acceptsAuxiliaryFiles, ElectrocardiogramWriter.hasVoltages(object) {
                let path = auxiliaryFiles.add(electrocardiogram: object)
                tally.written[object.type, default: 0] += 1
                if supplement != nil,
                    contents.isGivenIdentity(of: object) || !ElectrocardiogramReader.isFromFile(object)
                {
                    supplementedElectrocardiograms[path] = object.sequence
                }
                return nil
            }
            item.isExtra = true
        case (.document(let document), _) where ClinicalRecordType.contains(type.identifier):
            if output.acceptsAuxiliaryFiles {
                item.path = auxiliaryFiles.add(clinicalRecord: object, document)
            } else if ClinicalRecordWriter.file(of: document) != nil {
                tally.report("file of a clinical record, only written to a zip file or folder")
            }
        case (.document, VisionPrescriptionReader.identifier):
            item.attachments = try contents.attachments(of: object)
            for attachment in item.attachments {
                if output.acceptsAuxiliaryFiles {
                    auxiliaryFiles.add(attachment: attachment, of: object)
                } else {
                    tally.report("file of a prescription, only written to a zip file or folder")
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
        if style.writesSupplement { SupplementObjects.add(item, element, style, to: piece) }
    }
}
