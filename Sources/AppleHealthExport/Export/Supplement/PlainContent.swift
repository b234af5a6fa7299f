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
    private let dictionaries: StoreDictionaries

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
        var last: (UInt32, UInt32) = (.max, .max)
        for row in rows where page.revisions[row] != last.0 || page.devices[row] != last.1 {
            last = (page.revisions[row], page.devices[row])
            guard isPlain(revision: last.0, device: last.1) else { return false }
        }
        return page.metadataTable.allSatisfy(Self.isPlain)
    }

    /// Whether an archive tells the source and the device of an object, its instants and its metadata.
    mutating func isPlain(_ object: ObjectRecord) -> Bool {
        Self.isWhole(object.start) && Self.isWhole(object.end) && object.creation.map(Self.isWhole) ?? true
            && isPlain(object.revision, object.device) && Self.isPlain(object.metadata)
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

    private static func areWhole(_ instants: ArraySlice<Double>) -> Bool {
        instants.allSatisfy(isWhole)
    }

    @inline(__always)
    private static func isWhole(_ instant: Double) -> Bool {
        instant == instant.rounded(.down) && DateStamp.holds(instant)
    }
}
