package import HealthModel
import Synchronization

extension HKUnit {
    /// Units that exist once: those of one symbol, and those made from strings.
    private struct Shared {
        var atoms: [UnitAtom: HKUnit] = [:]
        var parsed: [String: HKUnit] = [:]

        mutating func unit(_ atom: UnitAtom) -> HKUnit {
            if let known = atoms[atom] { return known }
            let unit = HKUnit(unshared: UnitExpression(atom))
            if atoms.count < greatestCount { atoms[atom] = unit }
            return unit
        }
    }

    private static let shared = Mutex(Shared())

    /// Molar masses and strings are endless; past this many, new ones are made afresh.
    private static let greatestCount = 4096

    /// The unit of one symbol, always the same object.
    static func atom(_ kind: UnitKind, _ prefix: HKMetricPrefix = .none, molarMass: Double = 0) -> HKUnit {
        let atom = UnitAtom(kind, prefix: prefix.unitPrefix, molarMass: molarMass)
        return shared.withLock { $0.unit(atom) }
    }

    /// The unit for an expression, the shared object when it has one symbol.
    package static func make(_ expression: UnitExpression) -> HKUnit {
        guard let only = expression.factors.first, expression.factors.count == 1, only.exponent == 1 else {
            return HKUnit(unshared: expression)
        }
        return shared.withLock { $0.unit(only.atom) }
    }

    /// The unit a string names.
    ///
    /// - Throws: `UnitParsingError` where ``init(from:)-(String)`` ends the process.
    package static func validated(_ string: String) throws(UnitParsingError) -> HKUnit {
        if let known = shared.withLock({ $0.parsed[string] }) { return known }
        let unit = make(try UnitExpression(parsing: string))
        return shared.withLock { shared in
            if let known = shared.parsed[string] { return known }
            if shared.parsed.count < greatestCount { shared.parsed[string] = unit }
            return unit
        }
    }

    /// The unit a string names, or `nil` when it names none.
    package static func parsed(_ string: String) -> HKUnit? {
        try? validated(string)
    }
}
