public import HealthModel

/// Why the engine refused or failed. Descriptions carry no health value, date or metadata.
public enum EngineError: Error, Hashable, Sendable {
    /// The arguments make no sense together; the text says which.
    case invalidArgument(String)
    /// The application may not share (write) this type.
    case authorizationDenied(TypeCode)
    /// The application has never asked for this type.
    case authorizationNotDetermined(TypeCode)
    /// Statistics over no sample.
    case noData
    /// An anchor of another store, or one this version cannot read.
    case invalidAnchor
}
