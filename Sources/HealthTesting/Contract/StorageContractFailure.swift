/// A backend does not do what the contract says.
public struct StorageContractFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which rule was broken, what was found and what was wanted, and the seed.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
