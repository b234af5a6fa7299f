import Foundation
public import HealthEngine
package import HealthModel
import HealthSQL
import HealthStorageFiles

/// Exports a store as a folder of CSV files: one per sample type, and one for every other table of `hk sql` that has
/// rows; or one type as one file. The format is RFC 4180 with a header line.
public struct CSVExporter {
    private let options: FormatOptions

    /// Creates an exporter.
    public init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the folder, atomically: it appears with all its files or not at all.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, and storage errors.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try options.write(to: path, as: .folder) { folder in
            try engine.withReader(as: caller) { reading in
                let database = try HealthDatabase(reading, timeZone: options.timeZone)
                let selection = RowConditions(options.selection, in: reading, timeZone: options.timeZone)
                let lines = LinePipeline(SampleLineParts(.csv, in: reading), timeZone: options.timeZone)
                let target = Target(folder: folder)
                var report = FormatReport()
                for table in database.schema.tables {
                    guard table.rows == .samples else {
                        guard let condition = selection.condition(on: table) else { continue }
                        try write("SELECT * FROM \(table.name)\(condition)", table.name, target, database, &report)
                        continue
                    }
                    for type in try reading.types() where type.kind.isPaged && options.selection.includes(type.code) {
                        try write(type, of: reading, lines, target, &report)
                    }
                }
                try target.synchronization.wait()
                return report
            }
        }
    }

    /// Writes the samples or objects of one type as one file, atomically, or to standard output for “-”.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, and storage errors.
    package func export(
        _ type: TypeDescription, of engine: HealthEngine, to path: String, as caller: Caller
    ) throws -> FormatReport {
        try options.write(to: path, as: .file) { path in
            try engine.withReader(as: caller) { reading in
                var selection = options.selection
                selection.types = [type.code]
                let file = try OutputFile(path)
                var count = 0
                if type.kind.isPaged {
                    try file.write(Self.header(of: type))
                    let lines = LinePipeline(SampleLineParts(.csv, in: reading), timeZone: options.timeZone)
                    count = try lines.write(type, of: reading, in: selection) { try file.write($0) }
                } else {
                    let database = try HealthDatabase(reading, timeZone: options.timeZone)
                    let conditions = RowConditions(selection, in: reading, timeZone: options.timeZone)
                    let statement = try database.statement(conditions.rows(of: type))
                    count = try file.write(statement, as: .csv)
                }
                try file.finish()
                var report = FormatReport(files: 1)
                report.add(type.shortName, count)
                return report
            }
        }
    }

    /// The folder of the files.
    private final class Target {
        let synchronization = FileSynchronization()
        private let folder: String
        private var names: Set<String> = []

        init(folder: String) {
            self.folder = folder
        }

        /// Opens a file. The second type with a name that another one has gets a number.
        func file(_ name: String) throws -> OutputFile {
            let plain = CSVExporter.fileName(name)
            var (unique, number) = (plain, 2)
            while !names.insert(unique.lowercased()).inserted {
                unique = "\(plain)_\(number)"
                number += 1
            }
            return try OutputFile("\(folder)/\(unique).csv")
        }
    }

    /// Writes a file if there is at least one row.
    private func write(
        _ sql: String, _ name: String, _ target: Target, _ database: HealthDatabase, _ report: inout FormatReport
    ) throws {
        let statement = try database.statement(sql)
        guard try statement.step() else { return }
        let file = try target.file(name)
        report.add(name, try file.write(statement, as: .csv, isAtRow: true))
        try file.finish(target.synchronization)
        report.files += 1
    }

    /// The header line of a type's samples.
    private static func header(of type: TypeDescription) -> [UInt8] {
        Array((SampleLineParts.csvColumns(of: type.kind).joined(separator: ",") + "\r\n").utf8)
    }

    /// Writes the samples of a type, if there are any.
    private func write(
        _ type: TypeDescription, of reading: StoreReader, _ lines: LinePipeline, _ target: Target,
        _ report: inout FormatReport
    ) throws {
        var file: OutputFile?
        let count = try lines.write(type, of: reading, in: options.selection) { bytes in
            if file == nil {
                file = try target.file(type.shortName)
                try file?.write(Self.header(of: type))
            }
            try file?.write(bytes)
        }
        guard let file else { return }
        try file.finish(target.synchronization)
        report.add(type.shortName, count)
        report.files += 1
    }

    /// Types from archives can have any name.
    private static func fileName(_ name: String) -> String {
        let cleaned = name.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" }
        return String(cleaned.prefix(120))
    }
}

