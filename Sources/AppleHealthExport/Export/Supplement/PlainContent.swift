import HealthEngine
import HealthModel

/// Tells what an archive says in full from what needs a line of the supplement: whether reading what is
/// written gives the same again. Remembers sources and devices. Used by one thread at a time.
struct PlainContent {
    private struct Origin: Hashable {
        var revision: SourceRevisionRecord?
        var device: DeviceRecord?
    }

    private var origins: [Origin: Bool] = [:]
    private var pairs: [UInt64: Bool] = [:]
    private var plainMetadata: Set<Metadata> = []
    private let dictionaries: StoreDictionaries

    private static let metadataKept = 4_096

    init(dictionaries: StoreDictionaries) {
        self.dictionaries = dictionaries
    }

    /// Whether these rows of a page come back as they are: instants of whole seconds, sources, devices and
    /// metadata that an archive can tell, and no identity of their own.
    mutating func isPlain(_ page: SampleColumns, _ rows: Range<Int>) -> Bool {
        guard page.uuids.isEmpty || rows.allSatisfy({ page.uuids[$0] == nil }) else { return false }
        guard Self.areWhole(page.starts[rows]), Self.areWhole(page.ends[rows]) else { return false }
        guard page.creations.isEmpty || page.creations[rows].allSatisfy({ $0.isNaN || Self.isWhole($0) }) else {
            return false
        }
        // Two sources mostly take turns.
        var (last, before): ((UInt32, UInt32), (UInt32, UInt32)) = ((.max, .max), (.max, .max))
        for row in rows where page.revisions[row] != last.0 || page.devices[row] != last.1 {
            let next = (page.revisions[row], page.devices[row])
            if next == before {
                (last, before) = (before, last)
                continue
            }
            (last, before) = (next, last)
            guard isPlain(revision: next.0, device: next.1) else { return false }
        }
        return page.metadataTable.allSatisfy { isPlainOnce($0) }
    }

    /// Whether an archive tells the source and the device of an object, its instants and its metadata.
    mutating func isPlain(_ object: ObjectRecord) -> Bool {
        Self.isWhole(object.start) && Self.isWhole(object.end) && object.creation.map(Self.isWhole) ?? true
            && isPlain(object.revision, object.device) && Self.isPlain(object.metadata)
    }

    /// The same of a sample.
    mutating func isPlain(_ sample: SampleRecord) -> Bool {
        Self.isWhole(sample.start) && Self.isWhole(sample.end) && sample.creation.map(Self.isWhole) ?? true
            && isPlain(sample.revision, sample.device) && Self.isPlain(sample.metadata)
    }

    /// Whether metadata are read as they are written.
    static func isPlain(_ metadata: Metadata) -> Bool {
        metadata.entries.allSatisfy { entry in
            // What an import keeps under keys of its own comes back; what a series is made of does not.
            if entry.key.hasPrefix("_") { return !entry.key.hasPrefix(MetadataKey.seriesPrefix) }
            let text = MetadataValueWriter.text(entry)
            return MarkupText.holds(entry.key) && MarkupText.holds(text)
                && MetadataText.parse(key: entry.key, text: text) == entry
        }
    }

    /// Metadata mostly say what they said before.
    private mutating func isPlainOnce(_ metadata: Metadata) -> Bool {
        if plainMetadata.contains(metadata) { return true }
        guard Self.isPlain(metadata) else { return false }
        if plainMetadata.count >= Self.metadataKept { plainMetadata.removeAll(keepingCapacity: true) }
        plainMetadata.insert(metadata)
        return true
    }

    private mutating func isPlain(revision: UInt32, device: UInt32) -> Bool {
        let pair = UInt64(revision) << 32 | UInt64(device)
        if let known = pairs[pair] { return known }
        let isPlain = isPlain(dictionaries.revision(revision), dictionaries.device(device))
        pairs[pair] = isPlain
        return isPlain
    }

    private mutating func isPlain(_ revision: SourceRevisionRecord?, _ device: DeviceRecord?) -> Bool {
        let origin = Origin(revision: revision, device: device)
        if let known = origins[origin] { return known }
        let isPlain = Self.reads(origin)
        origins[origin] = isPlain
        return isPlain
    }

    private static func reads(_ origin: Origin) -> Bool {
        // Summaries and an institution's prescriptions name nobody.
        guard let revision = origin.revision else { return origin.device == nil }
        let text = origin.device.map { DeviceTextWriter.text($0) }
        guard MarkupText.holds(revision.source.name), MarkupText.holds(revision.version ?? ""),
            MarkupText.holds(text ?? "")
        else { return false }
        let device = text.flatMap(DeviceText.parse)
        return device == origin.device
            && SourceText.revision(name: revision.source.name, version: revision.version, device: device) == revision
    }

    /// Whether all instants are of whole seconds and can be written.
    private static func areWhole(_ instants: ArraySlice<Double>) -> Bool {
        instants.withUnsafeBufferPointer { instants in
            var (least, greatest, areWhole) = (Double.infinity, -Double.infinity, true)
            for instant in instants {
                // Added and taken away again, this leaves a whole number; no branches, so several at a time.
                areWhole = areWhole && (instant + wholeShift) - wholeShift == instant
                least = min(least, instant)
                greatest = max(greatest, instant)
            }
            return areWhole && (instants.isEmpty || DateStamp.holds(least) && DateStamp.holds(greatest))
        }
    }

    @inline(__always)
    private static func isWhole(_ instant: Double) -> Bool {
        (instant + wholeShift) - wholeShift == instant && DateStamp.holds(instant)
    }

    /// 2^52 + 2^51: numbers of this size have no fractions. Instants that can be written are far smaller.
    private static let wholeShift = 6_755_399_441_055_744.0
}
