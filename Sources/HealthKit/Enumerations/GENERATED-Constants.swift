// Made by Scripts/generate-healthkit-symbols.py; edit that, not this.

/// The name of the type heartbeat series.
public let HKDataTypeIdentifierHeartbeatSeries: String = "HKDataTypeIdentifierHeartbeatSeries"

/// The name of the type state of mind.
public let HKDataTypeIdentifierStateOfMind: String = "HKDataTypeIdentifierStateOfMind"

/// The name of the type user annotated medication concept.
public let HKDataTypeIdentifierUserAnnotatedMedicationConcept: String = "HKDataTypeIdentifierUserAnnotatedMedicationConcept"

/// Where an error's user information holds what a CDA document violates.
public let HKDetailedCDAValidationErrorKey: String = "HKDetailedCDAValidationError"

/// The device property firmware version.
public let HKDevicePropertyKeyFirmwareVersion: String = "firmware"

/// The device property hardware version.
public let HKDevicePropertyKeyHardwareVersion: String = "hardware"

/// The device property local identifier.
public let HKDevicePropertyKeyLocalIdentifier: String = "localIdentifier"

/// The device property manufacturer.
public let HKDevicePropertyKeyManufacturer: String = "manufacturer"

/// The device property model.
public let HKDevicePropertyKeyModel: String = "model"

/// The device property name.
public let HKDevicePropertyKeyName: String = "name"

/// The device property software version.
public let HKDevicePropertyKeySoftwareVersion: String = "software"

/// The device property UDI device identifier.
public let HKDevicePropertyKeyUDIDeviceIdentifier: String = "UDI_device_identifier"

/// The domain of HealthKit's errors.
public let HKErrorDomain: String = "com.apple.healthkit"

/// The name of the dose event type.
public let HKMedicationDoseEventTypeIdentifierMedicationDoseEvent: String = "HKDataTypeIdentifierMedicationDoseEvent"

/// The metadata key of activity type.
public let HKMetadataKeyActivityType: String = "HKActivityType"

/// The metadata key of algorithm version.
public let HKMetadataKeyAlgorithmVersion: String = "HKAlgorithmVersion"

/// The metadata key of alpine slope grade.
public let HKMetadataKeyAlpineSlopeGrade: String = "HKAlpineSlopeGrade"

/// The metadata key of apple device calibrated.
public let HKMetadataKeyAppleDeviceCalibrated: String = "HKMetadataKeyAppleDeviceCalibrated"

/// The metadata key of apple ECG algorithm version.
public let HKMetadataKeyAppleECGAlgorithmVersion: String = "HKMetadataKeyAppleECGAlgorithmVersion"

/// The metadata key of apple fitness plus catalog identifier. Its raw string was never observed in the original; this one is chosen.
public let HKMetadataKeyAppleFitnessPlusCatalogIdentifier: String = "HKMetadataKeyAppleFitnessPlusCatalogIdentifier"

/// The metadata key of apple fitness plus session.
public let HKMetadataKeyAppleFitnessPlusSession: String = "HKMetadataKeyAppleFitnessPlusSession"

/// The metadata key of audio exposure duration.
public let HKMetadataKeyAudioExposureDuration: String = "HKMetadataKeyAudioExposureDuration"

/// The metadata key of audio exposure level.
public let HKMetadataKeyAudioExposureLevel: String = "HKMetadataKeyAudioExposureLevel"

/// The metadata key of average ME ts.
public let HKMetadataKeyAverageMETs: String = "HKAverageMETs"

/// The metadata key of average speed.
public let HKMetadataKeyAverageSpeed: String = "HKAverageSpeed"

/// The metadata key of barometric pressure.
public let HKMetadataKeyBarometricPressure: String = "HKMetadataKeyBarometricPressure"

/// The metadata key of blood glucose meal time.
public let HKMetadataKeyBloodGlucoseMealTime: String = "HKBloodGlucoseMealTime"

/// The metadata key of body temperature sensor location.
public let HKMetadataKeyBodyTemperatureSensorLocation: String = "HKBodyTemperatureSensorLocation"

/// The metadata key of coached workout.
public let HKMetadataKeyCoachedWorkout: String = "HKCoachedWorkout"

