import ArgumentParser
import Foundation
import HealthDevices
import HealthEngine
import HealthFormats

extension WorkoutFileFormat: ExpressibleByArgument {}

/// Writes workouts for other programs and prints a report: what `hk export` and `hk workouts` share.
struct WorkoutExport {
    var format: WorkoutFileFormat
    var choice = WorkoutFileExporter.Choice.all
    var formatting: FormatOptions
    var path: String
    /// Whether no report is printed.
    var isQuiet: Bool
    /// Whether the report is JSON.
    var isJSON: Bool

    private struct Answer: Encodable {
        var path: String
        var written: Int
        var files: Int
        var kinds: [String: Int]
        var leftOut: [String: Int]
    }

    func run(_ engine: HealthEngine) throws {
        let report: FormatReport
        do {
            report = try WorkoutFileExporter(format, formatting).export(choice, of: engine, to: path, as: .person)
        } catch let error as WorkoutFileError {
            throw UsageError(error.description)
        }
        let lacksRoutes = format == .gpx && report.leftOut["workout"] != nil
        try Self.show(
            report, path, isQuiet: isQuiet, isJSON: isJSON,
            advice: lacksRoutes ? " --format fit also writes workouts without a route." : "")
    }

    /// Prints the report of an export for other programs, unless the path is standard output.
    static func show(
        _ report: FormatReport, _ path: String, isQuiet: Bool, isJSON: Bool, advice: String = ""
    ) throws {
        guard !isQuiet, path != "-" else { return }
        guard isJSON else {
            return print(FormatListing(report: report, path: path, advice: advice).text, terminator: "")
        }
        try JSONOutput.print(
            Answer(
                path: path, written: report.total, files: report.files, kinds: report.counts, leftOut: report.leftOut))
    }
}