extension OutputFile {
    /// Writes the rows of a statement, with what belongs before and after them, and returns their number.
    ///
    /// - Parameter isAtRow: Whether the first row has been read.
    fileprivate func write(
        _ statement: SQLStatement, as format: RowFormat, omitsNull: Bool = false, isAtRow: Bool = false
    ) throws -> Int {
        var writer = RowWriter(statement, as: format, omitsNull: omitsNull) { try self.write($0) }
        try writer.begin()
        var (count, hasRow) = (0, isAtRow)
        if !hasRow { hasRow = try statement.step() }
        while hasRow {
            try writer.write(statement)
            count += 1
            hasRow = try statement.step()
        }
        try writer.end()
        return count
    }
}

/// Exports a store as one JSON object per line: the characteristics, then samples by type, then objects with their
/// fields, series and members. Missing values are omitted.
public struct NDJSONExporter {
    private let options: FormatOptions

    /// Creates an exporter.
    public init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the file, or writes to standard output for “-”.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, and storage errors.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try options.write(to: path, as: .file) { try write(engine, to: $0, as: caller) }
    }

    private func write(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try engine.withReader(as: caller) { reading in
            let database = try HealthDatabase(reading, timeZone: options.timeZone)
            let selection = RowConditions(options.selection, in: reading, timeZone: options.timeZone)
            let file = try OutputFile(path)
            var report = FormatReport(files: 1)
            let lines = LinePipeline(SampleLineParts(.ndjson, in: reading), timeZone: options.timeZone)
            for table in database.schema.tables {
                if table.rows == .samples {
                    let count = try writeSamples(of: reading, lines, to: file)
                    if count > 0 { report.add(table.name, count) }
                    continue
                }
                guard let sql = Self.statements[table.name], let condition = selection.condition(on: table) else {
                    continue
                }
                let statement = try database.statement(sql + condition)
                let count = try file.write(statement, as: .ndjson, omitsNull: true)
                if count > 0 { report.add(table.name, count) }
            }
            try file.finish()
            return report
        }
    }

    /// Writes the samples of all types, in the order of the types' names, and returns their number.
    private func writeSamples(of reading: StoreReader, _ lines: LinePipeline, to file: OutputFile) throws -> Int {
        let types = try reading.types().filter { $0.kind.isPaged && options.selection.includes($0.code) }
            .sorted { ($0.shortName.lowercased(), $0.code) < ($1.shortName.lowercased(), $1.code) }
        return try types.reduce(0) { count, type in
            try count + lines.write(type, of: reading, in: options.selection) { try file.write($0) }
        }
    }

    /// The statement for the lines of each table but that of samples, whose lines are made from columns.
    private static let statements = [
        "characteristics": "SELECT 'characteristic' AS kind, name AS type, value FROM characteristics",
        "objects": """
        SELECT kind, type, identifier, start_date, end_date, body, series, members, source, bundle_identifier,
            revision_id, device, device_id, creation_date, metadata, uuid, sequence
        FROM objects
        """,
        "source_revisions": "SELECT 'source' AS kind, * FROM source_revisions",
        "devices": "SELECT 'device' AS kind, * FROM devices",
    ]
}

/// Exports a store as an SQLite file with the tables of `hk sql`, with keys, references, indexes and views.
public struct SQLiteExporter {
    private let options: FormatOptions

    /// Creates an exporter.
    public init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the file, atomically: it appears complete or not at all.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, `SQLError`, and storage errors.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try options.write(to: path, as: .file) { path in
            let counts = try engine.withReader(as: caller) { reading in
                let database = try HealthDatabase(reading, timeZone: options.timeZone)
                do {
                    return try database.copyTables(
                        to: path, selection: RowConditions(options.selection, in: reading, timeZone: options.timeZone),
                        applicationID: ExportMarker.applicationID)
                } catch let error as SQLError {
                    throw FormatError("“\(path)” cannot be written: \(error.description)")
                }
            }
            try Self.keep(path)
            var report = FormatReport(files: 1)
            for (table, rows) in counts where rows > 0 { report.add(table, rows) }
            return report
        }
    }

    /// Synchronizes a file that was written without synchronization to disk.
    private static func keep(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FormatError.system(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FormatError.system(path) }
    }
}
