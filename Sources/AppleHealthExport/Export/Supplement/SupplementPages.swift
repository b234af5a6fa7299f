import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// Pages of samples as they are told in a supplement.
enum SupplementPages {
    /// A reader takes samples and the series under them in turns; where there are series, a line tells of no
    /// more than so many samples.
    private static let rowsBetweenBeats = 16

    /// Asks for lines about these rows of a page, if they are to be told of, and about the series of heartbeats
    /// that stand under them; counts both as elements of the piece.
    static func add(
        _ header: PageHeader, _ body: [UInt8], _ rows: Range<Int>, isTold: Bool, _ beats: [Int: RecordBeats.Placed],
        _ style: RecordStyle, to piece: ExportPiece
    ) throws {
        let type = header.type
        let identifier = style.dictionaries.type(type)?.identifier ?? ""
        let page = isTold ? try whole(header, body, style) : nil
        let step = beats.isEmpty ? rows.count : rowsBetweenBeats
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
            let part = first..<min(first + step, rows.upperBound)
            if let page {
                let told = try SupplementPage(page, rows: part, type: identifier)
                piece.supplement.append(.records(type, place: piece.placed[type, default: 0], told))
                piece.tally.completed[type, default: 0] += part.count
            }
            piece.placed[type, default: 0] += part.count
            let series = HeartbeatSeriesReader.type
            for placed in part.compactMap({ beats[$0] }) {
                if let object = placed.told {
                    piece.supplement.append(
                        .object(object, place: piece.placed[series, default: 0], members: []))
                    piece.tally.completed[series, default: 0] += 1
                }
                piece.placed[series, default: 0] += 1
            }
        }
    }

    /// The samples that belong to an object, without identities: they stand by themselves, too, and are found
    /// by what they say.
    static func members(_ rows: [SampleColumns], _ dictionaries: StoreDictionaries) throws -> [SupplementPage] {
        try rows.flatMap { rows in
            var rows = rows
            rows.uuids = []
            rows.sequences = Array(0..<Int64(rows.starts.count))
            return try stride(from: 0, to: rows.starts.count, by: PageHeader.greatestCount).map { first in
                try SupplementPage(
                    rows, rows: first..<min(first + PageHeader.greatestCount, rows.starts.count),
                    type: dictionaries.type(rows.type)?.identifier ?? "")
            }
        }
    }

    /// All columns of a page. Rows have the identity they were given; one that was derived is told where
    /// something else in the supplement may mean it.
    private static func whole(_ header: PageHeader, _ body: [UInt8], _ style: RecordStyle) throws -> SampleColumns {
        var page = try body.withUnsafeBytes { try PageReader(header: header, body: $0).read(.all) }
        let isSeries = page.metadataTable.map { $0[MetadataKey.seriesCount] != nil }
        if style.toldTypes.contains(page.type) || isSeries.contains(true) {
            page.uuids = page.sequences.indices.map { row in
                if let given = page.uuid(at: row) { return given }
                let number = page.metadata.isEmpty ? 0 : Int(page.metadata[row])
                guard style.toldTypes.contains(page.type) || number > 0 && isSeries[number - 1] else { return nil }
                return style.identities?.uuid(for: page.sequences[row])
            }
        }
        // Sequences are the store's own.
        page.sequences = Array(0..<Int64(page.sequences.count))
        return page
    }
}
