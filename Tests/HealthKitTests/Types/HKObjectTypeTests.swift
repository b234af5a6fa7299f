import Foundation
import HealthKit
import HealthModel
import Testing

@Suite struct HKObjectTypeTests {
    @Test func everyTypeOfTheCatalogHasItsClass() {
        for description in TypeCatalog.all {
            let type: HKObjectType = HKObjectType.described(by: description)
            #expect(type.identifier == description.identifier)
            #expect(type.code == description.code)
            #expect(type.description == description.identifier)
            #expect(HKObjectType.described(by: description) === type)
            switch description.kind {
            case .quantity: #expect(type is HKQuantityType)
            case .category: #expect(type is HKCategoryType)
            case .correlation: #expect(type is HKCorrelationType)
            case .workout: #expect(type is HKWorkoutType)
            case .activitySummary: #expect(type is HKActivitySummaryType && !(type is HKSampleType))
            case .characteristic: #expect(type is HKCharacteristicType && !(type is HKSampleType))
            case .series: #expect(type is HKSeriesType)
            case .document: #expect(Swift.type(of: type) != HKSampleType.self)
            }
        }
    }

    @Test func factoriesGiveTheIdenticalObject() throws {
        let steps = try #require(HKObjectType.quantityType(forIdentifier: .stepCount))
        #expect(HKQuantityType(.stepCount) === steps)
        #expect(HKSampleType.quantityType(forIdentifier: .stepCount) === steps)
        #expect(HKQuantityType.quantityType(forIdentifier: .stepCount) === steps)
        #expect(HKCategoryType(.sleepAnalysis) === HKObjectType.categoryType(forIdentifier: .sleepAnalysis))
        #expect(HKCorrelationType(.food) === HKObjectType.correlationType(forIdentifier: .food))
        #expect(HKCharacteristicType(.dateOfBirth) === HKObjectType.characteristicType(forIdentifier: .dateOfBirth))
        #expect(HKDocumentType(.CDA) === HKObjectType.documentType(forIdentifier: .CDA))
        #expect(HKClinicalType(.labResultRecord) === HKObjectType.clinicalType(forIdentifier: .labResultRecord))
        #expect(HKScoredAssessmentType(.GAD7).identifier == "HKScoredAssessmentTypeIdentifierGAD7")
        #expect(HKScoredAssessmentType(.PHQ9).identifier == "HKScoredAssessmentTypeIdentifierPHQ9")
        #expect(HKSeriesType.workoutRoute() === HKObjectType.seriesType(forIdentifier: HKWorkoutRouteTypeIdentifier))
        #expect(
            HKSeriesType.heartbeat() === HKObjectType.seriesType(forIdentifier: HKDataTypeIdentifierHeartbeatSeries))
        #expect(HKObjectType.workoutType() === HKWorkoutType.workoutType())
        #expect(HKObjectType.workoutType().identifier == HKWorkoutTypeIdentifier)
        #expect(HKObjectType.activitySummaryType().identifier == "HKActivitySummaryTypeIdentifier")
        #expect(HKObjectType.audiogramSampleType().identifier == "HKDataTypeIdentifierAudiogram")
        #expect(HKObjectType.electrocardiogramType().identifier == "HKDataTypeIdentifierElectrocardiogram")
        #expect(HKObjectType.visionPrescriptionType().identifier == HKVisionPrescriptionTypeIdentifier)
        #expect(HKObjectType.stateOfMindType().identifier == HKDataTypeIdentifierStateOfMind)
        #expect(HKDataTypeIdentifierStateOfMind == "HKDataTypeStateOfMind")
        #expect(
            HKObjectType.medicationDoseEventType().identifier == HKMedicationDoseEventTypeIdentifierMedicationDoseEvent)
        #expect(
            HKObjectType.userAnnotatedMedicationType().identifier == HKDataTypeIdentifierUserAnnotatedMedicationConcept)
    }

    @Test func namesOfOtherFamiliesAreNotKnown() {
        #expect(HKObjectType.quantityType(forIdentifier: .init(rawValue: "HKQuantityTypeIdentifierNothing")) == nil)
        #expect(
            HKObjectType.quantityType(forIdentifier: .init(rawValue: "HKCategoryTypeIdentifierSleepAnalysis")) == nil)
        #expect(HKObjectType.seriesType(forIdentifier: "HKWorkoutTypeIdentifier") == nil)
        #expect(HKObjectType.categoryType(forIdentifier: .init(rawValue: "")) == nil)
    }

    @Test func aggregationStylesAreThoseOfTheCatalog() {
        for description in TypeCatalog.all {
            guard let style = description.aggregationStyle,
                let type = HKObjectType.described(by: description) as? HKQuantityType
            else { continue }
            #expect(type.aggregationStyle.rawValue == Int(style.rawValue))
        }
        #expect(HKQuantityType(.stepCount).aggregationStyle == .cumulative)
        #expect(HKQuantityType(.bodyMass).aggregationStyle == .discreteArithmetic)
        #expect(HKQuantityType(.heartRate).aggregationStyle == .discreteTemporallyWeighted)
        #expect(HKQuantityType(.headphoneAudioExposure).aggregationStyle == .discreteEquivalentContinuousLevel)
    }

    @Test func unitCompatibility() {
        #expect(HKQuantityType(.stepCount).is(compatibleWith: .count()))
        #expect(HKQuantityType(.stepCount).is(compatibleWith: .percent()))
        #expect(!HKQuantityType(.stepCount).is(compatibleWith: .meter()))
        #expect(HKQuantityType(.bodyMass).is(compatibleWith: .pound()))
        #expect(HKQuantityType(.heartRate).is(compatibleWith: HKUnit(from: "count/min")))
        #expect(!HKQuantityType(.heartRate).is(compatibleWith: .count()))
        #expect(HKQuantityType(.bloodGlucose).is(compatibleWith: HKUnit(from: "mmol<180.1558800000541>/L")))
        #expect(HKQuantityType(.vo2Max).is(compatibleWith: HKUnit(from: "ml/kg*min")))
        #expect(HKQuantityType(.dietaryWater).is(compatibleWith: .fluidOunceUS()))
        #expect(HKQuantityType(.workoutEffortScore).is(compatibleWith: .appleEffortScore()))
    }

    @Test func perObjectAuthorization() {
        for description in TypeCatalog.all {
            let type: HKObjectType = HKObjectType.described(by: description)
            let expected = type is HKPrescriptionType || type is HKUserAnnotatedMedicationType
            #expect(type.requiresPerObjectAuthorization() == expected)
        }
    }

    @Test func durationLimits() async {
        let type = HKQuantityType(.stepCount)
        #expect(!type.isMaximumDurationRestricted && !type.isMinimumDurationRestricted)
        #expect(HKDocumentType(.CDA).isMaximumDurationRestricted)
        #expect(HKDocumentType(.CDA).maximumAllowedDuration == 345_600)
        #expect(!type.allowsRecalibrationForEstimates)
        #expect(HKQuantityType(.sixMinuteWalkTestDistance).allowsRecalibrationForEstimates)
        await #expect(processExitsWith: .failure) { _ = HKQuantityType(.stepCount).maximumAllowedDuration }
        await #expect(processExitsWith: .failure) { _ = HKQuantityType(.stepCount).minimumAllowedDuration }
    }

    @Test func anUnknownNameEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantityType(.init(rawValue: "HKQuantityTypeIdentifierNothing"))
        }
    }

    @Test func comesBackFromAnArchiveAsTheIdenticalObject() throws {
        for description in TypeCatalog.all {
            let type: HKObjectType = HKObjectType.described(by: description)
            let data = try NSKeyedArchiver.archivedData(withRootObject: type, requiringSecureCoding: true)
            let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKObjectType.self, from: data)
            #expect(again === type)
            #expect(type.copy() as? HKObjectType === type)
        }
    }

    @Test func typesOnlyAStoreKnows() throws {
        var dictionaries = StoreDictionaries()
        let code = TypeCode(rawValue: TypeCode.firstUnknown.rawValue + 3)
        dictionaries.types = [
            TypeDescription(code: code, identifier: "HKQuantityTypeIdentifierOfTomorrow", kind: .quantity),
            TypeDescription(
                code: TypeCode(rawValue: code.rawValue + 1), identifier: "HKDataTypeSleepDurationGoal", kind: .document),
        ]
        let description = try #require(dictionaries.type(code))
        let type = try #require(HKObjectType.described(by: description) as? HKQuantityType)
        #expect(type.identifier == "HKQuantityTypeIdentifierOfTomorrow")
        #expect(type.is(compatibleWith: .meter()))
        #expect(type.aggregationStyle == .discreteArithmetic)
        #expect(HKObjectType.described(by: description) == type)
        #expect(HKObjectType.described(by: description).hash == type.hash)
        #expect(HKSampleType.described(by: dictionaries.types[1]) != nil)
        let steps = try #require(dictionaries.type(HKQuantityType(.stepCount).code))
        #expect(HKObjectType.described(by: steps) === HKQuantityType(.stepCount))

        let data = try NSKeyedArchiver.archivedData(withRootObject: type, requiringSecureCoding: true)
        let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantityType.self, from: data))
        #expect(again == type)
        #expect(again.code == code)
    }

    @Test func sampleTypesAndOthersAreDistinguished() {
        #expect(HKSampleType.described(by: HKObjectType.activitySummaryType().typeDescription) == nil)
        #expect(HKSampleType.described(by: HKCharacteristicType(.bloodType).typeDescription) == nil)
        #expect(HKSampleType.described(by: HKQuantityType(.stepCount).typeDescription) === HKQuantityType(.stepCount))
    }

    @Test func typesWorkInSetsAndDictionaries() {
        let types: Set<HKObjectType> = [
            HKQuantityType(.stepCount), HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis), .workoutType(),
        ]
        #expect(types.count == 3)
        #expect(types.contains(HKObjectType.quantityType(forIdentifier: .stepCount)!))
        #expect(HKQuantityType(.stepCount) != HKQuantityType(.heartRate))
    }
}
