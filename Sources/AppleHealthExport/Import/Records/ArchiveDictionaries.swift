import HealthFiles
import HealthModel

/// The sources, devices and units read so far, numbered as in ``BulkBatch/dictionaries``. The bytes of attributes are
/// numbered first, so that repeated text is decoded and parsed only once.
struct ArchiveDictionaries: ~Copyable {
    /// The source and device of a record.
    struct Origin {
        var revision: UInt32
        var device: UInt32
    }

    private struct Key: Hashable {
        var name: Int
        var version: Int
        var device: Int
    }

    private var names = ByteInterner()
    private var versions = ByteInterner()
    private var deviceTexts = ByteInterner()
    private var unitTexts = ByteInterner()
    private var origins: [Key: Origin] = [:]
    private var unitNumbers: [UInt32] = []
    /// The numbered entries. Types are added by ``TypeTable``.
    private var index = IndexedDictionaries()

    var dictionaries: StoreDictionaries { index.dictionaries }

    init() {}

    /// Returns the origin that a record's raw attributes describe.
    mutating func origin(
        _ base: UnsafePointer<UInt8>, name: ByteRange, version: ByteRange, device: ByteRange
    ) -> Origin {
        let key = Key(
            name: name.exists ? names.intern(name.bytes(in: base)).number : -1,
            version: version.exists ? versions.intern(version.bytes(in: base)).number : -1,
            device: device.exists ? deviceTexts.intern(DeviceAddress.skip(device, base).bytes(in: base)).number : -1)
        if let origin = origins[key] { return origin }
        let device = device.exists ? DeviceText.parse(AttributeText.decode(device.bytes(in: base))) : nil
        let revision = SourceText.revision(
            name: name.exists ? AttributeText.decode(name.bytes(in: base)) : SourceText.unknown,
            version: version.exists ? AttributeText.decode(version.bytes(in: base)) : nil, device: device)
        let origin = Origin(
            revision: index.intern(.revision(revision)), device: device.map { index.intern(.device($0)) } ?? 0)
        origins[key] = origin
        return origin
    }

    /// Returns the number of a unit given as raw bytes.
    mutating func unit(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let (number, isNew) = unitTexts.intern(bytes)
        if isNew { unitNumbers.append(unit(AttributeText.decode(bytes))) }
        return unitNumbers[number]
    }

    /// Returns the number of a unit string; 0 for an empty string.
    mutating func unit(_ string: String) -> UInt32 {
        string.isEmpty ? 0 : index.intern(.unit(string))
    }
}
