package import HealthModel
import HealthPages
import HealthStorage

// The unit in which a person's quantities of a type are shown, by every program.
extension HealthEngine {
    /// Returns the units in which quantities of types are shown, in the order of the types.
    ///
    /// The unit of a type is the person's choice; else the usual one of the region of the imported archives, or of the
    /// application, or of all regions; else the one in which most of the samples were written, of a type that the caller
    /// may read, unless it is the type's own and people of no region use it; else the usual one of the region of the
    /// environment; else the type's own.
    ///
    /// - Parameter locale: The identifier of the application's locale, if it chose one.
    package func displayUnits(
        of types: [TypeDescription], as caller: Caller, locale: String? = nil
    ) throws -> [String] {
        try storage.read { try displayUnits(of: types, as: caller, locale: locale, in: $0) }
    }

    /// Returns the unit in which quantities of a type are shown, as ``displayUnits(of:as:locale:)`` does.
    package func displayUnit(
        of type: TypeDescription, as caller: Caller, locale: String? = nil
    ) throws -> String {
        try displayUnits(of: [type], as: caller, locale: locale)[0]
    }

    /// Returns the units of the quantities in samples, correlations and workouts, by type.
    package func displayUnits(inSamplesOf types: [TypeDescription], as caller: Caller) throws -> [TypeCode: String] {
        let dictionaries = try dictionaries()
        let totals = ["ActiveEnergyBurned", "DistanceWalkingRunning"].map { "HKQuantityTypeIdentifier\($0)" }
        let all =
            types + types.flatMap { CorrelationMembers.types(of: $0.code) ?? [] }.compactMap(dictionaries.type)
            + (types.contains { $0.kind == .workout } ? totals.compactMap(dictionaries.type(identifier:)) : [])
        let quantities = all.filter { $0.kind == .quantity && $0.canonicalUnit != nil }
        return Dictionary(zip(quantities.map(\.code), try displayUnits(of: quantities, as: caller))) { first, _ in first
        }
    }

    func displayUnits(
        of types: [TypeDescription], as caller: Caller, locale: String? = nil, in snapshot: any StorageSnapshot
    ) throws -> [String] {
        let chosen = try profile.preferredUnits(in: snapshot)
        let archive = try imports.metadata(ImportHistory.localeKey, in: snapshot)
        let region = (archive ?? "").region ?? (locale ?? "").region
        let dictionaries = try dictionaries(in: snapshot)
        return try types.map { type in
            let canonical = type.canonicalUnit ?? "count"
            func compatible(_ unit: String) -> String? {
                if unit == canonical { return unit }
                guard UnitConversion(between: canonical, and: unit) != nil else { return nil }
                return (try? UnitExpression(parsing: unit))?.string
            }
            if let unit = chosen[type.identifier].flatMap(compatible) { return unit }
            let usual = region?.unit(of: type.identifier) ?? UnitRegion.unitEverywhere(of: type.identifier)
            if let unit = usual.flatMap(compatible) { return unit }
            // Devices and programs write meters and meters per second, whatever the person measures in.
            if let unit = try writtenUnit(of: type, as: caller, dictionaries, in: snapshot).flatMap(compatible),
                unit != canonical || UnitRegion.isCustomary(unit, of: type.identifier)
            {
                return unit
            }
            return (region ?? .environment).unit(of: type.identifier).flatMap(compatible) ?? canonical
        }
    }

    /// Returns the unit of a type's quantities in tables, as samples or the person spell it: the person's choice; else the
    /// one in which most samples were written; else the one in which they are shown.
    func tableUnit(
        of type: TypeDescription, as caller: Caller, _ dictionaries: StoreDictionaries,
        in snapshot: any StorageSnapshot
    ) throws -> String? {
        guard type.kind == .quantity, let canonical = type.canonicalUnit else { return nil }
        func compatible(_ unit: String) -> String? {
            unit == canonical || UnitConversion(between: canonical, and: unit) != nil ? unit : nil
        }
        if let unit = try profile.preferredUnits(in: snapshot)[type.identifier].flatMap(compatible) { return unit }
        if let unit = try writtenUnit(of: type, as: caller, dictionaries, in: snapshot).flatMap(compatible) {
            return unit
        }
        return try displayUnits(of: [type], as: caller, in: snapshot)[0]
    }

    /// The unit of most samples of a type; `nil` if there are none or the caller may not read them all.
    private func writtenUnit(
        of type: TypeDescription, as caller: Caller, _ dictionaries: StoreDictionaries,
        in snapshot: any StorageSnapshot
    ) throws -> String? {
        // Nothing else is written for a type that counts.
        guard type.kind == .quantity, let canonical = type.canonicalUnit, canonical != "count",
            (try? checkRead(type.code, as: caller, in: snapshot)) == .everything
        else { return nil }
        // With one unit in the store that fits, the first page suffices.
        let isOne = dictionaries.units.count { UnitConversion(between: canonical, and: $0) != nil } < 2
        var counts: [UInt32: Int] = [:]
        try snapshot.visitPages(of: type.code, in: .all, bodies: false) { view in
            let header = try PageHeader(of: view)
            if header.units.count == 1 {
                counts[header.units[0], default: 0] += header.count
            } else if let body = try snapshot.pageBody(view.key) {
                let rows = try body.withUnsafeBytes { try PageReader(header: header, body: $0).read(.units) }
                for unit in rows.units { counts[unit, default: 0] += 1 }
            }
            return !isOne
        }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { dictionaries.unit($0.key) }
    }
}

extension String {
    /// The region of a locale's identifier.
    fileprivate var region: UnitRegion? { UnitRegion(localeIdentifier: self) }
}

/// The unit of a type's quantities in tables, where a column of numbers needs one.
package struct TableUnit: Sendable {
    /// The unit, as most samples have it.
    package let unit: String
    /// Its number in the dictionaries; 0 if no sample has it.
    package let number: UInt32
    /// The conversions from the other units, by number.
    private let conversions: [UInt32: UnitConversion]

    init(_ unit: String, _ dictionaries: StoreDictionaries) {
        self.unit = unit
        var (number, conversions) = (UInt32(0), [UInt32: UnitConversion]())
        for (index, other) in dictionaries.units.enumerated() {
            if other == unit {
                number = UInt32(index + 1)
            } else if let conversion = UnitConversion(between: other, and: unit) {
                conversions[UInt32(index + 1)] = conversion
            }
        }
        (self.number, self.conversions) = (number, conversions)
    }

    /// How a value is converted that was written in another unit, by the number of that; `nil` for one that is written as
    /// it is, with its unit.
    package func conversion(from number: UInt32) -> UnitConversion? {
        number == self.number ? nil : conversions[number]
    }

    /// The same for a unit by its name.
    package func conversion(from written: String) -> UnitConversion? {
        written == unit ? nil : UnitConversion(between: written, and: unit)
    }
}

extension StoreReader {
    /// The unit of a type's quantities in tables; `nil` for other types, and for those whose units are unknown.
    ///
    /// It is the one that the person chose; else the one in which most samples were written, whose values stay exactly as
    /// they are; else the one in which they are shown.
    package func tableUnit(of type: TypeDescription) throws -> TableUnit? {
        try engine.tableUnit(of: type, as: caller, dictionaries, in: snapshot).map { TableUnit($0, dictionaries) }
    }
}
