import HealthModel

extension SaveItem {
    var type: TypeCode {
        switch self {
        case .sample(let sample): sample.type
        case .object(let object): object.type
        }
    }

    /// The types an application must be allowed to share. A correlation's permission is that of its
    /// members.
    var sharedTypes: Set<TypeCode> {
        switch self {
        case .sample(let sample):
            return [sample.type]
        case .object(let object):
            let members = Set(object.members.map(\.type))
            let isCorrelation = TypeCatalog.description(for: object.type)?.kind == .correlation
            return isCorrelation && !members.isEmpty ? members : members.union([object.type])
        }
    }
}
