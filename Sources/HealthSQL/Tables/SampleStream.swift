import HealthEngine
import HealthModel

/// The samples of one type, a page decoded at a time, forwards or backwards.
final class SampleStream {
    let type: TypeDescription
    let shortName: PooledText
    let identifier: PooledText
    private let context: TableContext
    private let pages: [SamplePage]
    private let isBackwards: Bool
    private var columns: SampleColumnSet
    private var page = -1
    /// The decoded columns of the page, those asked for.
    private(set) var rows: SampleColumns
    private(set) var row = 0
    private var count = 0
    /// The page's metadata as JSON, as far as asked for.
    private var metadataTexts: [String?] = []

    init(
        _ type: TypeDescription, pages: [SamplePage], columns: SampleColumnSet, isBackwards: Bool, _ context: TableContext
    ) throws {
        self.type = type
        self.pages = pages
        self.columns = columns
        self.isBackwards = isBackwards
        self.context = context
        shortName = context.pool[type.shortName]
        identifier = context.pool[type.identifier]
        rows = SampleColumns(type: type.code)
        try turn()
    }

    var isAtEnd: Bool { page >= pages.count }

    /// The start of the sample here.
    var start: Double { rows.starts[row] }

    func next() throws {
        context.rowsVisited += 1
        if isBackwards {
            row -= 1
            if row < 0 { try turn() }
        } else {
            row += 1
            if row >= count { try turn() }
        }
    }

    /// Goes on to the next page with a wanted sample.
    private func turn() throws {
        repeat {
            page += 1
            guard page < pages.count else { return }
            let current = currentPage
            if columns.isEmpty, current.isWhole {
                rows = SampleColumns(type: type.code)
                count = current.count
            } else {
                try decode()
                count = rows.count
            }
        } while count == 0
        row = isBackwards ? count - 1 : 0
    }

    private var currentPage: SamplePage { pages[isBackwards ? pages.count - 1 - page : page] }

    private func decode() throws {
        // Two of the columns do not tell how many rows there are.
        let counting: SampleColumnSet = [.starts, .ends, .values, .revisions, .sequences]
        let wanted = columns.isDisjoint(with: counting) ? columns.union(.sequences) : columns
        rows = try context.reading.rows(of: currentPage, columns: wanted)
        context.pagesRead += 1
        metadataTexts = []
    }

    /// The sample's number, whether or not the statement was expected to ask for it.
    func sequence() throws -> Int64 {
        if rows.sequences.isEmpty {
            columns.insert(.sequences)
            try decode()
        }
        return rows.sequences[row]
    }

    /// The sample's metadata as JSON; `nil` for a sample without.
    var metadataText: String? {
        guard row < rows.metadata.count, rows.metadata[row] > 0 else { return nil }
        let entry = Int(rows.metadata[row]) - 1
        if metadataTexts.isEmpty { metadataTexts = Array(repeating: nil, count: rows.metadataTable.count) }
        if let known = metadataTexts[entry] { return known }
        let text = JSONText.metadata(rows.metadataTable[entry], context.clock)
        metadataTexts[entry] = text
        return text
    }
}
