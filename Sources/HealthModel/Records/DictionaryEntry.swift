/// An entry of a store's dictionaries: what is stored once and then referred to by its number.
package enum DictionaryEntry: Hashable, Sendable {
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

    /// Returns the number of an entry, which is added, a revision along with its source, if it is new.
    @discardableResult
    package mutating func intern(_ entry: DictionaryEntry) -> UInt32 {
        if let known = number(of: entry) { return known }
        if case .revision(let revision) = entry { intern(.source(revision.source)) }
        let number = dictionaries.append(entry)
        numbers[entry] = number
        return number
    }
}
