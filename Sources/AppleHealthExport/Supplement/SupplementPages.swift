import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// Adds pages of samples to a supplement.
enum SupplementPages {
    /// The maximum number of samples in a line if there are heartbeat series: readers expect samples and the series
    /// under them interleaved.
    private static let rowsBetweenBeats = 16

    /// Adds lines for these rows of a page, if they need to be in the supplement, and for the heartbeat series under
    /// them. Counts both as elements of the piece.
    static func add(
        _ header: PageHeader, _ body: [UInt8], _ rows: Range<Int>, isSupplemented: Bool,
        _ beats: [Int: RecordBeats.Placed], _ style: RecordStyle, to piece: ExportPiece
    ) throws {
        let type = header.type
        let identifier = style.dictionaries.type(type)?.identifier ?? ""
        let page = isSupplemented ? try whole(header, body, style) : nil
        let step = beats.isEmpty ? rows.count : rowsBetweenBeats
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
            let part = first..<min(first + step, rows.upperBound)
            if let page {
                let entry = try SupplementPage(page, rows: part, type: identifier)
                piece.supplement.append(.records(type, place: piece.placed[type, default: 0], entry))
                piece.tally.completed[type, default: 0] += part.count
            }
            piece.placed[type, default: 0] += part.count
            let series = HeartbeatSeriesReader.type
            for placed in part.compactMap({ beats[$0] }) { piece.place(series, supplemented: placed.supplemented) }
        }
    }

    /// The samples that belong to an object, without UUIDs: they are also in the archive on their own and are matched
    /// by content.
    static func members(_ rows: [SampleColumns], _ dictionaries: StoreDictionaries) throws -> [SupplementPage] {
        try rows.flatMap { rows in
            var rows = rows
            rows.uuids = []
            rows.sequences = Array(0..<Int64(rows.starts.count))
            return try stride(from: 0, to: rows.starts.count, by: PageHeader.maximumCount).map { first in
                try SupplementPage(
                    rows, rows: first..<min(first + PageHeader.maximumCount, rows.starts.count),
                    type: dictionaries.type(rows.type)?.identifier ?? "")
            }
        }
    }

    /// All columns of a page. Rows have the UUIDs they were given; derived ones are included only where another line
    /// may refer to them.
    private static func whole(_ header: PageHeader, _ body: [UInt8], _ style: RecordStyle) throws -> SampleColumns {
        var page = try body.withUnsafeBytes { try PageReader(header: header, body: $0).read(.all) }
        let isSeries = page.metadata.table.map { $0[MetadataKey.seriesCount] != nil }
        if style.supplementedTypes.contains(page.type) || isSeries.contains(true) {
            page.uuids.entries = page.sequences.indices.map { row in
                if let given = page.uuid(at: row) { return given }
                let number = page.metadata.number(at: row)
                guard style.supplementedTypes.contains(page.type) || number > 0 && isSeries[number - 1] else {
                    return nil
                }
                return style.identities?.uuid(for: page.sequences[row])
            }
        }
        // Sequences mean nothing outside the store.
        page.sequences = Array(0..<Int64(page.sequences.count))
        return page
    }
}

/// Adds objects to a supplement.
enum SupplementObjects {
    /// Adds a line for an object that the archive format cannot hold. One of a type that only this store knows is left
    /// out.
    static func add(_ item: ExportRun.Planned, _ style: RecordStyle, to piece: ExportPiece) {
        let type = item.object.type
        guard style.writesSupplement, TypeCatalog.description(for: type) != nil else {
            piece.tally.leftOut[type, default: 0] += 1
            return
        }
        piece.supplement.append(.object(item.object, place: nil, members: item.members))
        piece.tally.supplemented[type, default: 0] += 1
    }

    /// Counts an object and its routes as elements of the piece, and adds lines for those that the archive does not
    /// hold completely.
    static func add(
        _ item: ExportRun.Planned, _ element: ArchivedElement, _ style: RecordStyle, to piece: ExportPiece
    ) {
        let isSupplemented = item.isSupplemented || !isComplete(item, element, style)
        piece.place(item.object.type, supplemented: isSupplemented ? item.object : nil, members: item.members)
        for (route, _, isSupplemented) in item.routes {
            piece.place(route.type, supplemented: isSupplemented ? route : nil)
        }
    }

    /// Whether reading this element gives the same body again.
    private static func isComplete(
        _ item: ExportRun.Planned, _ element: ArchivedElement, _ style: RecordStyle
    ) -> Bool {
        let object = item.object
        switch object.body {
        case .none, .archived: return true
        case .activitySummary: return (try? ActivitySummaryReader.read(element))?.body == object.body
        case .workout(let body):
            var ignored = ExportTally()
            let own = WorkoutWriter.write(object, body, style, &ignored)
            return (try? WorkoutReader.read(own))?.body == object.body
        case .document:
            switch style.dictionaries.type(object.type)?.identifier {
            case AudiogramReader.identifier: return (try? AudiogramReader.read(element))?.body == object.body
            case VisionPrescriptionReader.identifier:
                return (try? VisionPrescriptionReader.read(element))?.body == object.body
            default: return true
            }
        }
    }
}

extension ExportPiece {
    /// Counts an object as the next one of its type, and adds a line for one that the archive does not hold completely.
    fileprivate func place(_ type: TypeCode, supplemented object: ObjectRecord?, members: [SupplementPage] = []) {
        if let object {
            supplement.append(.object(object, place: placed[type, default: 0], members: members))
            tally.completed[type, default: 0] += 1
        }
        placed[type, default: 0] += 1
    }
}
