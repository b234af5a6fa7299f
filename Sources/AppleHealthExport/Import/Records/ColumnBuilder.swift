import Foundation
import HealthModel

/// Builds the columns of one type while a batch is read. It uses plain memory, so an append costs a few stores.
///
/// Copies share the memory; its owner frees it once with ``deallocate()``.
struct ColumnBuilder {
    /// Markup inside a record whose metadata is already known.
    private struct KnownSpan {
        var bytes: UnsafeMutablePointer<UInt8>
        var length: Int
        var number: UInt32
    }

    let type: TypeCode
    private(set) var count = 0
    private(set) var capacity = 0
    private var starts: UnsafeMutablePointer<Double>
    private var ends: UnsafeMutablePointer<Double>
    private var values: UnsafeMutablePointer<Double>
    private var creations: UnsafeMutablePointer<Double>
    private var units: UnsafeMutablePointer<UInt32>
    private var revisions: UnsafeMutablePointer<UInt32>
    private var devices: UnsafeMutablePointer<UInt32>
    private var metadata: UnsafeMutablePointer<UInt32>
    private var metadataTable: [Metadata] = []
    private var metadataInterner = MetadataInterner(limit: numbersKept)
    private var hasMetadata = false
    private var hasCreations = false
    private var spans: [KnownSpan] = []
    private var nextSpan = 0
    /// The number of samples in the previous batch.
    private var formerCount = 0

    private static let firstCapacity = 32
    private static let spansKept = 6
    private static let maximumSpanLength = 512
    /// The number of dictionaries that are compared; beyond it they are likely all different.
    private static let numbersKept = 4_096

    init(type: TypeCode) {
        self.type = type
        capacity = Self.firstCapacity
        starts = .allocate(capacity: capacity)
        ends = .allocate(capacity: capacity)
        values = .allocate(capacity: capacity)
        creations = .allocate(capacity: capacity)
        units = .allocate(capacity: capacity)
        revisions = .allocate(capacity: capacity)
        devices = .allocate(capacity: capacity)
        metadata = .allocate(capacity: capacity)
    }

    /// The number of metadata dictionaries in the batch for this type.
    var metadataCount: Int { metadataTable.count }

    @inline(__always)
    mutating func append(
        start: Double, end: Double, value: Double, unit: UInt32, revision: UInt32, device: UInt32,
        metadata number: UInt32, creation: Double
    ) {
        if count == capacity { grow() }
        starts[count] = start
        ends[count] = end
        values[count] = value
        creations[count] = creation
        units[count] = unit
        revisions[count] = revision
        devices[count] = device
        metadata[count] = number
        if number != 0 { hasMetadata = true }
        if !creation.isNaN { hasCreations = true }
        count += 1
    }

    /// Returns the number of a metadata dictionary in this batch; 0 for an empty one.
    mutating func number(of metadata: Metadata) -> UInt32 {
        metadataInterner.number(of: metadata, in: &metadataTable)
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
        if spans.count < Self.spansKept {
            spans.append(span)
        } else {
            spans[nextSpan].bytes.deallocate()
            spans[nextSpan] = span
            nextSpan = (nextSpan + 1) % Self.spansKept
        }
    }

    /// Returns the columns and starts over.
    mutating func take() -> SampleColumns {
        var columns = SampleColumns(type: type)
        columns.starts = Array(UnsafeBufferPointer(start: starts, count: count))
        columns.ends = Array(UnsafeBufferPointer(start: ends, count: count))
        columns.values = Array(UnsafeBufferPointer(start: values, count: count))
        columns.units = Array(UnsafeBufferPointer(start: units, count: count))
        columns.revisions = Array(UnsafeBufferPointer(start: revisions, count: count))
        columns.devices = Array(UnsafeBufferPointer(start: devices, count: count))
        columns.metadata.numbers =
            hasMetadata
            ? Array(UnsafeBufferPointer(start: metadata, count: count)) : [UInt32](repeating: 0, count: count)
        columns.metadata.table = metadataTable
        if hasCreations { columns.creations.entries = Array(UnsafeBufferPointer(start: creations, count: count)) }
        formerCount = count
        count = 0
        hasMetadata = false
        hasCreations = false
        metadataTable = []
        metadataInterner = MetadataInterner(limit: Self.numbersKept)
        forgetSpans()
        return columns
    }

    /// Releases memory that the previous batch did not need. The builder must be empty.
    mutating func shrink() {
        let needed = max(formerCount, Self.firstCapacity)
        formerCount = 0
        guard count == 0, capacity / 4 > needed else { return }
        resize(to: needed)
    }

    mutating func deallocate() {
        forgetSpans()
        starts.deallocate()
        ends.deallocate()
        values.deallocate()
        creations.deallocate()
        units.deallocate()
        revisions.deallocate()
        devices.deallocate()
        metadata.deallocate()
    }

    private mutating func forgetSpans() {
        for span in spans { span.bytes.deallocate() }
        spans = []
        nextSpan = 0
    }

    private mutating func grow() {
        resize(to: capacity * 2)
    }

    private mutating func resize(to capacity: Int) {
        Self.move(&starts, count, capacity)
        Self.move(&ends, count, capacity)
        Self.move(&values, count, capacity)
        Self.move(&creations, count, capacity)
        Self.move(&units, count, capacity)
        Self.move(&revisions, count, capacity)
        Self.move(&devices, count, capacity)
        Self.move(&metadata, count, capacity)
        self.capacity = capacity
    }

    private static func move<Element>(
        _ column: inout UnsafeMutablePointer<Element>, _ count: Int, _ capacity: Int
    ) {
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        moved.moveInitialize(from: column, count: count)
        column.deallocate()
        column = moved
    }
}
