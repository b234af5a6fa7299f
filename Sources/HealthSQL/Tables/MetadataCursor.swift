import HealthEngine
import HealthModel
import HealthStorage

/// A cursor over metadata: of one sample or object, or of all, page by page and then object by object.
final class MetadataCursor: VirtualCursor {
    private let context: TableContext
    private let pages: MetadataPages
    /// The requested key without case, if there is one.
    private var key: String?
    private var waitingPages: [(page: SamplePage, type: TypeDescription)] = []
    private var waitingObjects: [(place: ObjectOutline, type: TypeDescription)] = []
    private var nextPage = 0
    private var nextObject = 0
    private var page: MetadataPage?
    private var row = 0

    /// The current sample or object, and its matching cells.
    private var sequence: Int64 = 0
    private var type: PooledText?
    private var cells: [MetadataCell] = []
    private var cell = 0
    private var passed: Int64 = 0

    init(_ context: TableContext, _ pages: MetadataPages) {
        self.context = context
        self.pages = pages
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (waitingPages, waitingObjects, nextPage, nextObject) = ([], [], 0, 0)
        (page, key, cells, cell, passed) = (nil, nil, [], 0, 0)
        var name: String?
        var single: Int64?
        for (bound, value) in zip(plan.bounds, arguments) {
            guard !value.isNull else { return }
            switch MetadataTable.Column(rawValue: bound.column) {
            case .sequence:
                let number = value.wholeNumber ?? value.text.flatMap { Int64($0) }
                guard let number, single == nil || single == number else { return }
                single = number
            case .type:
                let wanted = value.text?.lowercased()
                guard name == nil || name == wanted else { return }
                name = wanted
            case .key:
                let wanted = value.text?.lowercased()
                guard key == nil || key == wanted else { return }
                key = wanted
            default: break
            }
        }
        if let single { return try find(single) }
        for type in try context.types.get() where name == nil || type.shortName.lowercased() == name {
            if type.kind.isPaged {
                waitingPages += try context.reading.pages(of: type.code).filter(\.hasMetadata).map { ($0, type) }
            } else {
                waitingObjects += try context.reading.objects(of: type.code).map { ($0, type) }
            }
        }
        try advance()
    }

    private func find(_ sequence: Int64) throws {
        if let found = try pages.find(sequence) {
            take(sequence, found.type, found.cells)
        } else if let object = try context.reading.object(sequence) {
            let type = context.reading.dictionaries.type(object.type)
            take(sequence, context.pool[type?.shortName], MetadataCell.cells(of: object.metadata, context))
        }
    }

    private func take(_ sequence: Int64, _ type: PooledText?, _ cells: [MetadataCell]) {
        self.sequence = sequence
        self.type = type
        self.cells = key.map { key in cells.filter { $0.folded == key } } ?? cells
        cell = 0
    }

    /// Moves to the next sample or object with a matching cell.
    private func advance() throws {
        repeat {
            if let page {
                row += 1
                if row < page.sequences.count {
                    take(page.sequences[row], page.type, page.cells(at: row))
                } else {
                    self.page = nil
                    cells = []
                }
            } else if nextPage < waitingPages.count {
                let (outline, type) = waitingPages[nextPage]
                nextPage += 1
                page = try MetadataPage(outline, type, context)
                row = -1
                cells = []
            } else if nextObject < waitingObjects.count {
                let (place, type) = waitingObjects[nextObject]
                nextObject += 1
                let object = try context.reading.object(place.sequence)
                take(
                    place.sequence, context.pool[Optional(type.shortName)],
                    object.map { MetadataCell.cells(of: $0.metadata, context) } ?? [])
            } else {
                cells = []
                return
            }
        } while cells.isEmpty
    }

    override var isAtEnd: Bool { cell >= cells.count }

    override func next() throws {
        context.rowsVisited += 1
        passed += 1
        cell += 1
        if cell >= cells.count { try advance() }
    }

    override var rowNumber: Int64 { get throws { passed + 1 } }

    override func column(_ index: Int, to result: SQLResult) throws {
        let cell = cells[self.cell]
        switch MetadataTable.Column(rawValue: index) {
        case .sequence: result.integer(sequence)
        case .type: result.text(type)
        case .key: result.text(Optional(cell.key))
        case .value: result.value(cell.value)
        case .valueType: result.text(Optional(cell.valueType))
        case nil: result.null()
        }
    }
}
