import HealthModel

/// Correlation types are never asked for themselves: permission is that of their members' types.
enum CorrelationMembers {
    private static let byType: [TypeCode: [TypeCode]] = {
        var found: [TypeCode: [TypeCode]] = [:]
        for type in TypeCatalog.all where type.kind == .correlation {
            let prefix =
                switch type.identifier {
                case "HKCorrelationTypeIdentifierBloodPressure":
                    "HKQuantityTypeIdentifierBloodPressure"
                case "HKCorrelationTypeIdentifierFood":
                    "HKQuantityTypeIdentifierDietary"
                default: ""
                }
            guard !prefix.isEmpty else { continue }
            found[type.code] = TypeCatalog.all
                .filter { $0.kind == .quantity && $0.identifier.hasPrefix(prefix) }
                .map(\.code)
        }
        return found
    }()

    /// Types the members of a correlation type may have; `nil` for every other type.
    static func types(of type: TypeCode) -> [TypeCode]? {
        byType[type]
    }
}
