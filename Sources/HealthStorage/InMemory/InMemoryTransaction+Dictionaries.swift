import HealthModel

extension InMemoryTransaction {
    func intern(_ source: SourceRecord) throws -> UInt32 {
        if let number = state.numbers.sources[source] { return number }
        state.dictionaries.sources.append(source)
        let number = UInt32(state.dictionaries.sources.count)
        state.numbers.sources[source] = number
        return number
    }

    func intern(_ revision: SourceRevisionRecord) throws -> UInt32 {
        if let number = state.numbers.revisions[revision] { return number }
        _ = try intern(revision.source)
        state.dictionaries.revisions.append(revision)
        let number = UInt32(state.dictionaries.revisions.count)
        state.numbers.revisions[revision] = number
        return number
    }

    func intern(_ device: DeviceRecord) throws -> UInt32 {
        if let number = state.numbers.devices[device] { return number }
        state.dictionaries.devices.append(device)
        let number = UInt32(state.dictionaries.devices.count)
        state.numbers.devices[device] = number
        return number
    }

    func intern(unit: String) throws -> UInt32 {
        guard !unit.isEmpty else { return 0 }
        if let number = state.numbers.units[unit] { return number }
        state.dictionaries.units.append(unit)
        let number = UInt32(state.dictionaries.units.count)
        state.numbers.units[unit] = number
        return number
    }

    func intern(typeIdentifier: String, kind: TypeKind) throws -> TypeCode {
        if let known = TypeCatalog.description(for: typeIdentifier) { return known.code }
        if let code = state.numbers.types[typeIdentifier] { return code }
        let code = TypeCode(
            rawValue: TypeCode.firstUnknown.rawValue + UInt32(state.dictionaries.types.count))
        state.dictionaries.types.append(
            TypeDescription(code: code, identifier: typeIdentifier, kind: kind))
        state.numbers.types[typeIdentifier] = code
        return code
    }
}
