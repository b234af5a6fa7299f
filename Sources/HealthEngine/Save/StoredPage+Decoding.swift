import HealthModel
import HealthPages
import HealthStorage

extension StoredPage {
    /// The page of a run of rows, encoded.
    init(encoding columns: SampleColumns, rows: Range<Int>) throws {
        let encoded = try PageWriter.write(columns, rows: rows)
        self.init(
            key: PageKey(
                type: columns.type, firstStart: columns.starts[rows.lowerBound],
                firstSequence: columns.sequences[rows.lowerBound]),
            bounds: PageBounds(encoded.header), header: encoded.headerBytes, body: encoded.body)
    }

    /// The page's samples; the body must be there.
    func decode(_ columns: SampleColumnSet = .all) throws -> SampleColumns {
        let header = try PageHeader(decoding: header)
        return try body.withUnsafeBytes { body in
            try PageReader(header: header, body: body).read(columns)
        }
    }
}

extension PageBounds {
    /// What a backend must know of the page.
    init(_ header: PageHeader) {
        self.init(
            count: Int(header.count), lastStart: header.lastStart, greatestEnd: header.greatestEnd,
            leastSequence: header.leastSequence, greatestSequence: header.greatestSequence)
    }
}
