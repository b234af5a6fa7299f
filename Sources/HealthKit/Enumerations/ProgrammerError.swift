/// A mistake in the calling program. The original raises an exception that Swift cannot catch, so the
/// process ends here too, with the original's message.
///
/// Every check is identified by its place in the sources: a test makes each mistake and looks at where
/// the process ended, so that no check goes untested.
enum ProgrammerError {
    /// Ends the process with the name and reason of the exception.
    static func raise(
        _ reason: String, name: String = "NSInvalidArgumentException", file: StaticString = #fileID, line: UInt = #line
    ) -> Never {
        fatalError("\(name): \(reason)", file: file, line: line)
    }

    /// Ends the process because an object is invalid, with the exception that the original's initializers raise.
    static func refuse(_ reason: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
        raise(reason, name: "_HKObjectValidationFailureException", file: file, line: line)
    }

    /// The result of `make`; ends the process where it throws.
    static func checked<Value>(
        file: StaticString = #fileID, line: UInt = #line, _ make: () throws(InvalidObjectError) -> Value
    ) -> Value {
        do {
            return try make()
        } catch {
            refuse(error.reason, file: file, line: line)
        }
    }
}

/// The reason why an object cannot be created. Contains no health value.
struct InvalidObjectError: Error, Equatable, CustomStringConvertible {
    /// A sentence for the programmer.
    let reason: String

    var description: String { reason }

    /// The error that an application gets where the original throws.
    var asError: HKError { HKError.make(.errorInvalidArgument, reason) }
}

extension HKError {
    /// The result of `make`.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` where `make` throws.
    static func checked<Value>(_ make: () throws(InvalidObjectError) -> Value) throws -> Value {
        do {
            return try make()
        } catch {
            throw error.asError
        }
    }
}
