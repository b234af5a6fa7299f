import HealthEngine
import HealthFiles

/// Reads the database that Android's Health Connect exports.
final class HealthConnectFiles: FileReader {
    static let format = FileFormat(
        name: "Health Connect", title: "[Health Connect](#health-connect)",
        files: "Android's zip file or the database in it",
        exampleNames: [HealthConnectExporter.entryName])

    /// Other programs have databases, too, with other endings.
    func recognize(_ file: CandidateFile) -> Recognition? {
        guard file.isAlone || file.hasEnding(".db"), file.head.starts(with: "SQLite format 3\0".utf8) else {
            return nil
        }
        return .reads(.exact) { context, yield in
            let bytes = try file.file.bytes()
            defer { context.count(bytes.count) }
            try yield(
                HealthConnectReader.read(
                    path: file.file.path, bytes, recovers: context.recoversDamaged,
                    isInterrupted: context.isInterrupted,
                    isKnown: { uuid in
                        try context.engine.withReader(as: .reader) { try $0.locate(uuid) } != nil
                    }, emit: yield))
        }
    }
}
