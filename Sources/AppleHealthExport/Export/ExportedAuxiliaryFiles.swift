import Foundation
import HealthEngine
import HealthModel
import HealthImport

/// The files beside the main file: named while the main file is written, and written after it.
struct ExportedAuxiliaryFiles {
    /// One file to be written.
    struct File {
        /// The content of a file.
        enum Content {
            /// A route of a workout that ended at this instant.
            case route(workoutEnd: Double)
            case electrocardiogram
            case clinicalRecord
            /// A file attached to the object.
            case attachment(AttachmentRecord)
        }

        /// The path with a leading slash, as in elements.
        var path: String
        /// The sequence of the object it belongs to.
        var object: Int64
        var content: Content
    }

    private(set) var files: [File] = []
    private var names = AuxiliaryFileNames()
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

    /// Names the file of a clinical record; `nil` for a record without one.
    mutating func add(clinicalRecord object: ObjectRecord, _ document: DocumentBody) -> String? {
        guard let uuid = object.uuid,
            let path = ClinicalRecordWriter.path(of: object, document, uuid: uuid, names: &names)
        else { return nil }
        files.append(File(path: path, object: object.sequence, content: .clinicalRecord))
        return path
    }

    /// Names a file attached to a prescription.
    mutating func add(attachment: AttachmentRecord, of object: ObjectRecord) {
        let path = VisionPrescriptionWriter.path(of: attachment, names: &names)
        files.append(File(path: path, object: object.sequence, content: .attachment(attachment)))
    }
}

extension ExportRun {
    /// Writes the files beside the main file, reading each object again.
    func writeAuxiliaryFiles(to pipeline: PiecePipeline) throws {
        let (offset, exported) = (style.dates.offset, options.exportDate.timeIntervalSinceReferenceDate)
        for file in auxiliaryFiles.files {
            guard let object = try contents.object(sequence: file.object) else { continue }
            let name = String(file.path.dropFirst())
            switch file.content {
            case .attachment(let record):
                try writeAttachment(record, named: name, to: pipeline)
            case .route(let workoutEnd):
                try pipeline.submit(beginning: name) { piece in
                    let bytes = WorkoutRouteWriter.file(
                        object, workoutEnd: workoutEnd, exported: exported, offset: offset)
                    if bytes == nil { piece.tally.report("route with inconsistent points, its file is empty") }
                    piece.text.append(bytes ?? [])
                }
            case .electrocardiogram:
                try pipeline.submit(beginning: name) { piece in
                    piece.text.append(ElectrocardiogramWriter.file(object, offset: offset) ?? [])
                }
            case .clinicalRecord:
                guard case .document(let document) = object.body else { continue }
                try pipeline.submit(beginning: name) { $0.text.append(ClinicalRecordWriter.file(of: document) ?? []) }
            }
        }
    }

    private func writeAttachment(_ record: AttachmentRecord, named name: String, to pipeline: PiecePipeline) throws {
        try pipeline.submit(beginning: name) { _ in }
        for number in 0..<record.pieceCount {
            let bytes = try contents.attachmentPiece(number, of: record.identifier)
            try pipeline.submit { $0.text.append(bytes) }
        }
    }
}

/// The paths of an archive's files so far. Paths that differ only in case count as the same, as in many file
/// systems.
struct AuxiliaryFileNames {
    private var taken: Set<String> = []

    /// Returns the path itself or, if it is taken, the path with `_1`, `_2` … before its extension.
    mutating func unique(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
        var candidate = path
        var number = 0
        while !taken.insert(AuxiliaryPath.folded(candidate)).inserted {
            number += 1
            candidate = "\(path[..<dot])_\(number)\(path[dot...])"
        }
        return candidate
    }

    /// Returns an unused path in `folder`: the preferred one if it is directly in the folder, otherwise one made of
    /// `name` and the suffix.
    mutating func path(_ preferred: String?, in folder: String, otherwise name: String, suffix: String) -> String {
        if let preferred, Self.isValid(preferred, in: folder) { return unique(preferred) }
        return unique("/\(folder)/" + name.map { Self.isPlain($0) ? String($0) : "_" }.joined() + suffix)
    }

    /// Whether a path from an archive is `/folder/name`, with a name that is valid and cannot leave the folder.
    private static func isValid(_ path: String, in folder: String) -> Bool {
        let start = "/\(folder)/"
        guard path.hasPrefix(start), path.utf8.count <= 1_000 else { return false }
        let name = path.dropFirst(start.count)
        return !name.isEmpty && name != "." && name != ".."
            && !name.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7F }
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }
}
