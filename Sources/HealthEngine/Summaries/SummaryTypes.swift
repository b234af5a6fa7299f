import HealthModel

/// The types that rings are made of.
enum SummaryTypes {
    static let summary = code("HKActivitySummaryTypeIdentifier")
    static let energy = code("HKQuantityTypeIdentifierActiveEnergyBurned")
    static let moveTime = code("HKQuantityTypeIdentifierAppleMoveTime")
    static let exercise = code("HKQuantityTypeIdentifierAppleExerciseTime")
    static let standHour = code("HKCategoryTypeIdentifierAppleStandHour")
    static let samples = [energy, moveTime, exercise, standHour]

    /// The value of a stand hour sample whose hour had a stand.
    static let stood = 0

    private static func code(_ identifier: String) -> TypeCode {
        guard let type = TypeCatalog.description(for: identifier) else {
            preconditionFailure("the catalog lacks \(identifier)")
        }
        return type.code
    }
}
