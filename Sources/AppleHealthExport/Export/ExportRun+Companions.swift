import Foundation
import HealthEngine
import HealthModel

extension ExportRun {
    /// Writes the files beside the main one, each object read again when its turn comes.
    func writeCompanions(to pipeline: PiecePipeline) throws {
        let (offset, exported) = (style.dates.offset, options.exportDate.timeIntervalSinceReferenceDate)
        for file in companions.files {
            guard let object = try contents.object(sequence: file.object) else { continue }
            let name = String(file.path.dropFirst())
            switch file.content {
            case .attachment(let record, let owner):
                try writeAttachment(record, of: owner, named: name, to: pipeline)
            case .route(let workoutEnd):
                try pipeline.submit(beginning: name) { piece in
                    piece.text.append(
                        WorkoutRouteWriter.file(object, workoutEnd: workoutEnd, exported: exported, offset: offset) ?? [])
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

    private func writeAttachment(
        _ record: AttachmentRecord, of owner: UUID, named name: String, to pipeline: PiecePipeline
    ) throws {
        try pipeline.submit(beginning: name) { _ in }
        for number in 0..<record.pieceCount {
            let bytes = try contents.attachmentPiece(number, of: record.identifier)
            try pipeline.submit { $0.text.append(bytes) }
        }
    }
}
