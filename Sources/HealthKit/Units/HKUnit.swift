public import Foundation
package import HealthModel
import Synchronization

/// Grams a mole of glucose weighs, for molar units of blood glucose.
public let HKUnitMolarMassBloodGlucose: Double = 180.15588000005408

/// A unit of measure: one symbol, such as `kg`, or a product of powers, such as `mL/min·kg`.
///
/// A unit of one symbol is the identical object however it is made. Others are equal when their factors are.
/// Units never change and may be used from any thread.
public final class HKUnit: NSObject, NSSecureCoding, NSCopying, Sendable, SharedObjectMaking {
    package let expression: UnitExpression

    /// The unit as a string that ``init(from:)-(String)`` reads: factors joined by `·`, at most one `/`,
    /// `()` for the unit without a factor.
    public let unitString: String

    /// A conversion with the unit it leads to. The unit is weak: two units converted into each other must
    /// not keep each other alive.
    private struct KnownConversion {
        weak var to: HKUnit?
        var conversion = UnitConversion.identity
    }

    /// The conversion this unit was last asked for; the same pair is asked again and again in a loop.
    private let lastConversion = Mutex(KnownConversion())

    init(unshared expression: UnitExpression) {
        self.expression = expression
        unitString = expression.string
        super.init()
    }

    /// The unit a string names, such as `mg/dL`.
    ///
    /// A string outside the grammar ends the process.
    public convenience init(from string: String) {
        do {
            self.init(sharing: try HKUnit.validated(string))
        } catch {
            ProgrammerError.raise("Unable to parse factorization string \(string)")
        }
    }

    /// Whether there is no factor at all: `m/m` is null, `dL/L` and `count` are not.
    public func isNull() -> Bool {
        expression.isNull
    }

    /// The unit string.
    public override var description: String { unitString }

    /// Two units are equal when their factors are, however they were made.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKUnit else { return false }
        return self === other || expression == other.expression
    }

    public override var hash: Int { expression.hashValue }

    /// The unit itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// How values of this unit become values of `other`; `nil` when they are not compatible.
    package func conversion(to other: HKUnit) -> UnitConversion? {
        if self === other { return .identity }
        if let known = lastConversion.withLock({ $0.to === other ? $0.conversion : nil }) { return known }
        guard let conversion = expression.conversion(to: other.expression) else { return nil }
        lastConversion.withLock { $0 = KnownConversion(to: other, conversion: conversion) }
        return conversion
    }
}
