import Foundation

/// Marks in the files of exports, by which a later export recognizes them.
package enum ExportMarker {
    /// The comment of zip, XML and FIT files, and of pictures.
    package static let comment = "Written by OpenHealthKit"
    /// The `PRAGMA application_id` of SQLite files: the letters OHKX.
    package static let applicationID: Int32 = 0x4F48_4B58

    /// The beginnings of the lines of an export as NDJSON.
    private static let lines =
        [#"{"kind":"characteristic","type":""#, #"{"kind":"source","revision_id":"#, #"{"kind":"device","device_id":"#]
        + ["quantity", "category", "correlation", "workout", "series", "activitySummary", "document"].map {
            #"{"kind":"\#($0)","type":""#
        }

    /// The columns in the heading of a CSV file of one type, or those of blood pressure and of activity summaries.
    private static let headings = [",uuid,sequence", "start_date,systolic,diastolic,", "day,move_kcal,"]

    /// The root elements of archives and of workouts.
    private static let roots = ["HealthData", "gpx", "TrainingCenterDatabase"]

    /// The beginning of an export as data points of Open mHealth.
    private static let points = "[\n{\"header\":{\"uuid\":\""

    /// The beginning of the report of an import, which isn't an export, but replaced like one.
    private static let report = "{\n  \"auxiliaryFiles\" : "

    /// Whether an export wrote a file, and nothing was added to the end since. Nothing is lost with an empty one.
    static func isIn(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        func bytes(_ count: Int, at offset: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            return Array(bytes[..<max(0, pread(descriptor, &bytes, count, off_t(max(0, offset))))])
        }
        let (head, tail) = (bytes(512, at: 0), bytes(comment.utf8.count, at: size - comment.utf8.count))
        let end = String(decoding: bytes(4_096, at: size - 4_096), as: UTF8.self)
        let beginning = String(decoding: head, as: UTF8.self)
        guard size > 0 else { return true }
        let isZip = head.starts(with: "PK\u{3}\u{4}".utf8) && tail.elementsEqual(comment.utf8)
        let isXML =
            beginning.hasPrefix("<?xml") && beginning.contains("<!-- \(comment) -->")
            && roots.contains { end.hasSuffix("</\($0)>\n") }
        let isMarked =
            beginning.contains(comment)
            && (head.dropFirst(8).starts(with: ".FIT".utf8) || head.starts(with: [0x89, 0x50, 0x4E, 0x47])
                || beginning.hasPrefix("<!-- \(comment) -->\n<svg"))
        let isDatabase =
            beginning.hasPrefix("SQLite format 3") && head.count >= 72
            && head[68..<72].reduce(0) { $0 << 8 | Int32($1) } == applicationID
        let isJSON =
            beginning.hasPrefix(report) || beginning.hasPrefix(points) && end.hasSuffix("\n]\n")
            || lines.contains { beginning.hasPrefix($0) } && isLine(end)
        if isZip || isXML || isMarked || isDatabase || isJSON { return true }
        let heading = beginning.components(separatedBy: "\r\n")[0]
        let isHeading = headings.contains { heading.hasPrefix($0) || $0.hasPrefix(",") && heading.contains($0) }
        return isHeading && isRow(end, of: heading)
    }

    /// Whether the last line of NDJSON is an export's, and not one that was added to it.
    private static func isLine(_ end: String) -> Bool {
        let last = end.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last ?? ""
        // A longer line than what was read of it is a sample's, whose beginning isn't known.
        return end.hasSuffix("}\n")
            && (lines.contains { last.hasPrefix($0) } || end.dropLast().allSatisfy { $0 != "\n" })
    }

    /// Whether the last row of a CSV file is an export's: in a text editor or a spreadsheet, rows end otherwise, or have
    /// other columns.
    private static func isRow(_ end: String, of heading: String) -> Bool {
        guard end.hasSuffix("\r\n"), let last = end.dropLast().components(separatedBy: "\r\n").last else {
            return false
        }
        let columns = heading.components(separatedBy: ",").count
        return last.components(separatedBy: ",").count >= columns || last.hasSuffix("\"")
    }
}
