import Foundation
import HealthModel
package import HealthPages
package import HealthStorage

/// Finds stored samples by identity or sequence. The reading counterpart of ``PageEditor``.
struct PageFinder {
    let snapshot: any StorageSnapshot
    let identities: DerivedIdentities

    /// Returns the sample or object with a UUID, given or derived, or `nil` if none is stored.
    func locate(_ uuid: UUID) throws -> StoredIdentity? {
        try snapshot.locate(uuid) ?? locateDerived(uuid)
    }

    /// Returns the sample or object with a UUID that the store derived, or `nil` for any other.
    func locateDerived(_ uuid: UUID) throws -> StoredIdentity? {
        guard let sequence = identities.sequence(of: uuid), sequence > 0, sequence <= (try snapshot.lastSequence())
        else { return nil }
        if let object = try snapshot.object(sequence: sequence) {
            return object.uuid == nil ? StoredIdentity(type: object.type, sequence: sequence) : nil
        }
        for type in try snapshot.typesInUse() {
            let found = try rows(of: type, sequences: [sequence], columns: .uuids)
            if found.count == 1, found.uuid(at: 0) == nil {
                return StoredIdentity(type: type, sequence: sequence)
            }
        }
        return nil
    }

    /// Returns the stored samples of one type with these sequences (ascending), in page order.
    func rows(
        of type: TypeCode, sequences: [Int64], columns: SampleColumnSet = .all
    ) throws -> SampleColumns {
        var result = SampleColumns(type: type)
        try visitRows(of: type, sequences: sequences) { page, rows in
            let decoded = try page.decode(columns.union([.starts, .sequences]))
            result.append(decoded, rows: rows)
            return true
        }
        return result
    }

    /// Visits the pages that contain any of these sequences (ascending), each with the rows in question, until `visit`
    /// returns `false` or all are found. `visit` may rewrite pages.
    func visitRows(
        of type: TypeCode, sequences: [Int64],
        _ visit: (StoredPage, [Int]) throws -> Bool
    ) throws {
        var missing = sequences.count
        for candidate in try candidates(of: type, sequences: sequences) {
            guard missing > 0 else { return }
            guard let body = try snapshot.pageBody(candidate.key) else { continue }
            var page = candidate
            page.body = body
            let stored = try page.decode(.sequences).sequences
            let rows = stored.indices.filter { sequences.containsSorted(stored[$0]) }
            guard !rows.isEmpty else { continue }
            missing -= rows.count
            guard try visit(page, rows) else { return }
        }
    }

    /// Returns the pages, without bodies, whose range of sequences includes any of these.
    private func candidates(of type: TypeCode, sequences: [Int64]) throws -> [StoredPage] {
        var found: [StoredPage] = []
        if sequences.count <= 4 {
            for sequence in sequences {
                try snapshot.visitPages(of: type, in: .containing(sequence: sequence), bodies: false) {
                    let key = $0.key
                    if !found.contains(where: { $0.key == key }) { found.append($0.copy) }
                    return true
                }
            }
            return found
        }
        try snapshot.visitPages(of: type, in: .all, bodies: false) { view in
            let next = sequences.lowerBound(of: view.bounds.minimumSequence)
            if next < sequences.count, sequences[next] <= view.bounds.maximumSequence {
                found.append(view.copy)
            }
            return true
        }
        return found
    }
}

extension StoredPage {
    /// Encodes a run of rows.
    init(encoding columns: SampleColumns, rows: Range<Int>) throws {
        let encoded = try PageWriter.write(columns, rows: rows)
        self.init(
            key: PageKey(
                type: columns.type, firstStart: columns.starts[rows.lowerBound],
                firstSequence: columns.sequences[rows.lowerBound]), bounds: PageBounds(encoded.header),
            header: encoded.headerBytes, body: encoded.body, summary: PageTotals(encoded.header))
    }

    /// Decodes the page's samples. The body must be present.
    func decode(_ columns: SampleColumnSet = .all) throws -> SampleColumns {
        let header = try PageHeader(of: self)
        return try body.withUnsafeBytes { body in
            try PageReader(header: header, body: body).read(columns)
        }
    }
}

extension PageHeader {
    /// Decodes the header of a stored page. An error names the page by its key.
    package init(decoding bytes: [UInt8], of key: PageKey) throws(PageError) {
        do throws(PageError) {
            self = try PageHeader(decoding: bytes)
        } catch {
            throw error.naming(PageError.Page(key))
        }
    }

    /// Decodes the header of a stored page. An error names the page.
    init(of page: StoredPage) throws(PageError) {
        try self.init(decoding: page.header, of: page.key)
    }

    /// Decodes the header of a page that is visited. An error names the page.
    init(of page: PageView) throws(PageError) {
        do throws(PageError) {
            self = try PageHeader(decoding: page.header)
        } catch {
            throw error.naming(PageError.Page(page.key))
        }
    }
}

extension PageError.Page {
    fileprivate init(_ key: PageKey) {
        self.init(type: key.type, firstSequence: key.firstSequence)
    }
}

extension PageBounds {
    /// Creates the bounds of the page with this header.
    package init(_ header: PageHeader) {
        self.init(
            count: Int(header.count), lastStart: header.lastStart, maximumEnd: header.maximumEnd,
            minimumSequence: header.minimumSequence, maximumSequence: header.maximumSequence)
    }
}

extension PageTotals {
    /// Creates the summary of the page with this header; `nil` if its values can't be added to those of other pages.
    init?(_ header: PageHeader) {
        guard header.units.count == 1, header.sum.isFinite else { return nil }
        self.init(
            unit: header.units[0], revisions: header.revisions, traits: header.traits.rawValue, sum: header.sum,
            minimum: header.minimum, maximum: header.maximum, weightedSum: header.weightedSum,
            totalDuration: header.totalDuration, coveredDuration: header.coveredDuration,
            latestValue: header.latest.value, latestStart: header.latest.start, latestEnd: header.latest.end)
    }
}
