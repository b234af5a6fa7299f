/// Calls a method that has a completion handler, as its async form does in the original.
///
/// - Throws: the handler's error, or `CancellationError` if the task is already cancelled.
func awaiting<Value: Sendable>(
    _ call: (@escaping @Sendable (Value, (any Error)?) -> Void) -> Void
) async throws -> Value {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
        call { value, error in
            if let error {
                continuation.resume(throwing: error)
            } else {
                continuation.resume(returning: value)
            }
        }
    }
}

/// Calls a method whose completion handler receives a result.
///
/// - Throws: the handler's error, ``HKError/unknownError`` if there was neither, or `CancellationError`.
func obtaining<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
) async throws -> Value {
    guard let value: Value = try await awaiting(call) else {
        throw HKError.make(.unknownError, "The call failed without an error.")
    }
    return value
}

/// Calls a method whose completion handler receives whether it succeeded.
///
/// - Throws: the handler's error, ``HKError/unknownError`` if there was none, or `CancellationError`.
func succeeding(_ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void) async throws {
    guard try await awaiting(call) else {
        throw HKError.make(.unknownError, "The call failed without an error.")
    }
}

/// Calls a method whose completion handler receives whether it succeeded, and a number of objects.
///
/// - Throws: the handler's error, ``HKError/unknownError`` if there was none, or `CancellationError`.
func counting(_ call: (@escaping @Sendable (Bool, Int, (any Error)?) -> Void) -> Void) async throws -> Int {
    let count: Int? = try await awaiting { completion in
        call { success, count, error in completion(success ? count : nil, error) }
    }
    guard let count else { throw HKError.make(.unknownError, "The call failed without an error.") }
    return count
}