/// The metadata key of cross trainer distance.
public let HKMetadataKeyCrossTrainerDistance: String = "HKCrossTrainerDistance"

/// The metadata key of cycling functional threshold power test type.
public let HKMetadataKeyCyclingFunctionalThresholdPowerTestType: String = "HKCyclingCyclingFunctionalThresholdPowerTestType"

/// The metadata key of date of earliest data used for estimate.
public let HKMetadataKeyDateOfEarliestDataUsedForEstimate: String = "HKDateOfEarliestDataUsedForEstimate"

/// The metadata key of device manufacturer name.
public let HKMetadataKeyDeviceManufacturerName: String = "HKDeviceManufacturerName"

/// The metadata key of device name.
public let HKMetadataKeyDeviceName: String = "HKDeviceName"

/// The metadata key of device placement side.
public let HKMetadataKeyDevicePlacementSide: String = "HKMetadataKeyDevicePlacementSide"

/// The metadata key of device serial number.
public let HKMetadataKeyDeviceSerialNumber: String = "HKDeviceSerialNumber"

/// The metadata key of digital signature.
public let HKMetadataKeyDigitalSignature: String = "HKDigitalSignature"

/// The metadata key of elevation ascended.
public let HKMetadataKeyElevationAscended: String = "HKElevationAscended"

/// The metadata key of elevation descended. Its raw string was never observed in the original; this one is chosen.
public let HKMetadataKeyElevationDescended: String = "HKElevationDescended"

/// The metadata key of external UUID.
public let HKMetadataKeyExternalUUID: String = "HKExternalUUID"

/// The metadata key of fitness machine duration.
public let HKMetadataKeyFitnessMachineDuration: String = "HKFitnessMachineDuration"

/// The metadata key of food type.
public let HKMetadataKeyFoodType: String = "HKFoodType"

/// The metadata key of glasses prescription description.
public let HKMetadataKeyGlassesPrescriptionDescription: String = "HKMetadataKeyGlassesPrescriptionDescription"

/// The metadata key of group fitness.
public let HKMetadataKeyGroupFitness: String = "HKGroupFitness"

/// The metadata key of headphone gain.
public let HKMetadataKeyHeadphoneGain: String = "HKMetadataKeyHeadphoneGain"

/// The metadata key of heart rate event threshold.
public let HKMetadataKeyHeartRateEventThreshold: String = "HKHeartRateEventThreshold"

/// The metadata key of heart rate motion context.
public let HKMetadataKeyHeartRateMotionContext: String = "HKMetadataKeyHeartRateMotionContext"

/// The metadata key of heart rate recovery activity duration.
public let HKMetadataKeyHeartRateRecoveryActivityDuration: String = "HKMetadataKeyHeartRateRecoveryActivityDuration"

/// The metadata key of heart rate recovery activity type.
public let HKMetadataKeyHeartRateRecoveryActivityType: String = "HKMetadataKeyHeartRateRecoveryActivityType"

/// The metadata key of heart rate recovery max observed recovery heart rate.
public let HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate: String = "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate"

/// The metadata key of heart rate recovery test type.
public let HKMetadataKeyHeartRateRecoveryTestType: String = "HKMetadataKeyHeartRateRecoveryTestType"

/// The metadata key of heart rate sensor location.
public let HKMetadataKeyHeartRateSensorLocation: String = "HKHeartRateSensorLocation"

/// The metadata key of indoor bike distance.
public let HKMetadataKeyIndoorBikeDistance: String = "HKIndoorBikeDistance"

/// The metadata key of indoor workout.
public let HKMetadataKeyIndoorWorkout: String = "HKIndoorWorkout"

/// The metadata key of insulin delivery reason.
public let HKMetadataKeyInsulinDeliveryReason: String = "HKInsulinDeliveryReason"

/// The metadata key of lap length.
public let HKMetadataKeyLapLength: String = "HKLapLength"

/// The metadata key of low cardio fitness event threshold.
public let HKMetadataKeyLowCardioFitnessEventThreshold: String = "HKLowCardioFitnessEventThreshold"

