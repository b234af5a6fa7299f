import Foundation
import HealthModel
import HealthPages

/// Samples of one type in a supplement: a page of the store's format, with the supplement's numbers of units,
/// sources and devices.
struct SupplementPage: Codable, Hashable, Sendable {
    /// The type's identifier; the code within the page is of the store that wrote it.
    var type: String
    /// As ``PageHeader`` is encoded.
    var header: Data
    /// As ``PageWriter`` writes it.
    var body: Data

    /// The page of these rows, in order of start, with sequences of its own.
    init(_ columns: SampleColumns, rows: Range<Int>, type: String) throws {
        let page = try PageWriter.write(columns, rows: rows)
        self.type = type
        header = Data(page.headerBytes)
        body = Data(page.body)
    }

    /// All columns; throws for bytes that are no page, and for dates that nothing can have.
    func columns() throws -> SampleColumns {
        let header = try PageHeader(decoding: Array(header))
        let columns = try Array(body).withUnsafeBytes { try PageReader(header: header, body: $0).read(.all) }
        for row in columns.starts.indices {
            let (start, end) = (columns.starts[row], columns.ends[row])
            guard start <= end, start > -.infinity, end < .infinity else {
                throw PageError(.inconsistent, "sample", at: row)
            }
        }
        return columns
    }
}
