import Foundation

/// What exports have in their files, so that a later one recognizes them.
package enum ExportMark {
    /// The comment of zip, XML and FIT files.
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

    /// The beginning of an export as data points of Open mHealth.
    private static let points = "[\n{\"header\":{\"uuid\":\""

    /// Whether an export wrote a file. Nothing is lost with an empty one.
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
        let beginning = String(decoding: head, as: UTF8.self)
        return size == 0 || head.starts(with: "PK\u{3}\u{4}".utf8) && tail.elementsEqual(comment.utf8)
            || beginning.hasPrefix("<?xml") && beginning.contains("<!-- \(comment) -->")
            || head.dropFirst(8).starts(with: ".FIT".utf8) && beginning.contains(comment)
            || beginning.hasPrefix("SQLite format 3") && head.count >= 72
                && head[68..<72].reduce(0) { $0 << 8 | Int32($1) } == applicationID
            || beginning.hasPrefix(points)
            || lines.contains { beginning.hasPrefix($0) }
            || beginning.components(separatedBy: "\r\n").first.map { heading in
                headings.contains { heading.hasPrefix($0) || $0.hasPrefix(",") && heading.contains($0) }
            } ?? false
    }
}