/// The metadata key of maximum light intensity.
public let HKMetadataKeyMaximumLightIntensity: String = "HKMetadataKeyMaximumLightIntensity"

/// The metadata key of maximum speed.
public let HKMetadataKeyMaximumSpeed: String = "HKMaximumSpeed"

/// The metadata key of menstrual cycle start.
public let HKMetadataKeyMenstrualCycleStart: String = "HKMenstrualCycleStart"

/// The metadata key of physical effort estimation type.
public let HKMetadataKeyPhysicalEffortEstimationType: String = "HKPhysicalEffortEstimationType"

/// The metadata key of quantity clamped to lower bound.
public let HKMetadataKeyQuantityClampedToLowerBound: String = "HKMetadataKeyQuantityClampedToLowerBound"

/// The metadata key of quantity clamped to upper bound.
public let HKMetadataKeyQuantityClampedToUpperBound: String = "HKMetadataKeyQuantityClampedToUpperBound"

/// The metadata key of reference range lower limit.
public let HKMetadataKeyReferenceRangeLowerLimit: String = "HKReferenceRangeLowerLimit"

/// The metadata key of reference range upper limit.
public let HKMetadataKeyReferenceRangeUpperLimit: String = "HKReferenceRangeUpperLimit"

/// The metadata key of SWOLF score.
public let HKMetadataKeySWOLFScore: String = "HKSWOLFScore"

/// The metadata key of session estimate.
public let HKMetadataKeySessionEstimate: String = "HKMetadataKeySessionEstimate"

/// The metadata key of sexual activity protection used.
public let HKMetadataKeySexualActivityProtectionUsed: String = "HKSexualActivityProtectionUsed"

/// The metadata key of swimming location type.
public let HKMetadataKeySwimmingLocationType: String = "HKSwimmingLocationType"

/// The metadata key of swimming stroke style.
public let HKMetadataKeySwimmingStrokeStyle: String = "HKSwimmingStrokeStyle"

/// The metadata key of sync identifier.
public let HKMetadataKeySyncIdentifier: String = "HKMetadataKeySyncIdentifier"

/// The metadata key of sync version.
public let HKMetadataKeySyncVersion: String = "HKMetadataKeySyncVersion"

/// The metadata key of time zone.
public let HKMetadataKeyTimeZone: String = "HKTimeZone"

/// The metadata key of UDI device identifier.
public let HKMetadataKeyUDIDeviceIdentifier: String = "HKUDIDeviceIdentifier"

/// The metadata key of UDI production identifier.
public let HKMetadataKeyUDIProductionIdentifier: String = "HKUDIProductionIdentifier"

/// The metadata key of user motion context.
public let HKMetadataKeyUserMotionContext: String = "HKMetadataKeyUserMotionContext"

/// The metadata key of VO2 max test type.
public let HKMetadataKeyVO2MaxTestType: String = "HKVO2MaxTestType"

/// The metadata key of VO2 max value.
public let HKMetadataKeyVO2MaxValue: String = "HKVO2MaxValue"

/// The metadata key of was taken in lab.
public let HKMetadataKeyWasTakenInLab: String = "HKWasTakenInLab"

/// The metadata key of was user entered.
public let HKMetadataKeyWasUserEntered: String = "HKWasUserEntered"

/// The metadata key of water salinity.
public let HKMetadataKeyWaterSalinity: String = "HKMetadataKeyWaterSalinity"

/// The metadata key of weather condition. Its raw string was never observed in the original; this one is chosen.
public let HKMetadataKeyWeatherCondition: String = "HKWeatherCondition"

/// The metadata key of weather humidity.
public let HKMetadataKeyWeatherHumidity: String = "HKWeatherHumidity"

/// The metadata key of weather temperature.
public let HKMetadataKeyWeatherTemperature: String = "HKWeatherTemperature"

/// The metadata key of workout brand name.
public let HKMetadataKeyWorkoutBrandName: String = "HKWorkoutBrandName"

/// The key path of average in a predicate.
public let HKPredicateKeyPathAverage: String = "averageQuantity"

/// The key path of average heart rate in a predicate.
public let HKPredicateKeyPathAverageHeartRate: String = "averageHeartRate"

