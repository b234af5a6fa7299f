public import HealthModel

/// Reads the columns of one page. Twin of ``PageWriter``.
///
/// Only the columns asked for are decoded. The reader borrows the body: it is valid as long as the bytes
/// it was made with, and is used on one thread at a time. Every method throws ``PageError`` for bytes
/// that make no sense and leaves a partly filled target in an unspecified state.
public struct PageReader {
    /// The header the page was opened with.
    public let header: PageHeader
    private let body: UnsafeRawBufferPointer
    /// Where each column begins, and where the last one ends.
    private let bounds: [Int]

    /// Checks the body against the header's length and checksum.
    public init(header: PageHeader, body: UnsafeRawBufferPointer) throws(PageError) {
        self.header = header
        self.body = body
        guard body.count >= header.bodyLength else { throw PageError(.truncated, "page body", at: body.count) }
        guard body.count == header.bodyLength, body.count >= PageBody.leastLength else {
            throw PageError(.inconsistent, "body length", at: body.count)
        }
        guard Checksum.of(body) == header.bodyChecksum else {
            throw PageError(.badChecksum, "body checksum", at: 0)
        }
        var directory = ByteReader(body)
        var bounds: [Int] = []
        bounds.reserveCapacity(PageBody.Column.allCases.count + 1)
        var place = 0
        for _ in PageBody.Column.allCases {
            bounds.append(place)
            place += try directory.count("column directory", atMost: body.count)
        }
        bounds.append(place)
        let base = directory.offset
        guard base + place + BitPacking.slack == body.count else {
            throw PageError(.inconsistent, "column directory", at: base)
        }
        for index in bounds.indices { bounds[index] += base }
        self.bounds = bounds
    }

    /// The columns asked for; the others are empty.
    public func read(_ columns: SampleColumnSet) throws(PageError) -> SampleColumns {
        var result = SampleColumns(type: header.type)
        try append(columns, to: &result)
        return result
    }

    func reader(_ column: PageBody.Column) -> ByteReader {
        ByteReader(body, range: bounds[column.rawValue]..<bounds[column.rawValue + 1])
    }

    func isAbsent(_ column: PageBody.Column) -> Bool {
        bounds[column.rawValue] == bounds[column.rawValue + 1]
    }
}
