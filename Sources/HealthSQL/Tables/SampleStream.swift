import HealthEngine
import HealthJSON
import HealthModel

/// The samples of one type, decoded page by page, in either direction.
final class SampleStream {
    let type: TypeDescription
    let shortName: PooledText
    let identifier: PooledText
    /// The unit of quantities, and its name.
    private let unit: (table: TableUnit, name: PooledText)?
    private let context: TableContext
    private var memory = BoundedMemory()
    /// The columns of a sample, with a share of its metadata, and the header of a page.
    private static let (rowMemory, pageMemory) = (128, 256)
    private let pages: [SamplePage]
    private let isBackwards: Bool
    private var columns: SampleColumnSet
    private var page = -1
    /// The requested columns of the page.
    private(set) var rows: SampleColumns
    private(set) var row = 0
    private var count = 0
    /// The rows by sequence number, for ``seek(_:)`` in a stream of one page.
    private var places: [Int64: Int] = [:]
    /// The metadata of the page as JSON, created on demand.
    private var metadataTexts: [String?] = []

    init(
        _ type: TypeDescription, pages: [SamplePage], columns: SampleColumnSet, isBackwards: Bool,
        _ context: TableContext
    ) throws {
        self.type = type
        self.pages = pages
        self.columns = columns
        self.isBackwards = isBackwards
        self.context = context
        shortName = context.pool[type.shortName]
        identifier = context.pool[type.identifier]
        unit = try context.unit(of: type).map { ($0, context.pool[$0.unit]) }
        rows = SampleColumns(type: type.code)
        try turn()
    }

    var isAtEnd: Bool { page >= pages.count }

    /// The value of the current sample, a quantity in the unit of its type.
    var value: Double { conversion?(rows.values[row]) ?? rows.values[row] }

    /// The unit of the current sample's value, if it isn't the one that was written.
    var convertedUnit: PooledText? { conversion == nil ? nil : unit?.name }

    private var conversion: UnitConversion? { unit?.table.conversion(from: rows.units[row]) }

    /// The start of the current sample.
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

    /// Moves to the next page with a matching sample.
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
        // Two of the columns don't determine the number of rows.
        let counting: SampleColumnSet = [.starts, .ends, .values, .revisions, .sequences]
        let wanted = columns.isDisjoint(with: counting) ? columns.union(.sequences) : columns
        try memory.take(currentPage.count * Self.rowMemory + pages.count * Self.pageMemory)
        rows = try context.reading.rows(of: currentPage, columns: wanted)
        context.pagesRead += 1
        metadataTexts = []
    }

    /// Moves to the sample with a sequence number, which the columns must contain, and returns whether the page has it.
    func seek(_ sequence: Int64) -> Bool {
        context.rowsVisited += 1
        if row + 1 < rows.sequences.count, rows.sequences[row + 1] == sequence {
            row += 1
            return true
        }
        if places.isEmpty {
            places = Dictionary(rows.sequences.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
        guard let place = places[sequence] else { return false }
        row = place
        return true
    }

    /// The sample's sequence number, even if the column wasn't requested.
    func sequence() throws -> Int64 {
        if rows.sequences.isEmpty {
            columns.insert(.sequences)
            try decode()
        }
        return rows.sequences[row]
    }

    /// The sample's metadata as JSON, or `nil` if there is none.
    var metadataText: String? {
        let entry = rows.metadata.number(at: row) - 1
        guard entry >= 0 else { return nil }
        if metadataTexts.isEmpty { metadataTexts = Array(repeating: nil, count: rows.metadata.table.count) }
        if let known = metadataTexts[entry] { return known }
        let text = JSONText.metadata(rows.metadata.table[entry], context.instants)
        metadataTexts[entry] = text
        return text
    }
}

/// Finds the page of a sample by sequence number, for joins: an index of all pages by their ranges of sequence numbers.
///
/// The headers are read once; after that, a lookup is a binary search. The most recent pages stay decoded.
final class SequenceIndex {
    private unowned let context: TableContext
    /// Ordered by minimum sequence number, each with the maximum of all pages so far.
    private var entries: [(page: SamplePage, type: TypeDescription, reach: Int64)]?

    init(_ context: TableContext) {
        self.context = context
    }

    /// The pages that can contain a sequence number.
    func pages(holding sequence: Int64) throws -> [(page: SamplePage, type: TypeDescription)] {
        let entries = try self.entries ?? learn()
        var found: [(SamplePage, TypeDescription)] = []
        var index = entries.partitionPoint { $0.page.sequences.lowerBound <= sequence } - 1
        while index >= 0, entries[index].reach >= sequence {
            let entry = entries[index]
            if entry.page.sequences.contains(sequence) { found.append((entry.page, entry.type)) }
            index -= 1
        }
        return found
    }

    private func learn() throws -> [(page: SamplePage, type: TypeDescription, reach: Int64)] {
        var all: [(page: SamplePage, type: TypeDescription, reach: Int64)] = []
        for type in try context.types.get() where type.kind.isPaged {
            for page in try context.reading.pages(of: type.code) { all.append((page, type, 0)) }
        }
        all.sort { $0.page.sequences.lowerBound < $1.page.sequences.lowerBound }
        var reach = Int64.min
        for index in all.indices {
            reach = max(reach, all[index].page.sequences.upperBound)
            all[index].reach = reach
        }
        entries = all
        return all
    }
}
