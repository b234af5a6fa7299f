package import Foundation
package import HealthModel
package import HealthPages
package import HealthStorage

/// Finds stored samples by identity or sequence. The reading counterpart of ``PageEditor``.
package struct PageFinder {
    let snapshot: any StorageSnapshot
    let identities: DerivedIdentities

    package init(snapshot: any StorageSnapshot, identities: DerivedIdentities) {
        self.snapshot = snapshot
        self.identities = identities
    }

    /// Returns the sample or object with a UUID, given or derived, or `nil` if none is stored.
    package func locate(_ uuid: UUID) throws -> StoredIdentity? {
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
    package func rows(
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
    package func visitRows(
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
    package func decode(_ columns: SampleColumnSet = .all) throws -> SampleColumns {
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
    package init(of page: PageView) throws(PageError) {
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
    package init?(_ header: PageHeader) {
        guard header.units.count == 1, header.sum.isFinite else { return nil }
        self.init(
            unit: header.units[0], revisions: header.revisions, traits: header.traits.rawValue, sum: header.sum,
            minimum: header.minimum, maximum: header.maximum, weightedSum: header.weightedSum,
            totalDuration: header.totalDuration, coveredDuration: header.coveredDuration,
            latestValue: header.latest.value, latestStart: header.latest.start, latestEnd: header.latest.end)
    }
}

/// The UUIDs of samples saved without one: a keyed permutation of the sequence number, which takes no storage, never
/// changes, and can be converted back.
///
/// Layout: bytes 0–7 are the permuted sequence and bytes 8–15 a keyed check of it, with the version (8, RFC 9562
/// “custom”) and variant bits set in both.
package struct DerivedIdentities: Hashable, Sendable {
    /// The store's seed.
    package let seed: UInt64

    /// Creates the derivation for the store with this seed.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns the UUID of the sample with this sequence.
    package func uuid(for sequence: Int64) -> UUID {
        // The version takes four bits of the first half, so only 60 bits are permuted. Sequence numbers stay far below
        // 2^60.
        let permuted = Self.encrypt(UInt64(bitPattern: sequence) & Self.mask, key: seed)
        let high = (permuted >> 12) << 16 | 0x8000 | (permuted & 0xFFF)
        let check = Self.mix(permuted ^ Self.mix(seed)) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            $0.storeBytes(of: check.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }

    /// Returns the sequence that a UUID was derived from, or `nil` if this store did not derive it.
    package func sequence(of uuid: UUID) -> Int64? {
        var bytes = uuid.uuid
        let (high, check) = withUnsafeBytes(of: &bytes) {
            (
                UInt64(bigEndian: $0.load(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self))
            )
        }
        guard high & 0xF000 == 0x8000 else { return nil }
        let permuted = (high >> 16) << 12 | (high & 0xFFF)
        let expected = Self.mix(permuted ^ Self.mix(seed)) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        guard check == expected else { return nil }
        return Int64(bitPattern: Self.decrypt(permuted, key: seed))
    }

    private static let mask: UInt64 = (1 << 60) - 1
    private static let half: UInt64 = (1 << 30) - 1

    /// Four Feistel rounds over two 30-bit halves: a permutation whatever the round function is.
    private static func encrypt(_ value: UInt64, key: UInt64) -> UInt64 {
        var left = value >> 30 & half
        var right = value & half
        for round in 0..<4 as Range<UInt64> {
            (left, right) = (right, left ^ (mix(right ^ key &+ round &* 0x9E37_79B9_7F4A_7C15) & half))
        }
        return left << 30 | right
    }

    private static func decrypt(_ value: UInt64, key: UInt64) -> UInt64 {
        var left = value >> 30 & half
        var right = value & half
        for round in (0..<4 as Range<UInt64>).reversed() {
            (left, right) = (right ^ (mix(left ^ key &+ round &* 0x9E37_79B9_7F4A_7C15) & half), left)
        }
        return left << 30 | right
    }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
