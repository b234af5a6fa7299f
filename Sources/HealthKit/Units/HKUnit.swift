public import Foundation
package import HealthModel
import Synchronization

/// The molar mass of glucose in grams per mole, for molar units of blood glucose.
public let HKUnitMolarMassBloodGlucose: Double = 180.15588000005408

/// A unit of measure: one symbol, such as `kg`, or a product of powers, such as `mL/min·kg`.
///
/// A unit of one symbol is always the identical object. Others are equal when their factors are. Units are
/// immutable and may be used from any thread.
public final class HKUnit: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, Sendable, SharedObjectMaking {
    package let expression: UnitExpression

    /// The string that ``init(from:)-(String)`` parses: factors separated by `·`, at most one `/`, and `()` for
    /// the unit without factors.
    public let unitString: String

    /// A conversion and its target unit. The unit is weak, so that two units do not retain each other.
    private struct KnownConversion {
        weak var to: HKUnit?
        var conversion = UnitConversion.identity
    }

    /// The last requested conversion; loops request the same one repeatedly.
    private let lastConversion = Mutex(KnownConversion())

    init(unshared expression: UnitExpression) {
        self.expression = expression
        unitString = expression.string
    }

    /// Creates the unit of a unit string, such as `mg/dL`.
    ///
    /// A string that does not parse ends the process.
    public convenience init(from string: String) {
        do {
            self.init(sharing: try HKUnit.validated(string))
        } catch {
            ProgrammerError.raise("Unable to parse factorization string \(string)")
        }
    }

    /// Whether the unit has no factors: `m/m` is null, `dL/L` and `count` are not.
    public func isNull() -> Bool {
        expression.isNull
    }

    /// The unit string.
    public override var description: String { unitString }

    /// Two units are equal when their factors are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKUnit else { return false }
        return self === other || expression == other.expression
    }

    public override var hash: Int { expression.hashValue }

    /// Returns the unit itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The conversion from this unit to `other`; `nil` for incompatible units.
    package func conversion(to other: HKUnit) -> UnitConversion? {
        if self === other { return .identity }
        if let known = lastConversion.withLock({ $0.to === other ? $0.conversion : nil }) { return known }
        guard let conversion = expression.conversion(to: other.expression) else { return nil }
        lastConversion.withLock { $0 = KnownConversion(to: other, conversion: conversion) }
        return conversion
    }
}

extension HKUnit {
    /// The product of this unit and another.
    public func unitMultiplied(by unit: HKUnit) -> HKUnit {
        HKUnit.make(expression.multiplied(by: unit.expression))
    }

    /// The quotient of this unit and another.
    public func unitDivided(by unit: HKUnit) -> HKUnit {
        HKUnit.make(expression.divided(by: unit.expression))
    }

    /// This unit raised to a power; power 0 is the null unit.
    public func unitRaised(toPower power: Int) -> HKUnit {
        HKUnit.make(expression.raised(to: power))
    }

    /// The reciprocal of this unit.
    public func reciprocal() -> HKUnit {
        HKUnit.make(expression.reciprocal)
    }
}

extension HKUnit {
    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(unitString, with: coder)
    }

    /// Decodes a unit; `nil` without a unit string that parses.
    public convenience init?(coder: NSCoder) {
        guard let unit = SecureRecord.decode(String.self, from: coder).flatMap(HKUnit.parsed) else { return nil }
        self.init(sharing: unit)
    }
}

extension HKUnit {
    /// Shared units: those of one symbol, and those of parsed strings.
    private struct Shared {
        var atoms: [UnitAtom: HKUnit] = [:]
        var parsed: [String: HKUnit] = [:]

        mutating func unit(_ atom: UnitAtom) -> HKUnit {
            if let known = atoms[atom] { return known }
            let unit = HKUnit(unshared: UnitExpression(atom))
            if atoms.count < maximumCount { atoms[atom] = unit }
            return unit
        }
    }

    private static let shared = Mutex(Shared())

    /// The number of shared units is limited, because molar masses and strings are not.
    private static let maximumCount = 4096

    /// The shared unit of one symbol.
    static func atom(_ kind: UnitKind, _ prefix: HKMetricPrefix = .none, molarMass: Double = 0) -> HKUnit {
        let atom = UnitAtom(kind, prefix: prefix.unitPrefix, molarMass: molarMass)
        return shared.withLock { $0.unit(atom) }
    }

    /// The unit of an expression; the shared object if it has one symbol.
    package static func make(_ expression: UnitExpression) -> HKUnit {
        guard let only = expression.factors.first, expression.factors.count == 1, only.exponent == 1 else {
            return HKUnit(unshared: expression)
        }
        return shared.withLock { $0.unit(only.atom) }
    }

    /// The unit of a unit string.
    ///
    /// - Throws: `UnitParsingError` where ``init(from:)-(String)`` ends the process.
    package static func validated(_ string: String) throws(UnitParsingError) -> HKUnit {
        if let known = shared.withLock({ $0.parsed[string] }) { return known }
        let unit = make(try UnitExpression(parsing: string))
        return shared.withLock { shared in
            if let known = shared.parsed[string] { return known }
            if shared.parsed.count < maximumCount { shared.parsed[string] = unit }
            return unit
        }
    }

    /// The unit of a unit string; `nil` for a string that does not parse.
    package static func parsed(_ string: String) -> HKUnit? {
        try? validated(string)
    }
}

/// Allows an initializer of a class to return an existing object, which a class's own initializers cannot do:
/// the original's types and atomic units are always the identical object.
package protocol SharedObjectMaking {}

extension SharedObjectMaking {
    /// Returns `object`; the instance being initialized is discarded.
    init(sharing object: Self) {
        self = object
    }
}
