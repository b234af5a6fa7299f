/// The elements a parser skipped and the irregularities it found.
package struct ImportFindings: Sendable {
    /// The number of skipped elements, by type identifier or element name.
    package private(set) var skipped: [String: Int] = [:]
    /// The first skipped elements, with line and reason.
    package private(set) var skips: [ImportReport.Skip] = []
    /// The number of irregularities, by description.
    package private(set) var irregularities: [String: Int] = [:]
    /// The line of the first occurrence of each irregularity that has a line.
    package private(set) var irregularityLines: [String: Int] = [:]
    private let maximumReasons: Int

    /// Bounds the report: an archive may contain any number of different irregularities.
    private static let maximumEntries = 1_000

    package init(maximumReasons: Int) {
        self.maximumReasons = maximumReasons
    }

    package mutating func skip(line: @autoclosure () -> Int, type: String, reason: String) {
        let key = skipped[type] == nil && skipped.count >= Self.maximumEntries ? "others" : type
        skipped[key, default: 0] += 1
        if skips.count < maximumReasons { skips.append(.init(line: line(), type: type, reason: reason)) }
    }

    package mutating func report(_ text: String, count: Int, line: @autoclosure () -> Int? = nil) {
        let key = irregularities[text] == nil && irregularities.count >= Self.maximumEntries ? "others" : text
        if irregularities[key] == nil { irregularityLines[key] = line() }
        irregularities[key, default: 0] += count
    }
}
