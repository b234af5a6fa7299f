import HealthModel
import Testing

@Suite struct CategoryTextTests {
    @Test func namesEveryValueOfEveryType() {
        for type in TypeCatalog.all where type.kind == .category {
            for value in type.categoryValues! {
                let name = CategoryText.name(of: value, in: type.categoryEnumeration!)
                #expect(name != nil, "\(type.identifier) \(value)")
                #expect(name.flatMap { CategoryText.rawValue(of: $0, in: type.categoryEnumeration!) } == value)
            }
        }
    }

    @Test(arguments: [
        ("HKCategoryValueSleepAnalysisAsleep", "HKCategoryValueSleepAnalysis", 1),
        ("HKCategoryValueMenstrualFlowHeavy", "HKCategoryValueVaginalBleeding", 4),
        ("HKCategoryValueOvulationTestResultPositive", "HKCategoryValueOvulationTestResult", 2),
        ("HKCategoryValueNotApplicable", "HKCategoryValue", 0),
    ])
    func knowsOlderNames(_ name: String, _ enumeration: String, _ value: Int) {
        #expect(CategoryText.rawValue(of: name, in: enumeration) == value)
    }

    @Test func refusesNamesOfOtherEnumerations() {
        #expect(CategoryText.rawValue(of: "HKCategoryValueSeverityMild", in: "HKCategoryValueSleepAnalysis") == nil)
        #expect(CategoryText.rawValue(of: "HKCategoryValueSleepAnalysis", in: "HKCategoryValueSleepAnalysis") == nil)
    }

    @Test func namesWorkouts() {
        #expect(WorkoutActivityText.rawValue(of: "HKWorkoutActivityTypeRunning") == 37)
        #expect(WorkoutActivityText.rawValue(of: "HKWorkoutActivityTypeOther") == 3_000)
        #expect(WorkoutActivityText.rawValue(of: "52") == 52)
        #expect(WorkoutActivityText.rawValue(of: "Running") == nil)
        for value in 1...84 as ClosedRange<UInt> where value != 81 {
            #expect(WorkoutActivityText.name(of: value).flatMap(WorkoutActivityText.rawValue) == value)
        }
        for value in 1...8 { #expect(WorkoutEventText.name(of: value).flatMap(WorkoutEventText.rawValue) == value) }
        #expect(WorkoutEventText.rawValue(of: "HKWorkoutEventTypeNap") == nil)
    }
}
