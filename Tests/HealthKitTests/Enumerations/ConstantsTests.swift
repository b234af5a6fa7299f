import Foundation
import HealthKit
import HealthModel
import Testing

@Suite struct ConstantsTests {
    /// Raw strings that archives and other programs' logs show.
    @Test func observedMetadataKeys() {
        #expect(HKMetadataKeyWasUserEntered == "HKWasUserEntered")
        #expect(HKMetadataKeyTimeZone == "HKTimeZone")
        #expect(HKMetadataKeyWeatherTemperature == "HKWeatherTemperature")
        #expect(HKMetadataKeyWeatherHumidity == "HKWeatherHumidity")
        #expect(HKMetadataKeyHeartRateMotionContext == "HKMetadataKeyHeartRateMotionContext")
        #expect(HKMetadataKeySyncVersion == "HKMetadataKeySyncVersion")
        #expect(HKMetadataKeyInsulinDeliveryReason == "HKInsulinDeliveryReason")
        #expect(
            HKMetadataKeyCyclingFunctionalThresholdPowerTestType == "HKCyclingCyclingFunctionalThresholdPowerTestType")
    }

    @Test func keysTheEngineActsOnAreThese() {
        #expect(HKMetadataKeyWasUserEntered == MetadataKey.wasUserEntered)
        #expect(HKMetadataKeyTimeZone == MetadataKey.timeZone)
        #expect(HKMetadataKeySyncIdentifier == MetadataKey.syncIdentifier)
        #expect(HKMetadataKeySyncVersion == MetadataKey.syncVersion)
        #expect(HKMetadataKeyMenstrualCycleStart == MetadataKey.menstrualCycleStart)
        #expect(HKMetadataKeyInsulinDeliveryReason == MetadataKey.insulinDeliveryReason)
    }

    @Test func keyPathsAreThoseOfTheProperties() {
        #expect(HKPredicateKeyPathUUID == "UUID")
        #expect(HKPredicateKeyPathStartDate == "startDate")
        #expect(HKPredicateKeyPathEndDate == "endDate")
        #expect(HKPredicateKeyPathMetadata == "metadata")
        #expect(HKPredicateKeyPathQuantity == "quantity")
        #expect(HKPredicateKeyPathCategoryValue == "value")
        #expect(HKPredicateKeyPathWorkoutType == "workoutActivityType")
        #expect(HKPredicateKeyPathWorkoutTotalEnergyBurned == "totalEnergyBurned")
        #expect(HKSampleSortIdentifierStartDate == "startDate")
        #expect(HKSampleSortIdentifierEndDate == "endDate")
        #expect(HKWorkoutSortIdentifierDuration == "duration")
    }

    @Test func devicePropertiesAreThoseOfTheModel() {
        let keys = [
            HKDevicePropertyKeyName, HKDevicePropertyKeyManufacturer, HKDevicePropertyKeyModel,
            HKDevicePropertyKeyHardwareVersion,
            HKDevicePropertyKeyFirmwareVersion, HKDevicePropertyKeySoftwareVersion, HKDevicePropertyKeyLocalIdentifier,
            HKDevicePropertyKeyUDIDeviceIdentifier,
        ]
        #expect(keys.compactMap(DeviceProperty.init) == DeviceProperty.allCases)
    }

    @Test func others() {
        #expect(HKUnitMolarMassBloodGlucose == 180.15588000005408)
        #expect(NSNotification.Name.HKUserPreferencesDidChange.rawValue == "HKUserPreferencesDidChangeNotification")
        #expect(HKErrorDomain == "com.apple.healthkit")
    }
}