/// The key path of CDA author name in a predicate.
public let HKPredicateKeyPathCDAAuthorName: String = "document.authorName"

/// The key path of CDA custodian name in a predicate.
public let HKPredicateKeyPathCDACustodianName: String = "document.custodianName"

/// The key path of CDA patient name in a predicate.
public let HKPredicateKeyPathCDAPatientName: String = "document.patientName"

/// The key path of CDA title in a predicate.
public let HKPredicateKeyPathCDATitle: String = "document.title"

/// The key path of category value in a predicate.
public let HKPredicateKeyPathCategoryValue: String = "value"

/// The key path of clinical record FHIR resource identifier in a predicate.
public let HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier: String = "FHIRResource.identifier"

/// The key path of clinical record FHIR resource type in a predicate.
public let HKPredicateKeyPathClinicalRecordFHIRResourceType: String = "FHIRResource.resourceType"

/// The key path of correlation in a predicate.
public let HKPredicateKeyPathCorrelation: String = "correlation"

/// The key path of count in a predicate.
public let HKPredicateKeyPathCount: String = "count"

/// The key path of date components in a predicate.
public let HKPredicateKeyPathDateComponents: String = "dateComponents"

/// The key path of device in a predicate.
public let HKPredicateKeyPathDevice: String = "device"

/// The key path of ECG classification in a predicate.
public let HKPredicateKeyPathECGClassification: String = "classification"

/// The key path of ECG symptoms status in a predicate.
public let HKPredicateKeyPathECGSymptomsStatus: String = "symptomsStatus"

/// The key path of end date in a predicate.
public let HKPredicateKeyPathEndDate: String = "endDate"

/// The key path of log origin in a predicate.
public let HKPredicateKeyPathLogOrigin: String = "logOrigin"

/// The key path of max in a predicate.
public let HKPredicateKeyPathMax: String = "maximumQuantity"

/// The key path of medication concept identifier in a predicate.
public let HKPredicateKeyPathMedicationConceptIdentifier: String = "medicationConceptIdentifier"

/// The key path of metadata in a predicate.
public let HKPredicateKeyPathMetadata: String = "metadata"

/// The key path of min in a predicate.
public let HKPredicateKeyPathMin: String = "minimumQuantity"

/// The key path of most recent in a predicate.
public let HKPredicateKeyPathMostRecent: String = "mostRecentQuantity"

/// The key path of most recent duration in a predicate.
public let HKPredicateKeyPathMostRecentDuration: String = "mostRecentDuration"

/// The key path of most recent end date in a predicate.
public let HKPredicateKeyPathMostRecentEndDate: String = "mostRecentEndDate"

/// The key path of most recent start date in a predicate.
public let HKPredicateKeyPathMostRecentStartDate: String = "mostRecentStartDate"

/// The key path of quantity in a predicate.
public let HKPredicateKeyPathQuantity: String = "quantity"

/// The key path of scheduled date in a predicate.
public let HKPredicateKeyPathScheduledDate: String = "scheduledDate"

/// The key path of source in a predicate.
public let HKPredicateKeyPathSource: String = "source"

/// The key path of source revision in a predicate.
public let HKPredicateKeyPathSourceRevision: String = "sourceRevision"

/// The key path of start date in a predicate.
public let HKPredicateKeyPathStartDate: String = "startDate"

/// The key path of status in a predicate.
public let HKPredicateKeyPathStatus: String = "status"

/// The key path of sum in a predicate.
public let HKPredicateKeyPathSum: String = "sumQuantity"

/// The key path of UUID in a predicate.
public let HKPredicateKeyPathUUID: String = "UUID"

/// The key path of workout in a predicate.
public let HKPredicateKeyPathWorkout: String = "workout"

/// The key path of workout activity in a predicate.
public let HKPredicateKeyPathWorkoutActivity: String = "workoutActivity"

/// The key path of workout activity average quantity in a predicate.
public let HKPredicateKeyPathWorkoutActivityAverageQuantity: String = "workoutActivity.averageQuantity"

/// The key path of workout activity duration in a predicate.
public let HKPredicateKeyPathWorkoutActivityDuration: String = "workoutActivity.duration"

