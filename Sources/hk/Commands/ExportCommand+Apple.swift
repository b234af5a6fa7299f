import AppleHealthExport
import Foundation
import HealthEngine

extension ExportCommand {
    private struct Answer: Encodable {
        var path: String
        var written: Int
        var leftOut: [String: Int]
        var supplemented: [String: Int]
        var completed: Int
        var types: [String: Int]
        var bytes: Int
        var xmlBytes: Int
        var companions: Int
        var seconds: Double
    }

    /// Writes an Apple Health archive and tells what went into it.
    func exportArchive(of engine: HealthEngine) throws {
        let target = ExportTarget(path: path)
        // Standard output is the archive's; nothing else may stand there.
        let isSilent = quiet || target == .standardOutput
        let progress = isSilent || options.json ? nil : ProgressLine()
        let exporter = ArchiveExporter(
            engine: engine,
            options: ExportOptions(
                selection: try selection(in: engine), exportDate: Present.now, timeZone: zone, replacesTarget: force,
                writesSupplement: !noSupplement))
        let report = try exporter.run(to: target) { progress?.show($0) }
        progress?.finish()
        guard !isSilent else { return }
        if options.json {
            try JSONOutput.print(
                Answer(
                    path: path, written: report.writtenCount, leftOut: report.leftOut,
                    supplemented: report.supplemented, completed: report.completedCount, types: report.written,
                    bytes: report.bytes, xmlBytes: report.xmlBytes, companions: report.companions,
                    seconds: (report.seconds * 1_000).rounded() / 1_000))
        } else {
            print(ExportListing(report: report, path: path).text, terminator: "")
        }
    }
}
