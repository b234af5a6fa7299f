import HealthEngine
import HealthModel
import HealthStorage

/// A cursor over metadata: of one sample or object, or of all, page by page and then object by object.
final class MetadataCursor: BatchCursor<MetadataCell> {
    private let pages: MetadataPages
    /// The requested key without case, if there is one.
    private var key: String?
    private var waitingPages: [(page: SamplePage, type: TypeDescription)] = []
    private var waitingObjects: [(place: ObjectOutline, type: TypeDescription)] = []
    private var nextPage = 0
    private var nextObject = 0
    private var page: MetadataPage?
    private var pageRow = 0

    /// The requested sample or object, until it is the current one.
    private var single: Int64?
    /// The current sample or object.
    private var sequence: Int64 = 0
    private var type: PooledText?

    init(_ context: TableContext, _ pages: MetadataPages) {
        self.pages = pages
        super.init(context)
    }

    override func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        (waitingPages, waitingObjects, nextPage, nextObject) = ([], [], 0, 0)
        (page, key, single) = (nil, nil, nil)
        try choose(plan, arguments)
        try start()
    }

    /// Determines what is read.
    private func choose(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {
        var name: String?
        var sought: Int64?
        for (bound, value) in zip(plan.bounds, arguments) {
            guard !value.isNull else { return }
            switch MetadataTable.Column(rawValue: bound.column) {
            case .sequence:
                let number = value.wholeNumber ?? value.text.flatMap { Int64($0) }
                guard let number, sought == nil || sought == number else { return }
                sought = number
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
        single = sought
        guard sought == nil else { return }
        for type in try context.types.get() where name == nil || type.shortName.lowercased() == name {
            if type.kind.isPaged {
                waitingPages += try context.reading.pages(of: type.code).filter(\.hasMetadata).map { ($0, type) }
            } else {
                waitingObjects += try context.reading.objects(of: type.code).map { ($0, type) }
            }
        }
    }

    private func find(_ sequence: Int64) throws -> [MetadataCell] {
        if let found = try pages.find(sequence) { return take(sequence, found.type, found.cells) }
        guard let object = try context.reading.object(sequence) else { return [] }
        let type = context.reading.dictionaries.type(object.type)
        return take(sequence, context.pool[type?.shortName], MetadataCell.cells(of: object.metadata, context))
    }

    /// Makes a sample or object the current one, and returns its matching cells.
    private func take(_ sequence: Int64, _ type: PooledText?, _ cells: [MetadataCell]) -> [MetadataCell] {
        self.sequence = sequence
        self.type = type
        return key.map { key in cells.filter { $0.folded == key } } ?? cells
    }

    /// The matching cells of the next sample or object.
    override func nextPortion() throws -> [MetadataCell]? {
        if let sought = single {
            single = nil
            return try find(sought)
        }
        if let page {
            pageRow += 1
            if pageRow < page.sequences.count {
                return take(page.sequences[pageRow], page.type, page.cells(at: pageRow))
            }
            self.page = nil
            return []
        }
        if nextPage < waitingPages.count {
            let (outline, type) = waitingPages[nextPage]
            nextPage += 1
            page = try MetadataPage(outline, type, context)
            pageRow = -1
            return []
        }
        guard nextObject < waitingObjects.count else { return nil }
        let (place, type) = waitingObjects[nextObject]
        nextObject += 1
        guard let object = try context.reading.object(place.sequence) else { return [] }
        return take(
            place.sequence, context.pool[Optional(type.shortName)], MetadataCell.cells(of: object.metadata, context))
    }

    override func column(_ index: Int, to result: SQLResult) throws {
        let cell = row
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
