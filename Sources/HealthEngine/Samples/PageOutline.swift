import HealthModel
import HealthPages
import HealthStorage

/// What is known of a page before its body is read: its header, and the test its rows still face.
struct PageOutline: Sendable {
    let key: PageKey
    let header: PageHeader
    /// Never `.always(false)`.
    let test: RowTest

    /// Whether every row matches.
    var isWhole: Bool {
        if case .always(true) = test { true } else { false }
    }

    /// Outlines of all pages that may hold a matching row, in key order.
    static func visit(_ part: SelectionPart, in snapshot: any StorageSnapshot) throws -> [PageOutline] {
        var found: [PageOutline] = []
        if case .always(false) = part.test { return found }
        try snapshot.visitPages(of: part.type, in: part.window, bodies: false) { page in
            let header = try PageHeader(decoding: page.header)
            let test = part.reduced(by: header)
            if case .always(false) = test { return true }
            found.append(PageOutline(key: page.key, header: header, test: test))
            return true
        }
        return found
    }

    /// Earliest start and latest end of the matching rows. Only pages that could widen the range and
    /// that match in part are read.
    static func extent(
        _ pages: [PageOutline], in snapshot: any StorageSnapshot
    ) throws -> ClosedRange<Double>? {
        var extent: ClosedRange<Double>?
        for page in pages where page.isWhole {
            extent = page.header.firstStart.extended(to: page.header.greatestEnd, joining: extent)
        }
        // The latest ends first: after them few pages can reach further.
        let partial = pages.filter { !$0.isWhole }.sorted { $0.header.greatestEnd > $1.header.greatestEnd }
        for page in partial {
            if let known = extent, known.lowerBound <= page.header.firstStart,
                known.upperBound >= page.header.greatestEnd
            {
                continue
            }
            guard let rows = try page.matchingTimes(in: snapshot) else { continue }
            extent = rows.lowerBound.extended(to: rows.upperBound, joining: extent)
        }
        return extent
    }

    private func matchingTimes(in snapshot: any StorageSnapshot) throws -> ClosedRange<Double>? {
        guard let body = try snapshot.pageBody(key) else { return nil }
        return try body.withUnsafeBytes { body in
            let rows = try PageReader(header: header, body: body)
                .read(test.columns.union([.starts, .ends, .sequences]))
            let marks = test.marks(of: rows, count: header.count)
            return (0..<header.count).reduce(into: nil) { extent, row in
                guard marks[row] else { return }
                extent = rows.starts[row].extended(to: rows.ends[row], joining: extent)
            }
        }
    }
}