/// The key path of workout activity end date in a predicate.
public let HKPredicateKeyPathWorkoutActivityEndDate: String = "workoutActivity.endDate"

/// The key path of workout activity maximum quantity in a predicate.
public let HKPredicateKeyPathWorkoutActivityMaximumQuantity: String = "workoutActivity.maximumQuantity"

/// The key path of workout activity minimum quantity in a predicate.
public let HKPredicateKeyPathWorkoutActivityMinimumQuantity: String = "workoutActivity.minimumQuantity"

/// The key path of workout activity start date in a predicate.
public let HKPredicateKeyPathWorkoutActivityStartDate: String = "workoutActivity.startDate"

/// The key path of workout activity sum quantity in a predicate.
public let HKPredicateKeyPathWorkoutActivitySumQuantity: String = "workoutActivity.sumQuantity"

/// The key path of workout activity type in a predicate.
public let HKPredicateKeyPathWorkoutActivityType: String = "workoutActivity.activityType"

/// The key path of workout average quantity in a predicate.
public let HKPredicateKeyPathWorkoutAverageQuantity: String = "workoutAverageQuantity"

/// The key path of workout duration in a predicate.
public let HKPredicateKeyPathWorkoutDuration: String = "duration"

/// The key path of workout effort relationship in a predicate.
public let HKPredicateKeyPathWorkoutEffortRelationship: String = "workoutEffortRelationship"

/// The key path of workout maximum quantity in a predicate.
public let HKPredicateKeyPathWorkoutMaximumQuantity: String = "workoutMaximumQuantity"

/// The key path of workout minimum quantity in a predicate.
public let HKPredicateKeyPathWorkoutMinimumQuantity: String = "workoutMinimumQuantity"

/// The key path of workout sum quantity in a predicate.
public let HKPredicateKeyPathWorkoutSumQuantity: String = "workoutSumQuantity"

/// The key path of workout total distance in a predicate.
public let HKPredicateKeyPathWorkoutTotalDistance: String = "totalDistance"

/// The key path of workout total energy burned in a predicate.
public let HKPredicateKeyPathWorkoutTotalEnergyBurned: String = "totalEnergyBurned"

/// The key path of workout total flights climbed in a predicate.
public let HKPredicateKeyPathWorkoutTotalFlightsClimbed: String = "totalFlightsClimbed"

/// The key path of workout total swimming stroke count in a predicate.
public let HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount: String = "totalSwimmingStrokeCount"

/// The key path of workout type in a predicate.
public let HKPredicateKeyPathWorkoutType: String = "workoutActivityType"

/// Sorts samples by end date.
public let HKSampleSortIdentifierEndDate: String = "endDate"

/// Sorts samples by start date.
public let HKSampleSortIdentifierStartDate: String = "startDate"

/// The key path of whether a medication has a schedule.
public let HKUserAnnotatedMedicationPredicateKeyPathHasSchedule: String = "hasSchedule"

/// The key path of whether a medication is archived.
public let HKUserAnnotatedMedicationPredicateKeyPathIsArchived: String = "isArchived"

/// The name of the type vision prescription.
public let HKVisionPrescriptionTypeIdentifier: String = "HKVisionPrescriptionTypeIdentifier"

/// The name of the type workout route.
public let HKWorkoutRouteTypeIdentifier: String = "HKWorkoutRouteTypeIdentifier"

/// Sorts workouts by duration.
public let HKWorkoutSortIdentifierDuration: String = "duration"

/// Sorts workouts by total distance.
public let HKWorkoutSortIdentifierTotalDistance: String = "totalDistance"

/// Sorts workouts by total energy burned.
public let HKWorkoutSortIdentifierTotalEnergyBurned: String = "totalEnergyBurned"

/// Sorts workouts by total flights climbed.
public let HKWorkoutSortIdentifierTotalFlightsClimbed: String = "totalFlightsClimbed"

/// Sorts workouts by total swimming stroke count.
public let HKWorkoutSortIdentifierTotalSwimmingStrokeCount: String = "totalSwimmingStrokeCount"

/// The name of the type workout.
public let HKWorkoutTypeIdentifier: String = "HKWorkoutTypeIdentifier"
