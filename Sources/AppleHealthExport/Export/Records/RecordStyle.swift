import HealthEngine
import HealthModel

/// What all writers of one export go by. A value: every thread has the same.
struct RecordStyle: Sendable {
    let dictionaries: StoreDictionaries
    /// Writes the archive's dates.
    let dates: DateStamp
    /// Whether what cannot be said is told in a supplement.
    let isSupplemented: Bool
    /// Makes the identities of samples that were given none.
    var identities: DerivedIdentities?
    /// Types of which every sample is told there, because something belongs to one of them.
    var toldTypes: Set<TypeCode> = []

    init(dictionaries: StoreDictionaries, offset: Int, isSupplemented: Bool = false) {
        self.dictionaries = dictionaries
        self.isSupplemented = isSupplemented
        dates = DateStamp(offset: offset)
    }

    /// An instant as the archive writes it.
    func date(_ instant: Double) -> String { dates.text(instant) }

    /// A type's identifier as the archive writes it. A type that came in under two families bears the
    /// family behind a `#` in the store; see ``TypeTable``.
    static func identifier(_ type: TypeDescription) -> String {
        let suffix = "#\(type.kind)"
        return type.code >= .firstUnknown && type.identifier.hasSuffix(suffix)
            ? String(type.identifier.dropLast(suffix.count)) : type.identifier
    }
}
