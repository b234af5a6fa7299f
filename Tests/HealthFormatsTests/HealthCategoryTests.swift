import HealthFormats
import HealthModel
import Testing

@Suite("Categories of the Health app")
struct HealthCategoryTests {
    @Test(
        "Symptoms whose names speak of the heart, sleep or the stomach are symptoms",
        arguments: [
            "Heartburn", "SkippedHeartbeat", "RapidPoundingOrFlutteringHeartbeat", "SleepChanges", "AbdominalCramps",
            "MoodChanges", "AppetiteChanges", "BreastPain", "HotFlashes", "MemoryLapse", "Wheezing",
        ])
    func symptoms(name: String) throws {
        let type = try #require(TypeCatalog.description(for: "HKCategoryTypeIdentifier" + name))
        #expect(type.healthCategory == "symptoms")
        #expect(FHIRResources.isInCategory(type, "survey"))
    }

    @Test("Every type with a severity is a symptom, and every type has a category")
    func table() {
        for type in TypeCatalog.all {
            #expect(type.healthCategory != nil, "\(type.identifier)")
            let isSymptom = type.healthCategory == "symptoms"
            if type.categoryEnumeration == "HKCategoryValueSeverity" { #expect(isSymptom, "\(type.identifier)") }
            if isSymptom { #expect(type.kind == .category, "\(type.identifier)") }
        }
        #expect(TypeCatalog.all.count { $0.healthCategory == "symptoms" } == 39)
    }

    @Test("A type that is unknown to this version has no category")
    func unknown() {
        let type = TypeDescription(
            code: .firstUnknown, identifier: "HKCategoryTypeIdentifierHeartache", kind: .category)
        #expect(type.healthCategory == nil)
        #expect(!FHIRResources.isInCategory(type, "survey"))
    }
}
