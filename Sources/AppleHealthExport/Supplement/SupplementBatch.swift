import HealthEngine
import HealthImport
import HealthModel

/// A batch of an import whose elements can be found by type and position.
struct SupplementBatch {
    private enum Slot {
        case object(Int)
        case part(Int)
    }

    private(set) var batch: BulkBatch
    private var columns: [String: Int] = [:]
    private var objects: [String: [Slot]] = [:]
    private var codes: [String: TypeCode] = [:]
    private var revisionNumbers: [UInt32: UInt32] = [:]
    private var deviceNumbers: [UInt32: UInt32] = [:]
    /// Indices of the objects whose attachments come with the supplement.
    private var supplemented: Set<Int> = []

    init(_ batch: BulkBatch) {
        self.batch = batch
        let local = Dictionary(batch.dictionaries.types.map { ($0.code, $0.identifier) }, uniquingKeysWith: { $1 })
        func identifier(_ code: TypeCode) -> String {
            TypeCatalog.description(for: code)?.identifier ?? local[code] ?? ""
        }
        for (index, column) in batch.columns.enumerated() where column.count > 0 {
            columns[identifier(column.type)] = index
        }
        for (index, object) in batch.objects.enumerated() {
            objects[identifier(object.type), default: []].append(.object(index))
        }
        for (index, part) in batch.parts.enumerated() {
            objects[identifier(part.object.type), default: []].append(.part(index))
        }
        counts = columns.mapValues { batch.columns[$0].count }.merging(objects.mapValues(\.count), uniquingKeysWith: +)
        for type in batch.dictionaries.types { codes[type.identifier] = type.code }
    }

    /// The number of elements by type.
    let counts: [String: Int]

    /// The batch's code of the type with this identifier.
    func code(_ identifier: String) -> TypeCode? {
        TypeCatalog.description(for: identifier)?.code ?? codes[identifier]
    }

    /// Replaces the rows that begin at `first` with rows of a page.
    ///
    /// Returns false, and changes nothing, if these are not the same samples as far as an archive can tell, or if a
    /// source or device is unknown.
    mutating func replace(
        from first: Int, ofType identifier: String, with page: SampleColumns, rows: Range<Int>, _ tables: SourceTables
    ) -> Bool {
        guard let index = columns[identifier] else { return false }
        let shift = first - rows.lowerBound
        guard first >= 0, first + rows.count <= batch.columns[index].count,
            Self.matches(page, rows, batch.columns[index], shift: shift, tables)
        else { return false }
        let revisions = Self.mapped(page.revisions[rows]) {
            Self.number(of: $0, tables.revision($0), in: &revisionNumbers, &batch.dictionaries.revisions)
        }
        let devices = Self.mapped(page.devices[rows]) {
            Self.number(of: $0, tables.device($0), in: &deviceNumbers, &batch.dictionaries.devices)
        }
        Self.put(page, rows, revisions, devices, into: &batch.columns[index], shift: shift)
        return true
    }

    /// Whether rows of a page match, as far as an archive can tell, the rows of the columns at an offset of `shift`.
    private static func matches(
        _ page: SampleColumns, _ rows: Range<Int>, _ old: SampleColumns, shift: Int, _ tables: SourceTables
    ) -> Bool {
        rows.allSatisfy { row in
            let place = row + shift
            return isSame(page.starts[row], old.starts[place]) && isSame(page.ends[row], old.ends[place])
                && page.values[row].bitPattern == old.values[place].bitPattern
                && isSame(creation: page.creation(at: row), old.creation(at: place))
        }
            && rows.allSatisfy { row in
                tables.revision(page.revisions[row]) != nil
                    && (page.devices[row] == 0 || tables.device(page.devices[row]) != nil)
            }
    }

    private static func put(
        _ page: SampleColumns, _ rows: Range<Int>, _ revisions: [UInt32], _ devices: [UInt32],
        into columns: inout SampleColumns, shift: Int
    ) {
        let table = UInt32(columns.metadata.table.count)
        columns.metadata.table += page.metadata.table
        let count = columns.starts.count
        if !page.creations.isEmpty { columns.creations.fill(to: count) }
        columns.metadata.fill(to: count)
        if columns.devices.isEmpty { columns.devices = Array(repeating: 0, count: count) }
        columns.uuids.fill(to: count)
        for (index, row) in rows.enumerated() {
            let place = row + shift
            columns.starts[place] = page.starts[row]
            columns.ends[place] = page.ends[row]
            if !page.creations.isEmpty { columns.creations[place] = page.creations[row] }
            columns.revisions[place] = revisions[index]
            columns.devices[place] = devices[index]
            let metadata = UInt32(page.metadata.number(at: row))
            columns.metadata.numbers[place] = metadata == 0 ? 0 : metadata + table
            columns.uuids[place] = page.uuid(at: row)
        }
    }

    /// Maps numbers that mostly repeat their neighbours.
    private static func mapped(_ numbers: ArraySlice<UInt32>, _ map: (UInt32) -> UInt32) -> [UInt32] {
        var last: (UInt32, UInt32)?
        return numbers.map { number in
            if let last, last.0 == number { return last.1 }
            let own = map(number)
            last = (number, own)
            return own
        }
    }

    /// Replaces the object at this position among the batch's objects of its type. Returns false, and changes
    /// nothing, if that is a different object.
    mutating func replace(at place: Int, ofType identifier: String, with object: ObjectRecord) -> Bool {
        guard let slots = objects[identifier], slots.indices.contains(place) else { return false }
        let old =
            switch slots[place] {
            case .object(let index): batch.objects[index]
            case .part(let index): batch.parts[index].object
            }
        guard Self.isSame(object, old) else { return false }
        var object = object
        object.type = old.type
        switch slots[place] {
        case .object(let index):
            batch.objects[index] = object
            supplemented.insert(index)
        case .part(let index): batch.parts[index].object = object
        }
        return true
    }

    /// The batch without the attachments that the supplement has itself.
    func finished() -> BulkBatch {
        var batch = batch
        if !supplemented.isEmpty { batch.attachments.removeAll { supplemented.contains($0.owner) } }
        return batch
    }

    /// Whether an exact instant is the archived one, which is in whole seconds.
    private static func isSame(_ exact: Double, _ archived: Double) -> Bool {
        abs(exact - archived) < 1 || !DateStamp.canWrite(exact)
    }

    private static func isSame(creation exact: Double?, _ archived: Double?) -> Bool {
        guard let exact, let archived else { return exact == nil && archived == nil }
        return isSame(exact, archived)
    }

    private static func isSame(_ object: ObjectRecord, _ old: ObjectRecord) -> Bool {
        switch (object.body, old.body) {
        case (.activitySummary(let body), .activitySummary(let old)):
            (body.year, body.month, body.day) == (old.year, old.month, old.day)
        case (.workout, .workout), (.none, .none), (.document, .document), (.document, .archived),
            (.archived, .archived):
            isSame(object.start, old.start)
        default: false
        }
    }

    /// The batch's number of an entry that has a number in the supplement, 0 for an unknown one.
    private static func number<Entry>(
        of number: UInt32, _ entry: Entry?, in numbers: inout [UInt32: UInt32], _ entries: inout [Entry]
    ) -> UInt32 {
        if let known = numbers[number] { return known }
        guard let entry else { return 0 }
        entries.append(entry)
        numbers[number] = UInt32(entries.count)
        return UInt32(entries.count)
    }
}
