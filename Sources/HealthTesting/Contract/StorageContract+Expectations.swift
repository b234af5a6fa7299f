import HealthStorage

extension StorageContract {
    func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
        guard isTrue else { throw StorageContractFailure("\(what()) [seed \(seed)]") }
    }

    func expect<Value: Equatable>(
        _ found: Value, equals wanted: Value, _ what: @autoclosure () -> String
    ) throws {
        guard found == wanted else {
            throw StorageContractFailure("\(what()): found \(found), wanted \(wanted) [seed \(seed)]")
        }
    }

    /// Expects `body` to throw a ``StorageError`` of this kind.
    func expect(
        _ kind: StorageError.Kind, _ what: @autoclosure () -> String, from body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as StorageError {
            return try expect(error.kind, equals: kind, "\(what()): kind of error")
        }
        throw StorageContractFailure("\(what()): no error, wanted \(kind) [seed \(seed)]")
    }

    func expect(
        _ found: StorageContents, equals wanted: StorageContents, _ what: @autoclosure () -> String
    ) throws {
        let differences = found.differences(from: wanted)
        try expect(differences.isEmpty, "\(what()): differs in \(differences.joined(separator: ", "))")
    }

    /// Thrown by a check's own closures, to see that it comes through.
    struct Interruption: Error {}

    /// Expects `body` to throw ``Interruption``.
    func expectInterruption(_ what: @autoclosure () -> String, from body: () throws -> Void) throws {
        do {
            try body()
        } catch is Interruption {
            return
        }
        throw StorageContractFailure("\(what()): the closure's error did not come through [seed \(seed)]")
    }
}
