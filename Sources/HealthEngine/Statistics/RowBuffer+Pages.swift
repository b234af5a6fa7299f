import HealthModel
import HealthPages

extension RowBuffer {
    /// Appends the matching rows of a page, their values in the canonical unit. Rows whose unit cannot
    /// be told in it are left out, and so are samples with a series: what counts in their place is returned,
    /// to be appended when all pages are there.
    func append(
        _ page: PageOutline, body: UnsafeRawBufferPointer, units: CanonicalUnits, handEntriesMatter: Bool,
        series: SeriesRows?
    ) throws(PageError) -> [SeriesExpansion] {
        let header = page.header
        let reader = try PageReader(header: header, body: body)
        let first = count
        let added = header.count
        reserve(added)
        try reader.decode(
            starts: starts + first, ends: ends + first, values: values + first, revisions: revisions + first)
        count = first + added
        if handEntriesMatter, header.hasUserEntered {
            let metadata = try reader.read(.metadata)
            let isByHand = [false] + metadata.metadataTable.map(\.wasUserEntered)
            for row in 0..<min(added, metadata.metadata.count) where isByHand[Int(metadata.metadata[row])] {
                revisions[first + row] |= Self.enteredByHand
            }
        }
        var marks: [Bool]?
        switch page.test {
        case .always(true):
            break
        case .revision(let set):
            // The column is here already.
            marks = (first..<count).map { set.contains(revisions[$0] & ~Self.enteredByHand) }
        default:
            marks = page.test.marks(of: try reader.read(page.test.columns), count: added)
        }
        if header.units.count == 1 {
            guard let conversion = units.conversion(header.units[0]) else {
                count = first
                return []
            }
            if !conversion.isIdentity {
                for row in first..<count { values[row] = conversion(values[row]) }
            }
        } else {
            let numbers = try reader.read(.units).units
            var known = marks ?? [Bool](repeating: true, count: added)
            for row in 0..<added {
                guard let conversion = units.conversion(numbers[row]) else {
                    known[row] = false
                    continue
                }
                values[first + row] = conversion(values[first + row])
            }
            marks = known
        }
        var expansions: [SeriesExpansion] = []
        if let series, series.meets(header) {
            let columns = try reader.read([.sequences, .units])
            var plain = marks ?? [Bool](repeating: true, count: added)
            expansions = self.expansions(
                from: first, sequences: columns.sequences, marks: &plain, series: series
            ) { units.conversion(header.units.count == 1 ? header.units[0] : columns.units[$0]) }
            marks = plain
        }
        if let marks { keep(from: first, where: marks) }
        return expansions
    }
}
