import Foundation
public import HealthModel

extension PageReader {
    /// Appends the columns asked for to what is there, as rows behind the last.
    ///
    /// Metadata numbers are made to point into the longer table. UUIDs and creation dates stay empty as
    /// long as no page has any; the first page with some fills up the rows before it, so the number of
    /// rows must be told by one of the other columns: ask for them together with sequences.
    public func append(_ columns: SampleColumnSet, to target: inout SampleColumns) throws(PageError) {
        let count = header.count
        let before = max(
            target.count, target.units.count, target.devices.count, target.metadata.count,
            target.uuids.count, target.creations.count)
        let hasCreations = columns.contains(.creations) && (header.hasCreations || !target.creations.isEmpty)
        if hasCreations, target.creations.count < before {
            target.creations += repeatElement(.nan, count: before - target.creations.count)
        }
        if columns.contains(.uuids), header.hasGivenUUIDs || !target.uuids.isEmpty {
            if target.uuids.count < before {
                target.uuids += repeatElement(nil, count: before - target.uuids.count)
            }
            if isAbsent(.uuids) {
                target.uuids += repeatElement(nil, count: count)
            } else {
                var reader = reader(.uuids)
                try IdentityColumnReader.append(&reader, count: count, to: &target.uuids)
            }
        }
        if columns.contains(.metadata) {
            if isAbsent(.metadata) {
                target.metadata += repeatElement(0, count: count)
            } else {
                let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: count)
                defer { scratch.deallocate() }
                var reader = reader(.metadata)
                try MetadataColumnReader.append(&reader, count: count, scratch: scratch, to: &target)
            }
        }
        let starts = Target<Double>(count, wanted: columns.contains(.starts))
        let ends = Target<Double>(count, wanted: columns.contains(.ends))
        let values = Target<Double>(count, wanted: columns.contains(.values))
        let units = Target<UInt32>(count, wanted: columns.contains(.units))
        let revisions = Target<UInt32>(count, wanted: columns.contains(.revisions))
        let devices = Target<UInt32>(count, wanted: columns.contains(.devices))
        let sequences = Target<Int64>(count, wanted: columns.contains(.sequences))
        let creations = Target<Double>(count, wanted: hasCreations)
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
        creations.append(to: &target.creations)
    }

    /// Memory for one decoded column, or none for a column nobody asked for.
    private struct Target<Element: BitwiseCopyable> {
        let pointer: UnsafeMutablePointer<Element>?
        private let count: Int

        init(_ count: Int, wanted: Bool) {
            self.count = count
            pointer = wanted ? .allocate(capacity: count) : nil
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
