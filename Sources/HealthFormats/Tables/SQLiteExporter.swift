import Foundation
public import HealthEngine
import HealthSQL

/// Writes a store as a SQLite file of plain tables, those of `hk sql`, with keys, references, indexes and views.
public struct SQLiteExporter {
    private let options: FormatOptions

    /// An exporter with these options.
    public init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the file. It appears complete or not at all.
    ///
    /// - Throws: ``FormatError`` for trouble with the target, `SQLError`, and storage trouble.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        let draft = try Draft(path, replaces: options.replaces)
        try draft.tryFile()
        return try draft.write { path in
            let counts = try engine.reading(as: caller) { reading in
                try HealthDatabase(reading, timeZone: options.timeZone)
                    .copyTables(to: path, selection: RowSelection(options.selection, in: reading))
            }
            try Self.keep(path)
            var report = FormatReport()
            report.files = 1
            for (table, rows) in counts where rows > 0 { report.add(table, rows) }
            return report
        }
    }

    /// Has the disk keep what was written without waiting.
    private static func keep(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FormatError.system(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FormatError.system(path) }
    }
}
