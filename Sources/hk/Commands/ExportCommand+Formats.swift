import Foundation
import HealthEngine
import HealthFormats

extension ExportCommand {
    private struct Answer: Encodable {
        var path: String
        var written: Int
        var files: Int
        var kinds: [String: Int]
    }

    /// Writes one of the formats other programs read, and tells what went into it.
    func exportTables(of engine: HealthEngine) throws {
        let formatting = FormatOptions(selection: try selection(in: engine), timeZone: zone, replaces: force)
        if path == "-", format != .ndjson {
            throw UsageError("\(format.rawValue) is more than one stream and needs a path.")
        }
        let report: FormatReport
        switch format {
        case .csv: report = try CSVExporter(formatting).export(engine, to: path, as: .person)
        case .ndjson: report = try NDJSONExporter(formatting).export(engine, to: path, as: .person)
        case .sqlite: report = try SQLiteExporter(formatting).export(engine, to: path, as: .person)
        case .fhir, .apple: report = try FHIRExporter(formatting).export(engine, to: path, as: .person)
        }
        guard !quiet, path != "-" else { return }
        if options.json {
            try JSONOutput.print(
                Answer(path: path, written: report.total, files: report.files, kinds: report.counts))
        } else {
            print(FormatListing(report: report, path: path).text, terminator: "")
        }
    }
}
