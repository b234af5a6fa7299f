import HealthEngine
import HealthJSON
import HealthModel

/// `metadata`: the metadata of samples and objects, one row per key.
///
/// Samples share their metadata: each distinct dictionary of a page is converted once, and a join by sequence number
/// finds the pages it used last still decoded.
final class MetadataTable: VirtualTable {
    enum Column: Int, CaseIterable {
        case sequence, type, key, value, valueType
    }

    private let context: TableContext
    private let pages: MetadataPages

    init(_ context: TableContext) {
        self.context = context
        pages = MetadataPages(context)
        super.init(.metadata)
    }

    override func open() -> VirtualCursor { MetadataCursor(context, pages) }

    override func plan(_ request: inout IndexRequest) {
        let isSingle = !request.take(Column.sequence.rawValue, [.equal]).isEmpty
        let byType = !request.take(Column.type.rawValue, [.equal]).isEmpty
        let byKey = !request.take(Column.key.rawValue, [.equal]).isEmpty
        // A lookup is cheaper than one in samples, so that joins look up metadata and not the other way around.
        guard !isSingle else { return request.estimate(rows: byKey ? 1 : 3, cost: 3) }
        let rows = 2_000_000.0 / (byType ? 10 : 1) / (byKey ? 4 : 1)
        request.estimate(rows: rows, cost: 1_000_000 + 2 * rows)
    }
}

/// One key of a metadata dictionary, as columns.
struct MetadataCell {
    let key: PooledText
    /// The key without case, for comparisons that SQLite checks again.
    let folded: String
    let value: SQLValue
    let valueType: PooledText

    /// The cells of a dictionary: internal keys are left out, and a repeated key has its first value, as in JSON.
    static func cells(of metadata: Metadata, _ context: TableContext) -> [MetadataCell] {
        var seen: Set<String> = []
        return metadata.entries.compactMap { entry in
            guard !entry.key.hasPrefix("_"), seen.insert(entry.key).inserted else { return nil }
            let (value, type) = converted(entry.value, context)
            return MetadataCell(
                key: context.pool[entry.key], folded: entry.key.lowercased(), value: value,
                valueType: context.pool[type])
        }
    }

    /// The value as `json_each` returns it.
    private static func converted(_ value: MetadataValue, _ context: TableContext) -> (SQLValue, String) {
        switch value {
        case .string(let text): return (.text(text), "text")
        case .bool(let flag): return (.integer(flag ? 1 : 0), flag ? "true" : "false")
        case .integer(let number): return (.integer(number), "integer")
        case .double(let number): return (.real(number), "real")
        case .date, .quantity:
            var json = JSONText()
            json.value(value, context.instants)
            return (.text(json.text), "object")
        }
    }
}

/// The metadata of one page: the samples, and the cells of each distinct dictionary.
final class MetadataPage {
    let type: PooledText
    let sequences: [Int64]
    private let numbers: [UInt32]
    private let table: [[MetadataCell]]
    private lazy var rows = Dictionary(sequences.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

    init(_ page: SamplePage, _ type: TypeDescription, _ context: TableContext) throws {
        let columns: SampleColumnSet = page.hasMetadata ? [.sequences, .metadata] : .sequences
        let decoded = try context.reading.rows(of: page, columns: columns)
        context.pagesRead += 1
        self.type = context.pool[type.shortName]
        sequences = decoded.sequences
        numbers = decoded.metadata.numbers
        table = decoded.metadata.table.map { MetadataCell.cells(of: $0, context) }
    }

    func cells(at row: Int) -> [MetadataCell] {
        guard row < numbers.count, numbers[row] > 0 else { return [] }
        return table[Int(numbers[row]) - 1]
    }

    func row(of sequence: Int64) -> Int? { rows[sequence] }
}

/// Finds metadata by sequence number. The pages used last stay decoded.
final class MetadataPages {
    private let context: TableContext
    /// By the minimum sequence number, which no two pages share.
    private var kept: [Int64: MetadataPage] = [:]
    private var last: MetadataPage?
    private var lastRow = 0
    private static let keptCount = 64

    init(_ context: TableContext) {
        self.context = context
    }

    /// The type and the cells of a sample, or `nil` if there is no sample with this number.
    func find(_ sequence: Int64) throws -> (type: PooledText, cells: [MetadataCell])? {
        // Joins mostly ask for one sample of a page after the other.
        if let last, lastRow + 1 < last.sequences.count, last.sequences[lastRow + 1] == sequence {
            lastRow += 1
            return (last.type, last.cells(at: lastRow))
        }
        for (page, type) in try context.sequences.pages(holding: sequence) {
            let decoded = try decoded(page, type)
            guard let row = decoded.row(of: sequence) else { continue }
            (last, lastRow) = (decoded, row)
            return (decoded.type, decoded.cells(at: row))
        }
        return nil
    }

    private func decoded(_ page: SamplePage, _ type: TypeDescription) throws -> MetadataPage {
        let number = page.sequences.lowerBound
        if let known = kept[number] { return known }
        if kept.count >= Self.keptCount { kept.removeAll(keepingCapacity: true) }
        let decoded = try MetadataPage(page, type, context)
        kept[number] = decoded
        return decoded
    }
}
