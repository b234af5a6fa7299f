public import HealthModel

/// An entry of a store's dictionaries: what is stored once and then referred to by its number.
public enum DictionaryEntry: Hashable, Sendable {
    /// A source.
    case source(SourceRecord)
    /// A source revision.
    case revision(SourceRevisionRecord)
    /// A device.
    case device(DeviceRecord)
    /// A unit string that is not empty.
    case unit(String)
    /// A type that is not in the catalog. Its identifier alone distinguishes it.
    case type(identifier: String, kind: TypeKind)
}

extension StorageTransaction {
    /// The number of a source, which is added if it is new.
    public func intern(_ source: SourceRecord) throws -> UInt32 { try intern(.source(source)) }

    /// The number of a source revision, which is added, along with its source, if it is new.
    public func intern(_ revision: SourceRevisionRecord) throws -> UInt32 { try intern(.revision(revision)) }

    /// The number of a device, which is added if it is new.
    public func intern(_ device: DeviceRecord) throws -> UInt32 { try intern(.device(device)) }

    /// The number of a unit string; 0 for the empty string.
    public func intern(unit: String) throws -> UInt32 { unit.isEmpty ? 0 : try intern(.unit(unit)) }

    /// The code of a type. If neither the catalog nor this store contains the identifier, the type is added with a
    /// code from `TypeCode.firstUnknown` upwards.
    public func intern(typeIdentifier: String, kind: TypeKind) throws -> TypeCode {
        if let known = TypeCatalog.description(for: typeIdentifier) { return known.code }
        return TypeCode(rawValue: try intern(.type(identifier: typeIdentifier, kind: kind)))
    }
}

extension StoreDictionaries {
    /// Appends an entry that is new, and returns its number. The source of a revision must have been appended before.
    @discardableResult
    package mutating func append(_ entry: DictionaryEntry) -> UInt32 {
        switch entry {
        case .source(let source):
            sources.append(source)
            return UInt32(sources.count)
        case .revision(let revision):
            revisions.append(revision)
            return UInt32(revisions.count)
        case .device(let device):
            devices.append(device)
            return UInt32(devices.count)
        case .unit(let unit):
            units.append(unit)
            return UInt32(units.count)
        case .type(let identifier, let kind):
            let code = TypeCode(rawValue: TypeCode.firstUnknown.rawValue + UInt32(types.count))
            types.append(TypeDescription(code: code, identifier: identifier, kind: kind))
            return code.rawValue
        }
    }
}

/// Dictionaries with the numbers of their entries, for backends that have them in memory.
package struct IndexedDictionaries: Sendable {
    package private(set) var dictionaries: StoreDictionaries
    /// The numbers of all entries but types.
    private var numbers: [DictionaryEntry: UInt32] = [:]

    package init(_ dictionaries: StoreDictionaries = StoreDictionaries()) {
        self.dictionaries = dictionaries
        for (entry, number) in zip(dictionaries.sources, UInt32(1)...) { numbers[.source(entry)] = number }
        for (entry, number) in zip(dictionaries.revisions, UInt32(1)...) { numbers[.revision(entry)] = number }
        for (entry, number) in zip(dictionaries.devices, UInt32(1)...) { numbers[.device(entry)] = number }
        for (entry, number) in zip(dictionaries.units, UInt32(1)...) { numbers[.unit(entry)] = number }
    }

    /// The number of an entry; `nil` if there is no such entry.
    package func number(of entry: DictionaryEntry) -> UInt32? {
        guard case .type(let identifier, _) = entry else { return numbers[entry] }
        return dictionaries.types.first { $0.identifier == identifier }?.code.rawValue
    }

    /// Appends an entry that is new, and returns its number.
    @discardableResult
    package mutating func append(_ entry: DictionaryEntry) -> UInt32 {
        let number = dictionaries.append(entry)
        numbers[entry] = number
        return number
    }
}
