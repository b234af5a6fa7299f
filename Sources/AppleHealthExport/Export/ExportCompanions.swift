import Foundation
import HealthEngine
import HealthModel

/// The files beside the main one: named while the main file is written, and made after it.
struct ExportCompanions {
    /// One file to come.
    struct File {
        /// What it is made of.
        enum Content {
            /// A route of a workout that ended at this instant.
            case route(workoutEnd: Double)
            case electrocardiogram
            case clinicalRecord
            /// A file kept with the object.
            case attachment(AttachmentRecord, owner: UUID)
        }

        /// With a leading slash, as elements give it.
        var path: String
        /// Sequence of the object it belongs to.
        var object: Int64
        var content: Content
    }

    private(set) var files: [File] = []
    private var names = CompanionNames()
    private let offset: Int

    init(offset: Int) {
        self.offset = offset
    }

    /// Names the file of a route.
    mutating func add(route: ObjectRecord, workoutEnd: Double) -> String {
        let path = names.unique(WorkoutRouteWriter.path(of: route, workoutEnd: workoutEnd, offset: offset))
        files.append(File(path: path, object: route.sequence, content: .route(workoutEnd: workoutEnd)))
        return path
    }

    /// Names the file of an electrocardiogram.
    mutating func add(electrocardiogram: ObjectRecord) -> String {
        let path = names.unique(ElectrocardiogramWriter.path(of: electrocardiogram, offset: offset))
        files.append(File(path: path, object: electrocardiogram.sequence, content: .electrocardiogram))
        return path
    }

    /// Names the file of a clinical record; `nil` for one that has none.
    mutating func add(clinicalRecord object: ObjectRecord, _ document: DocumentBody) -> String? {
        guard let uuid = object.uuid,
            let path = ClinicalRecordWriter.path(of: object, document, uuid: uuid, names: &names)
        else { return nil }
        files.append(File(path: path, object: object.sequence, content: .clinicalRecord))
        return path
    }

    /// Names a file kept with a prescription.
    mutating func add(attachment: AttachmentRecord, of object: ObjectRecord) {
        guard let owner = object.uuid else { return }
        let path = VisionPrescriptionWriter.path(of: attachment, names: &names)
        files.append(File(path: path, object: object.sequence, content: .attachment(attachment, owner: owner)))
    }
}
