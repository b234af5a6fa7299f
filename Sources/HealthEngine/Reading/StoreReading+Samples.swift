public import HealthModel
import HealthPages
import HealthStorage

extension StoreReading {
    /// The pages of a type that may hold samples the filter takes, in order of start. Only headers are read.
    public func pages(of type: TypeCode, matching filter: SampleFilter = .all) throws -> [SamplePage] {
        guard dictionaries.type(type)?.kind.isPaged == true else { return [] }
        let part = SelectionPart(type: type, test: try test(filter, of: type), columns: [])
        return try PageOutline.visit(part, in: snapshot).map { SamplePage(outline: $0) }
    }

    /// The samples of a page that its filter takes, in order of start, then sequence.
    ///
    /// - Parameter columns: what is wanted; the other columns may be empty. The metadata, UUID and creation
    ///   columns tell nothing of the number of samples: ask for another one beside them.
    public func rows(of page: SamplePage, columns: SampleColumnSet) throws -> SampleColumns {
        let (header, test) = (page.outline.header, page.outline.test)
        guard let body = try snapshot.pageBody(page.outline.key) else { return SampleColumns(type: page.type) }
        return try body.withUnsafeBytes { body in
            let reader = try PageReader(header: header, body: body)
            guard !page.isWhole else { return try reader.read(columns) }
            let rows = try reader.read(columns.union(test.columns))
            let marks = test.marks(of: rows, count: header.count)
            let picked = (0..<header.count).filter { marks[$0] }
            guard picked.count < header.count else { return rows }
            var result = SampleColumns(type: page.type)
            result.append(picked, of: rows)
            return result
        }
    }
}
