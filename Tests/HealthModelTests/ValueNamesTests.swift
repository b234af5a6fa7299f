import HealthModel
import Testing

@Suite struct ValueNamesTests {
    @Test func namesEveryValueOfEveryType() {
        for type in TypeCatalog.all where type.kind == .category {
            for value in type.categoryValues! {
                let name = CategoryValueNames.name(of: value, in: type.categoryEnumeration!)
                #expect(name != nil, "\(type.identifier) \(value)")
                #expect(name.flatMap { CategoryValueNames.rawValue(of: $0, in: type.categoryEnumeration!) } == value)
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
        #expect(CategoryValueNames.rawValue(of: name, in: enumeration) == value)
    }

    @Test func rejectsNamesOfOtherEnumerations() {
        #expect(
            CategoryValueNames.rawValue(of: "HKCategoryValueSeverityMild", in: "HKCategoryValueSleepAnalysis") == nil)
        #expect(
            CategoryValueNames.rawValue(of: "HKCategoryValueSleepAnalysis", in: "HKCategoryValueSleepAnalysis") == nil)
    }

    @Test func namesWorkouts() {
        #expect(WorkoutActivityNames.rawValue(of: "HKWorkoutActivityTypeRunning") == 37)
        #expect(WorkoutActivityNames.rawValue(of: "HKWorkoutActivityTypeOther") == 3_000)
        #expect(WorkoutActivityNames.rawValue(of: "52") == 52)
        #expect(WorkoutActivityNames.rawValue(of: "Running") == nil)
        for value in 1...84 as ClosedRange<UInt> where value != 81 {
            #expect(WorkoutActivityNames.name(of: value).flatMap(WorkoutActivityNames.rawValue) == value)
        }
        for value in 1...8 { #expect(WorkoutEventNames.name(of: value).flatMap(WorkoutEventNames.rawValue) == value) }
        #expect(WorkoutEventNames.rawValue(of: "HKWorkoutEventTypeNap") == nil)
    }
}
