/// Where an archive's files go, one after the other.
protocol GeneratorOutput: AnyObject {
    /// Whether files beside the main one have a place; what is written into them goes nowhere otherwise.
    var takesCompanions: Bool { get }
    /// Begins a file below the archive's folder; what is written goes into it. The first is the main file.
    func begin(_ name: String) throws
    func write(_ bytes: UnsafeRawBufferPointer) throws
    func finish() throws
}
