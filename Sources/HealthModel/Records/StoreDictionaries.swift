/// The dictionaries of a store. Entries are numbered from 1; 0 means none. They are only ever appended to.
package struct StoreDictionaries: Sendable {
    /// The sources of all revisions.
    package var sources: [SourceRecord] = []
    /// Source revisions by the numbers that pages contain.
    package var revisions: [SourceRevisionRecord] = []
    /// Devices by the numbers that pages contain.
    package var devices: [DeviceRecord] = []
    /// Unit strings by the numbers that pages contain.
    package var units: [String] = []
    /// The types in this store that are not in the catalog, with their assigned codes.
    package var types: [TypeDescription] = []

    /// Creates the empty dictionaries of a new store.
    package init() {}

    /// The revision with a number, or `nil` for 0 and for numbers this copy does not contain yet.
    package func revision(_ id: UInt32) -> SourceRevisionRecord? {
        id > 0 && id <= revisions.count ? revisions[Int(id) - 1] : nil
    }

    /// The device with a number, or `nil` for 0 and for numbers this copy does not contain yet.
    package func device(_ id: UInt32) -> DeviceRecord? {
        id > 0 && id <= devices.count ? devices[Int(id) - 1] : nil
    }

    /// The unit string with a number, or the empty string for 0 and unknown numbers.
    package func unit(_ id: UInt32) -> String {
        id > 0 && id <= units.count ? units[Int(id) - 1] : ""
    }

    /// The type with a code, from the catalog or from this store.
    package func type(_ code: TypeCode) -> TypeDescription? {
        TypeCatalog.description(for: code) ?? ownType(code)
    }

    /// The type with a code that is not in the catalog. Codes are assigned consecutively, which gives the type's
    /// place; a batch of an import may list its types in another order.
    package func ownType(_ code: TypeCode) -> TypeDescription? {
        let place = Int(code.rawValue) - Int(TypeCode.firstUnknown.rawValue)
        if types.indices.contains(place), types[place].code == code { return types[place] }
        return types.first { $0.code == code }
    }

    /// The type with an identifier, from the catalog or from this store.
    package func type(identifier: String) -> TypeDescription? {
        TypeCatalog.description(for: identifier) ?? types.first { $0.identifier == identifier }
    }

    /// The code of the catalog for a type that the store added before the catalog had it; any other code itself.
    package func catalogCode(of code: TypeCode) -> TypeCode {
        ownType(code)?.catalogType?.code ?? code
    }
}

extension TypeDescription {
    /// The type of the catalog for a type of a store's own table, added before the catalog had it: the one with its
    /// identifier, if it is of the same kind. The store appends `#` and the kind to an identifier that it has in two kinds.
    package var catalogType: TypeDescription? {
        guard code >= .firstUnknown else { return nil }
        let suffix = "#\(kind)"
        let plain = identifier.hasSuffix(suffix) ? String(identifier.dropLast(suffix.count)) : identifier
        return TypeCatalog.description(for: plain).flatMap { $0.kind == kind ? $0 : nil }
    }
}
