/// The main file alone, handed to a closure.
final class GeneratorClosureOutput: GeneratorOutput {
    let takesCompanions = false
    private let output: (UnsafeRawBufferPointer) throws -> Void
    private var files = 0

    init(_ output: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        self.output = output
    }

    func begin(_ name: String) throws {
        files += 1
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if files == 1 { try output(bytes) }
    }

    func finish() throws {}
}
