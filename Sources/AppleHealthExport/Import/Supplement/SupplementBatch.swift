import HealthEngine
import HealthModel

/// A batch of an import with what is needed to find an element of it by its type and place.
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
    /// Objects whose files the supplement has.
    private var told: Set<Int> = []

    init(_ batch: BulkBatch) {
        self.batch = batch
        let local = Dictionary(batch.dictionaries.types.map { ($0.code, $0.identifier) }, uniquingKeysWith: { $1 })
        func identifier(_ code: TypeCode) -> String {
            TypeCatalog.description(for: code)?.identifier ?? local[code] ?? ""
        }
        for (index, column) in batch.columns.enumerated() where column.count > 0 {
            columns[identifier(column.type)] = index
        }
        for (index, object) in batch.objects.enumerated() { objects[identifier(object.type), default: []].append(.object(index)) }
        for (index, part) in batch.parts.enumerated() { objects[identifier(part.object.type), default: []].append(.part(index)) }
        counts = columns.mapValues { batch.columns[$0].count }.merging(objects.mapValues(\.count), uniquingKeysWith: +)
        for type in batch.dictionaries.types { codes[type.identifier] = type.code }
    }

    /// How many elements there are, by type.
    let counts: [String: Int]

    /// The type of this identifier in the batch's numbers.
    func code(_ identifier: String) -> TypeCode? {
        TypeCatalog.description(for: identifier)?.code ?? codes[identifier]
    }

    /// Puts rows `rows` of a page in place of the rows that begin at `first`; false, and nothing is changed, where
    /// these are not the same samples as far as an archive tells, or a source or device is unknown.
    mutating func replace(
        from first: Int, ofType identifier: String, with page: SampleColumns, rows: Range<Int>, _ nouns: SupplementNouns
    ) -> Bool {
        guard let index = columns[identifier] else { return false }
        let shift = first - rows.lowerBound
        guard Self.fits(page, rows, batch.columns[index], shift: shift, nouns) else { return false }
        let revisions = Self.mapped(page.revisions[rows]) { number(ofRevision: $0, nouns) }
        let devices = Self.mapped(page.devices[rows]) { number(ofDevice: $0, nouns) }
        Self.put(page, rows, revisions, devices, into: &batch.columns[index], shift: shift)
        return true
    }

    /// Whether rows of a page are, as far as an archive tells, those of the columns that lie `shift` further.
    private static func fits(
        _ page: SampleColumns, _ rows: Range<Int>, _ old: SampleColumns, shift: Int, _ nouns: SupplementNouns
    ) -> Bool {
        rows.allSatisfy { row in
            let place = row + shift
            return fits(page.starts[row], old.starts[place]) && fits(page.ends[row], old.ends[place])
                && page.values[row].bitPattern == old.values[place].bitPattern
                && fit(page.creation(at: row), old.creation(at: place))
        } && rows.allSatisfy { row in
            nouns.revision(page.revisions[row]) != nil
                && (page.devices[row] == 0 || nouns.device(page.devices[row]) != nil)
        }
    }

    private static func put(
        _ page: SampleColumns, _ rows: Range<Int>, _ revisions: [UInt32], _ devices: [UInt32],
        into columns: inout SampleColumns, shift: Int
    ) {
        let table = UInt32(columns.metadataTable.count)
        columns.metadataTable += page.metadataTable
        let count = columns.starts.count
        if !page.creations.isEmpty, columns.creations.isEmpty { columns.creations = Array(repeating: .nan, count: count) }
        if columns.metadata.isEmpty { columns.metadata = Array(repeating: 0, count: count) }
        if columns.devices.isEmpty { columns.devices = Array(repeating: 0, count: count) }
        if columns.uuids.isEmpty { columns.uuids = Array(repeating: nil, count: count) }
        for (index, row) in rows.enumerated() {
            let place = row + shift
            columns.starts[place] = page.starts[row]
            columns.ends[place] = page.ends[row]
            if !page.creations.isEmpty { columns.creations[place] = page.creations[row] }
            columns.revisions[place] = revisions[index]
            columns.devices[place] = devices[index]
            let metadata = page.metadata.isEmpty ? 0 : page.metadata[row]
            columns.metadata[place] = metadata == 0 ? 0 : metadata + table
            columns.uuids[place] = page.uuid(at: row)
        }
    }

    /// Numbers mostly repeat their neighbours.
    private static func mapped(_ numbers: ArraySlice<UInt32>, _ map: (UInt32) -> UInt32) -> [UInt32] {
        var last: (UInt32, UInt32)?
        return numbers.map { number in
            if let last, last.0 == number { return last.1 }
            let own = map(number)
            last = (number, own)
            return own
        }
    }

    /// Puts an object in place of the one at this place among the batch's of its type; false, and nothing is
    /// changed, where that is another one.
    mutating func replace(at place: Int, ofType identifier: String, with object: ObjectRecord) -> Bool {
        guard let slot = objects[identifier]?[place] else { return false }
        var object = object
        switch slot {
        case .object(let index):
            let old = batch.objects[index]
            guard Self.isSame(object, old) else { return false }
            object.type = old.type
            batch.objects[index] = object
            told.insert(index)
        case .part(let index):
            let old = batch.parts[index].object
            guard Self.isSame(object, old) else { return false }
            object.type = old.type
            batch.parts[index].object = object
        }
        return true
    }

    /// The batch, without files that the supplement brings itself.
    func finished() -> BulkBatch {
        var batch = batch
        if !told.isEmpty { batch.attachments.removeAll { told.contains($0.owner) } }
        return batch
    }

    /// Whether an instant is what an archive tells of it: its second.
    private static func fits(_ exact: Double, _ told: Double) -> Bool {
        abs(exact - told) < 1 || !DateStamp.holds(exact)
    }

    private static func fit(_ exact: Double?, _ told: Double?) -> Bool {
        guard let exact, let told else { return exact == nil && told == nil }
        return fits(exact, told)
    }

    private static func isSame(_ object: ObjectRecord, _ old: ObjectRecord) -> Bool {
        switch (object.body, old.body) {
        case (.activitySummary(let body), .activitySummary(let old)):
            (body.year, body.month, body.day) == (old.year, old.month, old.day)
        case (.workout, .workout), (.none, .none), (.document, .document), (.document, .archived), (.archived, .archived):
            fits(object.start, old.start)
        default: false
        }
    }

    private mutating func number(ofRevision number: UInt32, _ nouns: SupplementNouns) -> UInt32 {
        if let known = revisionNumbers[number] { return known }
        guard let revision = nouns.revision(number) else { return 0 }
        batch.dictionaries.revisions.append(revision)
        let own = UInt32(batch.dictionaries.revisions.count)
        revisionNumbers[number] = own
        return own
    }

    private mutating func number(ofDevice number: UInt32, _ nouns: SupplementNouns) -> UInt32 {
        if let known = deviceNumbers[number] { return known }
        guard let device = nouns.device(number) else { return 0 }
        batch.dictionaries.devices.append(device)
        let own = UInt32(batch.dictionaries.devices.count)
        deviceNumbers[number] = own
        return own
    }
}
