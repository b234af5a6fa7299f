import Foundation
import Testing

/// The engine against the reference model, on every backend and at page sizes from one sample up.
@Suite struct RandomProgramTests {
    /// The number of programs of every kind to run instead of the usual few.
    private static let variable = "RANDOM_PROGRAMS"

    @Test(arguments: [1, 2, 7, 256, 1_000], TestStore.Backend.allCases)
    func engineAgreesWithReference(pageCapacity: Int, backend: TestStore.Backend) throws {
        let usual = backend == .memory ? 6 : 2
        let count = ProcessInfo.processInfo.environment[Self.variable].flatMap { Int($0) } ?? usual
        for number in 1...count {
            let own =
                switch backend {
                case .memory: 0
                case .file: 5
                case .postgreSQL: 7
                case .encryptedFile: 8
                }
            let seed = UInt64(number * 10 + own) * 1_000 + UInt64(pageCapacity)
            let program = RandomProgram(
                seed: seed, backend: backend, pageCapacity: pageCapacity, length: 120)
            print("seed \(program.seed), \(backend.rawValue), pages of \(pageCapacity)")
            try program.run()
        }
    }
}
