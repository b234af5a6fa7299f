import AppleHealthExport
import Foundation
import HTTPTypes
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthModel
import HealthStorage
import Hummingbird
import NIOCore

/// `GET exports`: the contents of the store as a file, in the formats of `hk export`.
///
/// A file is written to the person's work folder first, then streamed with its length, so that a response is never an
/// export that broke off.
struct ExportsResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("exports", use: export)
    }

    @Sendable private func export(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireOwner("export everything")
        var (parameters, calendar) = try context.parameters(of: request)
        let format = try parameters.choice("format", of: Format.self) ?? .zip
        let zone = calendar.timeZone
        let (engine, caller, person, now) = (context.engine, context.caller, context.person, context.now)
        let file = try await context.pool.runTransfer { [parameters] in
            var parameters = parameters
            let dictionaries = try engine.dictionaries()
            var selection = ContentsSelection()
            selection.types = try parameters.types("types", dictionaries).map { Set($0.map(\.code)) }
            selection.since = try parameters.instant("start", zone)
            selection.until = try parameters.instant("end", zone)
            try parameters.finish()
            if let since = selection.since, let until = selection.until, since >= until {
                throw Problem(.invalidParameter, "start: It is not before end.")
            }
            return try ExportedFile(
                format, of: engine, as: caller, selection: selection, timeZone: zone, now: now,
                in: person.makeWorkFolder())
        }
        let produced = try context.pool.stream { sink in
            var offset = 0
            while true {
                let bytes = try [UInt8](unsafeUninitializedCapacity: StreamSink.chunkBytes) { buffer, count in
                    count = try file.contents.read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
                }
                guard !bytes.isEmpty else { return }
                try sink.write(bytes)
                offset += bytes.count
            }
        }
        let body = ResponseBody(contentLength: file.size) { writer in try await produced.write(writer) }
        return Response(
            status: .ok,
            headers: [
                .contentType: format.media,
                .contentDisposition: "attachment; filename=\"\(format.fileName)\"",
            ], body: body)
    }
}

/// A file that was exported and that is gone when the response is complete.
final class ExportedFile: Sendable {
    let contents: TemporaryFile
    let size: Int

    /// Exports a store.
    ///
    /// - Throws: ``Problem``; the errors of the exporters.
    init(
        _ format: ExportsResource.Format, of engine: HealthEngine, as caller: Caller, selection: ContentsSelection,
        timeZone: TimeZone, now: Date, in workFolder: String
    ) throws {
        let folder = try ExportFolder(in: workFolder)
        // The open file stays.
        defer { folder.remove() }
        let path = folder.path + "/export"
        let options = FormatOptions(selection: selection, timeZone: timeZone)
        do {
            switch format {
            case .zip:
                let exporter = ArchiveExporter(
                    engine: engine, options: ExportOptions(selection: selection, exportDate: now, timeZone: timeZone))
                _ = try exporter.run(to: .zip(path: path))
            case .ndjson: _ = try NDJSONExporter(options).export(engine, to: path, as: caller)
            case .sqlite: _ = try SQLiteExporter(options).export(engine, to: path, as: caller)
            case .omh: _ = try OpenMHealthExporter(options).export(engine, to: path, as: caller)
            case .csv, .fhir:
                let tables = folder.path + "/tables"
                if format == .csv {
                    _ = try CSVExporter(options).export(engine, to: tables, as: caller)
                } else {
                    _ = try FHIRExporter(options).export(engine, to: tables, as: caller)
                }
                try Self.pack(tables, into: path)
            }
        } catch is FormatError {
            throw StorageError(.inputOutput, "The export can’t be written: \(StorageError.systemReason).")
        }
        (contents, size) = try TemporaryFile.opening(path)
    }

    /// Packs the files of a folder.
    private static func pack(_ folder: String, into path: String) throws {
        let zip = try ZipWriter(path: path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        // The list of the files is for exports over this one.
        for name in names.sorted() where !name.hasPrefix(".") {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder + "/" + name))
            defer { try? handle.close() }
            try zip.beginEntry(name)
            while let data = try handle.read(upToCount: 256 << 10), !data.isEmpty {
                try data.withUnsafeBytes { try zip.write($0) }
            }
        }
        try zip.finish()
    }
}
