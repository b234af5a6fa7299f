import HealthFiles

/// Reads the database of Gadgetbridge, an application for the devices of many makers.
final class GadgetbridgeReader: FileReader {
    /// The workouts by totals, which give way to recordings in other files.
    private var workouts: [FileContent] = []

    /// A database says what it is of only when it is opened.
    func recognize(_ file: CandidateFile) -> Recognition? {
        guard file.lastName.contains("gadgetbridge"), file.head.starts(with: "SQLite format 3\0".utf8) else {
            return nil
        }
        return .reads(.exact) { context, yield in
            let bytes = try file.file.bytes()
            defer { context.count(bytes.count) }
            let (database, damage) = try UntrustedDatabase.open(
                path: file.file.path, bytes, recovers: context.recoversDamaged, isInterrupted: context.isInterrupted)
            self.workouts.append(try GadgetbridgeDatabase(database).read(yield))
            var content = FileContent()
            content.damages = database.damages.map { .init(offset: 0, reason: $0.reason) }
            if let damage {
                content.damages.append(.init(offset: bytes.count, reason: "\(damage)", isAnywhere: true))
            }
            try yield(content)
        }
    }

    func finish(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws {
        for content in workouts { try yield(content) }
    }
}

/// A table of Gadgetbridge with a value at each moment, or over a span of time.
struct GadgetbridgeTable {
    let name: String
    let column: String
    let type: MeasuredType
    let isMilliseconds: Bool
    var span = 0.0
    /// A larger value means that nothing was measured.
    let maximum: Double
    var divisor = 1.0
}
