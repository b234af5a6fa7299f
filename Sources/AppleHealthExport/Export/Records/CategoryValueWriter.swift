import HealthModel

/// A category value as the archive writes it: by name where it has one.
enum CategoryValueWriter {
    static func text(_ value: Double, _ type: TypeDescription) -> String {
        Int(exactly: value).flatMap { name(of: $0, type) } ?? NumberText.print(value)
    }

    /// The name of a raw value in the type's enumeration.
    static func name(of value: Int, _ type: TypeDescription) -> String? {
        // Of a type nobody knows, nobody knows the enumeration; the importer took a number for it.
        type.categoryEnumeration.flatMap { CategoryText.name(of: value, in: $0) }
    }
}
