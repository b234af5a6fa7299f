package import HealthModel

/// Encodes columns as a page. The counterpart of ``PageReader``.
package enum PageWriter {
    /// Encodes rows, which must be sorted by start and then sequence number.
    ///
    /// Empty unit, device and metadata columns contain zeros; the others must have an entry for every row.
    /// - Throws: ``PageError/Kind/inconsistent`` if there are no rows or more than ``PageHeader/maximumCount``, if
    ///   columns differ in length, rows are not in order, a start or end is NaN, or a metadata number is outside
    ///   the table.
    package static func write(_ columns: SampleColumns, rows: Range<Int>) throws(PageError) -> EncodedPage {
        try check(columns, rows)
        let count = rows.count
        var summary = PageSummary(columns, rows: rows)
        let metadata = try MetadataColumnWriter(columns, rows: rows)
        let units = IdentifierList(columns.units, rows: rows)
        let revisions = IdentifierList(columns.revisions, rows: rows)
        let devices = IdentifierList(columns.devices, rows: rows)

        var body = ByteWriter(capacity: count * (columns.uuids.isEmpty ? 8 : 24) + 64)
        // The lengths of the columns, which precede them.
        var lengths = ByteWriter(capacity: 64)
        var end = 0
        var times = TimeColumnsWriter(count: count)
        defer { times.deallocate() }
        columns.starts.withUnsafeBufferPointer { times.starts(UnsafeBufferPointer(rebasing: $0[rows]), to: &body) }
        lengths.length(of: body, after: &end)
        columns.ends.withUnsafeBufferPointer { times.ends(UnsafeBufferPointer(rebasing: $0[rows]), to: &body) }
        lengths.length(of: body, after: &end)
        columns.values.withUnsafeBufferPointer {
            _ = NumberSequenceWriter.write(UnsafeBufferPointer(rebasing: $0[rows]), to: &body)
        }
        lengths.length(of: body, after: &end)
        units.write(to: &body)
        lengths.length(of: body, after: &end)
        revisions.write(to: &body)
        lengths.length(of: body, after: &end)
        devices.write(to: &body)
        lengths.length(of: body, after: &end)
        metadata.write(to: &body)
        lengths.length(of: body, after: &end)
        columns.sequences.withUnsafeBufferPointer {
            _ = IntegerSequenceWriter.write(UnsafeBufferPointer(rebasing: $0[rows]), to: &body)
        }
        lengths.length(of: body, after: &end)
        if IdentityColumnWriter.write(columns.uuids, rows: rows, to: &body) { summary.traits.insert(.givenUUIDs) }
        lengths.length(of: body, after: &end)
        if !columns.creations.isEmpty {
            columns.creations.entries.withUnsafeBufferPointer {
                times.creations(UnsafeBufferPointer(rebasing: $0[rows]), to: &body)
            }
            if body.count > end { summary.traits.insert(.creations) }
        }
        lengths.length(of: body, after: &end)
        if !metadata.isEmpty { summary.traits.insert(.metadata) }
        if metadata.hasUserEntered { summary.traits.insert(.userEntered) }

        body.zeros(BitPacking.slack)
        let whole = lengths.bytes(followedBy: body)
        let header = PageHeader(
            type: columns.type, count: count, firstStart: columns.starts[rows.lowerBound],
            firstSequence: columns.sequences[rows.lowerBound], lastStart: columns.starts[rows.upperBound - 1],
            maximumEnd: summary.latest.end, minimumSequence: summary.minimumSequence,
            maximumSequence: summary.maximumSequence, sum: summary.sum, minimum: summary.minimum,
            maximum: summary.maximum, latest: summary.latest, coveredDuration: summary.coveredDuration,
            totalDuration: summary.totalDuration, weightedSum: summary.weightedSum, units: units.numbers,
            revisions: revisions.numbers, devices: devices.numbers, traits: summary.traits,
            bodyLength: whole.count, bodyChecksum: Checksum.of(whole))
        return EncodedPage(header: header, headerBytes: header.encode(), body: whole)
    }

    private static func check(_ columns: SampleColumns, _ rows: Range<Int>) throws(PageError) {
        guard !rows.isEmpty, rows.count <= PageHeader.maximumCount, rows.lowerBound >= 0,
            rows.upperBound <= columns.starts.count
        else { throw PageError(.inconsistent, "row range", at: rows.lowerBound) }
        let count = columns.starts.count
        guard columns.areComplete(count: count, optional: [.units, .devices, .metadata, .uuids, .creations])
        else { throw PageError(.inconsistent, "column lengths", at: count) }
        var start = -Double.infinity
        var sequence = Int64.min
        for row in rows {
            let next = columns.starts[row]
            guard next > start || (next == start && columns.sequences[row] >= sequence),
                !columns.ends[row].isNaN
            else { throw PageError(.inconsistent, "row order", at: row) }
            start = next
            sequence = columns.sequences[row]
        }
    }
}

extension ByteWriter {
    /// Writes the number of bytes that another writer has received since the last call.
    fileprivate mutating func length(of other: borrowing ByteWriter, after end: inout Int) {
        unsigned(other.count - end)
        end = other.count
    }

    /// The bytes of this writer and another.
    fileprivate func bytes(followedBy other: borrowing ByteWriter) -> [UInt8] {
        let length = count + other.count
        return [UInt8](unsafeUninitializedCapacity: length) { target, initialized in
            let target = UnsafeMutableRawBufferPointer(target)
            withBytes { target.copyMemory(from: $0) }
            other.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: $0) }
            initialized = length
        }
    }
}

/// An encoded page and its header.
package struct EncodedPage: Sendable {
    /// The header that ``headerBytes`` contains.
    package var header: PageHeader
    /// The encoded header, including its checksum.
    package var headerBytes: [UInt8]
    /// The encoded columns; the header contains their length and checksum.
    package var body: [UInt8]
}

/// The statistics for a header, computed in one pass over the rows.
struct PageSummary {
    var sum = 0.0
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var latest: PageHeader.Latest
    var coveredDuration = 0.0
    var totalDuration = 0.0
    var weightedSum = 0.0
    var minimumSequence = Int64.max
    var maximumSequence = Int64.min
    var traits: PageHeader.Traits = []

    /// Computes the statistics of rows, which must not be empty and must be sorted by start.
    init(_ columns: SampleColumns, rows: Range<Int>) {
        let first = rows.lowerBound
        latest = PageHeader.Latest(
            value: columns.values[first], start: columns.starts[first], end: columns.ends[first],
            sequence: columns.sequences[first])
        var reach = -Double.infinity
        for row in rows {
            let start = columns.starts[row]
            let end = columns.ends[row]
            let value = columns.values[row]
            let sequence = columns.sequences[row]
            sum += value
            if value < minimum { minimum = value }
            if value > maximum { maximum = value }
            totalDuration += end - start
            weightedSum += value * (end - start)
            minimumSequence = min(minimumSequence, sequence)
            maximumSequence = max(maximumSequence, sequence)
            if (end, start, sequence) > (latest.end, latest.start, latest.sequence) {
                latest = PageHeader.Latest(value: value, start: start, end: end, sequence: sequence)
            }
            if start == end { traits.insert(.zeroLength) }
            if start < reach { traits.insert(.overlaps) }
            if end > reach {
                coveredDuration += end - max(start, reach)
                reach = end
            }
        }
        if minimum > maximum {
            minimum = .nan
            maximum = .nan
        }
    }
}
