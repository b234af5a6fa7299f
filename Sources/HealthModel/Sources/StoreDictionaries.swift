/// A store's interned nouns. Numbers count from 1; 0 means none. Entries are only ever appended.
public struct StoreDictionaries: Sendable {
    /// Sources, those of the revisions.
    public var sources: [SourceRecord] = []
    /// Source revisions, by the numbers pages carry.
    public var revisions: [SourceRevisionRecord] = []
    /// Devices, by the numbers pages carry.
    public var devices: [DeviceRecord] = []
    /// Unit strings, by the numbers pages carry.
    public var units: [String] = []
    /// Types outside the catalog that this store has met, with the code each was given.
    public var types: [TypeDescription] = []

    /// Makes empty tables, those of a new store.
    public init() {}

    /// The revision with number `id`, or `nil` for 0 and for numbers this copy does not know yet.
    public func revision(_ id: UInt32) -> SourceRevisionRecord? {
        id > 0 && id <= revisions.count ? revisions[Int(id) - 1] : nil
    }

    /// The device with number `id`, or `nil` for 0 and for numbers this copy does not know yet.
    public func device(_ id: UInt32) -> DeviceRecord? {
        id > 0 && id <= devices.count ? devices[Int(id) - 1] : nil
    }

    /// The unit string with number `id`, or the empty string for 0 and unknown numbers.
    public func unit(_ id: UInt32) -> String {
        id > 0 && id <= units.count ? units[Int(id) - 1] : ""
    }

    /// The type with this code, from the catalog or from this store.
    public func type(_ code: TypeCode) -> TypeDescription? {
        TypeCatalog.description(for: code) ?? types.first { $0.code == code }
    }

    /// The type with this identifier, from the catalog or from this store.
    public func type(identifier: String) -> TypeDescription? {
        TypeCatalog.description(for: identifier) ?? types.first { $0.identifier == identifier }
    }
}
