/// Why an object of a single-object family cannot be made. Holds no health value.
struct ObjectRefusal: Error, Equatable, CustomStringConvertible {
    /// A sentence for the programmer.
    let reason: String

    var description: String { reason }

    /// The refusal as an application gets it where the original throws.
    var asError: HKError { HKError.make(.errorInvalidArgument, reason) }
}

extension ProgrammerError {
    /// What `make` gives; a refusal ends the process.
    static func checked<Value>(
        file: StaticString = #fileID, line: UInt = #line, _ make: () throws(ObjectRefusal) -> Value
    ) -> Value {
        do {
            return try make()
        } catch {
            refuse(error.reason, file: file, line: line)
        }
    }
}

extension HKError {
    /// What `make` gives.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a refusal.
    static func checked<Value>(_ make: () throws(ObjectRefusal) -> Value) throws -> Value {
        do {
            return try make()
        } catch {
            throw error.asError
        }
    }
}
