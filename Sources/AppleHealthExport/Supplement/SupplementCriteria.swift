import HealthEngine
import HealthModel

/// Decides whether an archive can hold content completely, so that reading it gives the same again, or whether it
/// needs a line of the supplement. Caches sources and devices; use it on one thread at a time.
struct SupplementCriteria {
    private struct Origin: Hashable {
        var revision: SourceRevisionRecord?
        var device: DeviceRecord?
    }

    private var origins: [Origin: Bool] = [:]
    private var pairs: [UInt64: Bool] = [:]
    private var plainMetadata: Set<Metadata> = []
    private let dictionaries: StoreDictionaries

    private static let maximumCachedMetadata = 4_096

    init(dictionaries: StoreDictionaries) {
        self.dictionaries = dictionaries
    }

    /// Whether these rows of a page can be read back unchanged: instants in whole seconds, sources, devices and
    /// metadata that an archive can hold, and no UUIDs of their own.
    mutating func isPlain(_ page: SampleColumns, _ rows: Range<Int>) -> Bool {
        guard page.uuids.isEmpty || rows.allSatisfy({ page.uuids[$0] == nil }) else { return false }
        guard Self.areWhole(page.starts[rows]), Self.areWhole(page.ends[rows]) else { return false }
        guard page.creations.isEmpty || page.creations.entries[rows].allSatisfy({ $0.isNaN || Self.isWhole($0) }) else {
            return false
        }
        // Two sources often alternate.
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
        return page.metadata.table.allSatisfy { isPlainCached($0) }
    }

    /// Whether an archive can hold the source, device, instants and metadata of an object.
    mutating func isPlain(_ object: ObjectRecord) -> Bool {
        Self.isWhole(object.start) && Self.isWhole(object.end) && object.creation.map(Self.isWhole) ?? true
            && isPlain(object.revision, object.device) && Self.isPlain(object.metadata)
    }

    /// Whether an archive can hold the source, device, instants and metadata of a sample.
    mutating func isPlain(_ sample: SampleRecord) -> Bool {
        Self.isWhole(sample.start) && Self.isWhole(sample.end) && sample.creation.map(Self.isWhole) ?? true
            && isPlain(sample.revision, sample.device) && Self.isPlain(sample.metadata)
    }

    /// Whether metadata can be read back unchanged.
    static func isPlain(_ metadata: Metadata) -> Bool {
        metadata.entries.allSatisfy { entry in
            // Keys in which an import keeps unknown content can be read back, those of quantity series cannot.
            if entry.key.hasPrefix("_") { return !entry.key.hasPrefix(MetadataKey.seriesPrefix) }
            let text = MetadataValueText.text(entry)
            return MarkupText.canWrite(entry.key) && MarkupText.canWrite(text)
                && MetadataText.parse(key: entry.key, text: text) == entry
        }
    }

    /// Like ``isPlain(_:)``, with a cache: metadata is mostly repeated.
    private mutating func isPlainCached(_ metadata: Metadata) -> Bool {
        if plainMetadata.contains(metadata) { return true }
        guard Self.isPlain(metadata) else { return false }
        if plainMetadata.count >= Self.maximumCachedMetadata { plainMetadata.removeAll(keepingCapacity: true) }
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
        let isPlain = Self.isPlain(origin)
        origins[origin] = isPlain
        return isPlain
    }

    private static func isPlain(_ origin: Origin) -> Bool {
        // Summaries and prescriptions of an institution have no source.
        guard let revision = origin.revision else { return origin.device == nil }
        let text = origin.device.map { DeviceTextWriter.text($0) }
        guard MarkupText.canWrite(revision.source.name), MarkupText.canWrite(revision.version ?? ""),
            MarkupText.canWrite(text ?? "")
        else { return false }
        let device = text.flatMap(DeviceText.parse)
        return device == origin.device
            && SourceText.revision(name: revision.source.name, version: revision.version, device: device) == revision
    }

    /// Whether all instants are in whole seconds and can be written.
    private static func areWhole(_ instants: ArraySlice<Double>) -> Bool {
        instants.withUnsafeBufferPointer { instants in
            var (minimum, maximum, areWhole) = (Double.infinity, -Double.infinity, true)
            for instant in instants {
                // Adding and subtracting the shift rounds to a whole number, without branches, so this vectorizes.
                areWhole = areWhole && (instant + wholeShift) - wholeShift == instant
                minimum = min(minimum, instant)
                maximum = max(maximum, instant)
            }
            return areWhole && (instants.isEmpty || DateStamp.canWrite(minimum) && DateStamp.canWrite(maximum))
        }
    }

    @inline(__always)
    private static func isWhole(_ instant: Double) -> Bool {
        (instant + wholeShift) - wholeShift == instant && DateStamp.canWrite(instant)
    }

    /// 2^52 + 2^51: numbers of this size have no fraction. Instants that can be written are far smaller.
    private static let wholeShift = 6_755_399_441_055_744.0
}
