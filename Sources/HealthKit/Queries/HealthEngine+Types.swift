import HealthEngine
import HealthModel

extension HealthEngine {
    /// The number of a type in this store, or `nil` for an identifier that neither the catalog nor the
    /// store knows.
    func code(of identifier: String) throws -> TypeCode? {
        if let known = TypeCatalog.description(for: identifier) { return known.code }
        return try dictionaries().type(identifier: identifier)?.code
    }
}
