import Foundation
package import HealthEngine

/// An import in the history of a store: when it ended, the file's own name, and its result. Like a report, it
/// contains no health values.
package struct ImportRecord: Hashable, Sendable, Codable {
    /// The time at which the import ended, in seconds since 2001.
    package var date: Double
    /// The name of the file or folder, without those that it is in.
    package var file: String
    /// The report; `nil` for an import that failed.
    package var report: ImportReport?
    /// Why it failed.
    package var failure: String?

    /// The number of skipped elements that are kept.
    private static let maximumSkips = 20

    /// Creates the record of an import that ended.
    package init(date: Double, file: String, report: ImportReport) {
        (self.date, self.file) = (date, file)
        var report = report
        (report.file, report.exportDate) = (file, nil)
        report.skips = Array(report.skips.prefix(Self.maximumSkips))
        self.report = report
    }

    /// Creates the record of an import that failed.
    package init(date: Double, file: String, failure: String) {
        (self.date, self.file, self.failure) = (date, file, failure)
    }

    /// The name of what was imported, by its path.
    package static func name(ofPath path: String) -> String {
        path == StandardInput.path ? StandardInput.name : URL(fileURLWithPath: path).standardized.lastPathComponent
    }
}

extension ImportHistory {
    /// The last imports with their numbers, the newest first. One that a later version wrote in another form is left
    /// out.
    package func records() throws -> [(number: Int, record: ImportRecord)] {
        try reports().compactMap { number, report in
            (try? JSONDecoder().decode(ImportRecord.self, from: Data(report))).map { (number, $0) }
        }
    }

    /// Adds an import.
    ///
    /// - Parameter added: The sequence numbers that the import has taken, by which it can be undone.
    package func add(_ record: ImportRecord, added: [ClosedRange<Int64>] = []) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try addReport([UInt8](encoder.encode(record)), added: added)
    }
}
