import Foundation
package import HealthModel

/// Reads the columns of a page. The counterpart of ``PageWriter``.
///
/// Only the requested columns are decoded. The reader borrows the body, so it is valid as long as the bytes it was
/// created with. Use it from one thread at a time. Methods throw ``PageError`` for invalid bytes and may leave
/// their target partly filled.
package struct PageReader {
    /// The page's header.
    package let header: PageHeader
    private let body: UnsafeRawBufferPointer
    /// The offset of each column, and the end of the last one.
    private let bounds: [Int]

    /// Creates a reader after checking the body against the length and checksum in its header. An error names the page.
    package init(header: PageHeader, body: UnsafeRawBufferPointer) throws(PageError) {
        self.header = header
        self.body = body
        do throws(PageError) {
            bounds = try Self.bounds(header, body)
        } catch {
            throw error.naming(PageError.Page(type: header.type, firstSequence: header.firstSequence))
        }
    }

    private static func bounds(_ header: PageHeader, _ body: UnsafeRawBufferPointer) throws(PageError) -> [Int] {
        guard body.count >= header.bodyLength else { throw PageError(.truncated, "page body", at: body.count) }
        guard body.count == header.bodyLength, body.count >= PageBody.minimumLength else {
            throw PageError(.inconsistent, "body length", at: body.count)
        }
        guard Checksum.of(body) == header.bodyChecksum else { throw PageError(.badChecksum, "body checksum", at: 0) }
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
        return bounds
    }

    /// Returns the requested columns; the others are empty.
    package func read(_ columns: SampleColumnSet) throws(PageError) -> SampleColumns {
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

extension PageReader {
    /// Decodes columns into the caller's memory, which need not be initialized and must have room for
    /// ``PageHeader/count`` entries each. Columns whose target is `nil` are skipped.
    package func decode(
        starts: UnsafeMutablePointer<Double>? = nil, ends: UnsafeMutablePointer<Double>? = nil,
        values: UnsafeMutablePointer<Double>? = nil, units: UnsafeMutablePointer<UInt32>? = nil,
        revisions: UnsafeMutablePointer<UInt32>? = nil, devices: UnsafeMutablePointer<UInt32>? = nil,
        sequences: UnsafeMutablePointer<Int64>? = nil, creations: UnsafeMutablePointer<Double>? = nil
    ) throws(PageError) {
        if starts != nil || ends != nil || creations != nil {
            try decodeTimes(starts: starts, ends: ends, creations: creations)
        }
        if values != nil || units != nil || revisions != nil || devices != nil {
            let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: header.count)
            defer { scratch.deallocate() }
            if let values {
                var reader = reader(.values)
                try NumberSequenceReader.read(
                    &reader, count: header.count, into: values, scratch: scratch, "value column")
                try reader.finish("value column")
            }
            if let units {
                try decode(.units, header.units, into: units, scratch, "unit column")
            }
            if let revisions {
                try decode(.revisions, header.revisions, into: revisions, scratch, "revision column")
            }
            if let devices {
                try decode(.devices, header.devices, into: devices, scratch, "device column")
            }
        }
        if let sequences {
            var reader = reader(.sequences)
            try IntegerSequenceReader.read(&reader, count: header.count, into: sequences, "sequence column")
            try reader.finish("sequence column")
        }
    }

    private func decodeTimes(
        starts: UnsafeMutablePointer<Double>?, ends: UnsafeMutablePointer<Double>?,
        creations: UnsafeMutablePointer<Double>?
    ) throws(PageError) {
        var times = TimeColumnsReader(count: header.count)
        defer { times.deallocate() }
        var startReader = reader(.starts)
        try times.starts(&startReader, into: starts)
        guard ends != nil || creations != nil else { return }
        var endReader = reader(.ends)
        try times.ends(&endReader, into: ends)
        guard let creations else { return }
        guard !isAbsent(.creations) else {
            creations.update(repeating: .nan, count: header.count)
            return
        }
        var creationReader = reader(.creations)
        try times.creations(&creationReader, into: creations)
    }

    /// Decodes a column of indices into one of the header's lists.
    private func decode(
        _ column: PageBody.Column, _ list: [UInt32], into target: UnsafeMutablePointer<UInt32>,
        _ scratch: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        let count = header.count
        var reader = reader(column)
        guard list.count > 1 else {
            try reader.finish(what)
            target.update(repeating: list.first ?? 0, count: count)
            return
        }
        try IntegerSequenceReader.read(&reader, count: count, into: scratch, what)
        try reader.finish(what)
        var maximum: UInt64 = 0
        for row in 0..<count { maximum = max(maximum, UInt64(bitPattern: scratch[row])) }
        guard maximum < UInt64(list.count) else { throw reader.error(.inconsistent, what) }
        list.withUnsafeBufferPointer { list in
            for row in 0..<count { target[row] = list[Int(scratch[row])] }
        }
    }
}

extension PageReader {
    /// Appends the requested columns to existing rows.
    ///
    /// Metadata numbers are adjusted to the combined table. UUIDs and creation dates remain empty until a page
    /// has some, which then also fills the preceding rows. Their number is that of another column, so request these
    /// columns together with sequence numbers.
    package func append(_ columns: SampleColumnSet, to target: inout SampleColumns) throws(PageError) {
        let count = header.count
        let before = target.count
        let hasCreations = columns.contains(.creations) && (header.hasCreations || !target.creations.isEmpty)
        if hasCreations { target.creations.fill(to: before) }
        if columns.contains(.uuids), header.hasGivenUUIDs || !target.uuids.isEmpty {
            target.uuids.fill(to: before)
            if isAbsent(.uuids) {
                target.uuids.fill(to: before + count)
            } else {
                var reader = reader(.uuids)
                try IdentityColumnReader.append(&reader, count: count, to: &target.uuids)
            }
        }
        if columns.contains(.metadata) {
            if isAbsent(.metadata) {
                target.metadata.fill(to: before + count)
            } else {
                let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: count)
                defer { scratch.deallocate() }
                var reader = reader(.metadata)
                try MetadataColumnReader.append(&reader, count: count, scratch: scratch, to: &target)
            }
        }
        let starts = Target<Double>(count, isRequested: columns.contains(.starts))
        let ends = Target<Double>(count, isRequested: columns.contains(.ends))
        let values = Target<Double>(count, isRequested: columns.contains(.values))
        let units = Target<UInt32>(count, isRequested: columns.contains(.units))
        let revisions = Target<UInt32>(count, isRequested: columns.contains(.revisions))
        let devices = Target<UInt32>(count, isRequested: columns.contains(.devices))
        let sequences = Target<Int64>(count, isRequested: columns.contains(.sequences))
        let creations = Target<Double>(count, isRequested: hasCreations)
        defer {
            starts.deallocate()
            ends.deallocate()
            values.deallocate()
            units.deallocate()
            revisions.deallocate()
            devices.deallocate()
            sequences.deallocate()
            creations.deallocate()
        }
        try decode(
            starts: starts.pointer, ends: ends.pointer, values: values.pointer, units: units.pointer,
            revisions: revisions.pointer, devices: devices.pointer, sequences: sequences.pointer,
            creations: creations.pointer)
        starts.append(to: &target.starts)
        ends.append(to: &target.ends)
        values.append(to: &target.values)
        units.append(to: &target.units)
        revisions.append(to: &target.revisions)
        devices.append(to: &target.devices)
        sequences.append(to: &target.sequences)
        creations.append(to: &target.creations.entries)
    }

    /// Memory for a decoded column, or none for a column that was not requested.
    private struct Target<Element: BitwiseCopyable> {
        let pointer: UnsafeMutablePointer<Element>?
        private let count: Int

        init(_ count: Int, isRequested: Bool) {
            self.count = count
            pointer = isRequested ? .allocate(capacity: count) : nil
        }

        func append(to column: inout [Element]) {
            guard let pointer else { return }
            column.append(contentsOf: UnsafeBufferPointer(start: pointer, count: count))
        }

        func deallocate() {
            pointer?.deallocate()
        }
    }
}

/// The layout of a body: the lengths of its columns as varints, the columns in the order of ``Column``, and
/// ``BitPacking/slack`` zero bytes, which allow whole words to be loaded up to the last packed number.
enum PageBody {
    /// The columns in order. The content of an empty column follows from the header.
    enum Column: Int, CaseIterable {
        case starts, ends, values, units, revisions, devices, metadata, sequences, uuids, creations
    }

    static let minimumLength = Column.allCases.count + BitPacking.slack
}
