public import HealthModel

/// Makes a page of columns. Twin of ``PageReader``.
public enum PageWriter {
    /// Encodes rows `rows`, which are sorted by start, then sequence.
    ///
    /// Empty unit, device and metadata columns stand for zeros; the others have an entry for every row.
    /// - Throws: ``PageError/Kind/inconsistent`` when there is no row, when there are more than
    ///   ``PageHeader/greatestCount``, when columns differ in length, rows are not in order, a start or
    ///   end is NaN, or a metadata number leads outside the table.
    public static func write(_ columns: SampleColumns, rows: Range<Int>) throws(PageError) -> EncodedPage {
        try check(columns, rows)
        let count = rows.count
        var summary = PageSummary(columns, rows: rows)
        let metadata = try MetadataColumnWriter(columns, rows: rows)
        let units = IdentifierList(columns.units, rows: rows)
        let revisions = IdentifierList(columns.revisions, rows: rows)
        let devices = IdentifierList(columns.devices, rows: rows)

        var body = ByteWriter()
        body.reserve(count * 8 + 64)
        var lengths: [Int] = []
        var last = 0
        func close() {
            lengths.append(body.count - last)
            last = body.count
        }
        var times = TimeColumnsWriter(count: count)
        defer { times.deallocate() }
        columns.starts.withUnsafeBufferPointer { times.starts(UnsafeBufferPointer(rebasing: $0[rows]), to: &body) }
        close()
        columns.ends.withUnsafeBufferPointer { times.ends(UnsafeBufferPointer(rebasing: $0[rows]), to: &body) }
        close()
        columns.values.withUnsafeBufferPointer {
            _ = NumberSequenceWriter.write(UnsafeBufferPointer(rebasing: $0[rows]), to: &body)
        }
        close()
        for list in [units, revisions, devices] {
            list.write(to: &body)
            close()
        }
        metadata.write(to: &body)
        close()
        columns.sequences.withUnsafeBufferPointer {
            _ = IntegerSequenceWriter.write(UnsafeBufferPointer(rebasing: $0[rows]), to: &body)
        }
        close()
        if IdentityColumnWriter.write(columns.uuids, rows: rows, to: &body) { summary.traits.insert(.givenUUIDs) }
        close()
        if !columns.creations.isEmpty {
            columns.creations.withUnsafeBufferPointer {
                times.creations(UnsafeBufferPointer(rebasing: $0[rows]), to: &body)
            }
            if body.count > last { summary.traits.insert(.creations) }
        }
        close()
        if !metadata.isEmpty { summary.traits.insert(.metadata) }
        if metadata.hasUserEntered { summary.traits.insert(.userEntered) }

        var whole = ByteWriter()
        whole.reserve(body.count + 32)
        for length in lengths { whole.unsigned(length) }
        whole.raw(body.bytes)
        whole.zeros(BitPacking.slack)
        let header = PageHeader(
            type: columns.type, count: count, firstStart: columns.starts[rows.lowerBound],
            firstSequence: columns.sequences[rows.lowerBound], lastStart: columns.starts[rows.upperBound - 1],
            greatestEnd: summary.latest.end, leastSequence: summary.leastSequence,
            greatestSequence: summary.greatestSequence, sum: summary.sum, minimum: summary.minimum,
            maximum: summary.maximum, latest: summary.latest, coveredDuration: summary.coveredDuration,
            totalDuration: summary.totalDuration, weightedSum: summary.weightedSum, units: units.numbers,
            revisions: revisions.numbers, devices: devices.numbers, traits: summary.traits,
            bodyLength: whole.count, bodyChecksum: Checksum.of(whole.bytes))
        return EncodedPage(header: header, headerBytes: header.encode(), body: whole.bytes)
    }

    private static func check(_ columns: SampleColumns, _ rows: Range<Int>) throws(PageError) {
        guard !rows.isEmpty, rows.count <= PageHeader.greatestCount, rows.lowerBound >= 0,
            rows.upperBound <= columns.starts.count
        else { throw PageError(.inconsistent, "row range", at: rows.lowerBound) }
        let count = columns.starts.count
        func matches(_ length: Int, optional: Bool = false) -> Bool { length == count || (optional && length == 0) }
        guard matches(columns.ends.count), matches(columns.values.count), matches(columns.revisions.count),
            matches(columns.sequences.count), matches(columns.units.count, optional: true),
            matches(columns.devices.count, optional: true), matches(columns.metadata.count, optional: true),
            matches(columns.uuids.count, optional: true), matches(columns.creations.count, optional: true)
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
