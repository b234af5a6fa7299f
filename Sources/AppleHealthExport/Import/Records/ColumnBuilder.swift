import Foundation
import HealthModel

/// Builds the columns of one type while a batch is read.
///
/// Copies share remembered markup; its owner frees it once with ``deallocate()``.
struct ColumnBuilder {
    /// Markup inside a record whose metadata is already known.
    private struct KnownSpan {
        var bytes: UnsafeMutablePointer<UInt8>
        var length: Int
        var number: UInt32
    }

    private var columns: SampleColumns
    private var metadataInterner = MetadataInterner(limit: numbersKept)
    private var hasCreations = false
    private var spans: [KnownSpan] = []
    private var nextSpan = 0
    /// The number of samples in the previous batch.
    private var previousCount = 0

    private static let retainedSpans = 6
    private static let maximumSpanLength = 512
    /// The number of dictionaries that are compared; beyond it they are likely all different.
    private static let numbersKept = 4_096

    init(type: TypeCode) {
        columns = SampleColumns(type: type)
    }

    var count: Int { columns.starts.count }

    /// The number of metadata dictionaries in the batch for this type.
    var metadataCount: Int { columns.metadata.table.count }

    @inline(__always)
    mutating func append(
        start: Double, end: Double, value: Double, unit: UInt32, revision: UInt32, device: UInt32,
        metadata number: UInt32, creation: Double
    ) {
        if columns.starts.isEmpty { columns.reserveCapacity(previousCount) }
        columns.starts.append(start)
        columns.ends.append(end)
        columns.values.append(value)
        columns.creations.entries.append(creation)
        columns.units.append(unit)
        columns.revisions.append(revision)
        columns.devices.append(device)
        columns.metadata.numbers.append(number)
        if !creation.isNaN { hasCreations = true }
    }

    /// Returns the number of a metadata dictionary in this batch; 0 for an empty one.
    mutating func number(of metadata: Metadata) -> UInt32 {
        metadataInterner.number(of: metadata, in: &columns.metadata.table)
    }

    /// Returns the length and metadata number of a remembered span that `text` begins with; a length of 0 if there
    /// is none.
    @inline(__always)
    func knownSpan(at text: UnsafePointer<UInt8>, limit: Int) -> (length: Int, number: UInt32) {
        for span in spans where span.length <= limit {
            if memcmp(span.bytes, text, span.length) == 0 { return (span.length, span.number) }
        }
        return (0, 0)
    }

    /// Remembers the metadata of these bytes, which include the end tag.
    mutating func remember(_ bytes: UnsafeBufferPointer<UInt8>, as number: UInt32) {
        guard let base = bytes.baseAddress, bytes.count <= Self.maximumSpanLength else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.update(from: base, count: bytes.count)
        let span = KnownSpan(bytes: copy, length: bytes.count, number: number)
        if spans.count < Self.retainedSpans {
            spans.append(span)
        } else {
            spans[nextSpan].bytes.deallocate()
            spans[nextSpan] = span
            nextSpan = (nextSpan + 1) % Self.retainedSpans
        }
    }

    /// Returns the columns and starts over. A type without samples takes no memory: archives list types consecutively,
    /// and full columns for each would add up.
    mutating func take() -> SampleColumns {
        previousCount = count
        var taken = SampleColumns(type: columns.type)
        swap(&taken, &columns)
        if !hasCreations { taken.creations = [] }
        hasCreations = false
        metadataInterner = MetadataInterner(limit: Self.numbersKept)
        deallocate()
        return taken
    }

    mutating func deallocate() {
        for span in spans { span.bytes.deallocate() }
        spans = []
        nextSpan = 0
    }
}
