/// The files that an import hasn't read, by the reason.
struct UnreadFileList {
    private var reasons: [String: ImportReport.UnreadFiles] = [:]

    /// The number of files that are named for a reason; the others are counted.
    private static let maximumNames = 100
    /// The number of reasons in an error.
    private static let maximumReasons = 5

    /// - Parameter reason: The end of a sentence about the file, without its point.
    mutating func add(_ name: String, _ reason: String) {
        reasons[reason, default: .init(reason: reason)].count += 1
        if reasons[reason, default: .init(reason: reason)].files.count < Self.maximumNames {
            reasons[reason, default: .init(reason: reason)].files.append(name)
        }
    }

    var isEmpty: Bool { reasons.isEmpty }

    /// The most frequent reasons first.
    var list: [ImportReport.UnreadFiles] {
        reasons.values.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    /// The first file of each reason, and the number of the others.
    var summary: String {
        let list = list
        let parts = list.prefix(Self.maximumReasons).map { entry in
            let more = entry.count > 1 ? " (and \(entry.count - 1) more)" : ""
            return "“\(entry.files.first ?? "")”\(more) \(entry.reason)"
        }
        let rest = list.dropFirst(Self.maximumReasons).reduce(0) { $0 + $1.count }
        return (parts + (rest > 0 ? ["\(rest) other files"] : [])).joined(separator: "; ")
    }
}
