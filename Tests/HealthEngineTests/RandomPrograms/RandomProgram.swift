import Foundation
import HealthEngine
import HealthModel
import Testing

/// One seeded run of saves, deletes and questions against the engine and the reference model.
struct RandomProgram {
    let seed: UInt64
    let backend: TestStore.Backend
    let pageCapacity: Int
    let length: Int

    /// Where the two disagree.
    struct Mismatch: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    /// Runs the program; records an issue that names seed and operation where it fails.
    func run() throws {
        let store = try TestStore(backend, pageCapacity: pageCapacity)
        var state = RandomProgramState(engine: store.engine, seed: seed)
        for index in 0..<length {
            do {
                try state.step()
            } catch {
                Issue.record(
                    """
                    seed \(seed), \(backend.rawValue), pages of \(pageCapacity), operation \(index) \
                    (\(state.operation)): \(error)
                    """)
                return
            }
        }
    }
}
