import Foundation

/// One side of a comparison predicate: what `NSExpression(forKeyPath:)` and its kin give here.
///
/// Foundation's own class of that name cannot be made on this platform.
public struct PredicateOperandExpression: Sendable {
    let operand: PredicateOperand
}

/// A key path of the object that the predicate is evaluated on.
public func NSExpression(forKeyPath keyPath: String) -> PredicateOperandExpression {
    guard keyPath.hasPrefix("metadata.") else {
        return PredicateOperandExpression(operand: .keyPath(keyPath.split(separator: ".").map(String.init)))
    }
    return PredicateOperandExpression(
        operand: .keyPath(["metadata", String(keyPath.dropFirst("metadata.".count))]))
}

/// A value to compare with. A value that predicates cannot hold ends the process.
public func NSExpression(forConstantValue value: Any?) -> PredicateOperandExpression {
    guard let constant = PredicateValue(value) else {
        ProgrammerError.raise("a value of type \(type(of: value)) cannot be compared")
    }
    return PredicateOperandExpression(operand: .value(constant))
}

/// A list to look into (`IN`, `BETWEEN`).
public func NSExpression(forAggregate values: [PredicateOperandExpression]) -> PredicateOperandExpression {
    let constants = values.map { expression -> PredicateValue in
        guard case .value(let value) = expression.operand else {
            ProgrammerError.raise("an aggregate holds constant values only")
        }
        return value
    }
    return PredicateOperandExpression(operand: .value(.list(constants)))
}
