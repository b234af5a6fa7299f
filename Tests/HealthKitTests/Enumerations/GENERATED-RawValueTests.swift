// Made by Scripts/generate-healthkit-symbols.py; edit that, not this.

import HealthKit
import Testing

/// Every raw value of the table of public symbols: 452.
@Suite struct RawValueTests {
    @Test func rawValuesOfHKActivityMoveMode() {
        expect(HKActivityMoveMode.activeEnergy, 1)
        expect(HKActivityMoveMode.appleMoveTime, 2)
    }

    @Test func rawValuesOfHKAppleECGAlgorithmVersion() {
        expect(HKAppleECGAlgorithmVersion.version1, 1)
        expect(HKAppleECGAlgorithmVersion.version2, 2)
    }

    @Test func rawValuesOfHKAppleSleepingBreathingDisturbancesClassification() {
        expect(HKAppleSleepingBreathingDisturbancesClassification.notElevated, 0)
        expect(HKAppleSleepingBreathingDisturbancesClassification.elevated, 1)
    }

    @Test func rawValuesOfHKAppleWalkingSteadinessClassification() {
        expect(HKAppleWalkingSteadinessClassification.ok, 1)
        expect(HKAppleWalkingSteadinessClassification.low, 2)
        expect(HKAppleWalkingSteadinessClassification.veryLow, 3)
    }

    @Test func rawValuesOfHKAudiogramConductionType() {
        expect(HKAudiogramConductionType.air, 0)
    }

    @Test func rawValuesOfHKAudiogramSensitivityTestSide() {
        expect(HKAudiogramSensitivityTestSide.left, 0)
        expect(HKAudiogramSensitivityTestSide.right, 1)
    }

    @Test func rawValuesOfHKAuthorizationRequestStatus() {
        expect(HKAuthorizationRequestStatus.unknown, 0)
        expect(HKAuthorizationRequestStatus.shouldRequest, 1)
        expect(HKAuthorizationRequestStatus.unnecessary, 2)
    }

    @Test func rawValuesOfHKAuthorizationStatus() {
        expect(HKAuthorizationStatus.notDetermined, 0)
        expect(HKAuthorizationStatus.sharingDenied, 1)
        expect(HKAuthorizationStatus.sharingAuthorized, 2)
    }

    @Test func rawValuesOfHKBiologicalSex() {
        expect(HKBiologicalSex.notSet, 0)
        expect(HKBiologicalSex.female, 1)
        expect(HKBiologicalSex.male, 2)
        expect(HKBiologicalSex.other, 3)
    }

    @Test func rawValuesOfHKBloodGlucoseMealTime() {
        expect(HKBloodGlucoseMealTime.preprandial, 1)
        expect(HKBloodGlucoseMealTime.postprandial, 2)
    }

    @Test func rawValuesOfHKBloodType() {
        expect(HKBloodType.notSet, 0)
        expect(HKBloodType.aPositive, 1)
        expect(HKBloodType.aNegative, 2)
        expect(HKBloodType.bPositive, 3)
        expect(HKBloodType.bNegative, 4)
        expect(HKBloodType.abPositive, 5)
        expect(HKBloodType.abNegative, 6)
        expect(HKBloodType.oPositive, 7)
        expect(HKBloodType.oNegative, 8)
    }

    @Test func rawValuesOfHKBodyTemperatureSensorLocation() {
        expect(HKBodyTemperatureSensorLocation.other, 0)
        expect(HKBodyTemperatureSensorLocation.armpit, 1)
        expect(HKBodyTemperatureSensorLocation.body, 2)
        expect(HKBodyTemperatureSensorLocation.ear, 3)
        expect(HKBodyTemperatureSensorLocation.finger, 4)
        expect(HKBodyTemperatureSensorLocation.gastroIntestinal, 5)
        expect(HKBodyTemperatureSensorLocation.mouth, 6)
        expect(HKBodyTemperatureSensorLocation.rectum, 7)
        expect(HKBodyTemperatureSensorLocation.toe, 8)
        expect(HKBodyTemperatureSensorLocation.earDrum, 9)
        expect(HKBodyTemperatureSensorLocation.temporalArtery, 10)
        expect(HKBodyTemperatureSensorLocation.forehead, 11)
    }

    @Test func rawValuesOfHKCategoryValue() {
        expect(HKCategoryValue.notApplicable, 0)
    }

    @Test func rawValuesOfHKCategoryValueAppetiteChanges() {
        expect(HKCategoryValueAppetiteChanges.unspecified, 0)
        expect(HKCategoryValueAppetiteChanges.noChange, 1)
        expect(HKCategoryValueAppetiteChanges.decreased, 2)
        expect(HKCategoryValueAppetiteChanges.increased, 3)
    }

    @Test func rawValuesOfHKCategoryValueAppleStandHour() {
        expect(HKCategoryValueAppleStandHour.stood, 0)
        expect(HKCategoryValueAppleStandHour.idle, 1)
    }

    @Test func rawValuesOfHKCategoryValueAppleWalkingSteadinessEvent() {
        expect(HKCategoryValueAppleWalkingSteadinessEvent.initialLow, 1)
        expect(HKCategoryValueAppleWalkingSteadinessEvent.initialVeryLow, 2)
        expect(HKCategoryValueAppleWalkingSteadinessEvent.repeatLow, 3)
        expect(HKCategoryValueAppleWalkingSteadinessEvent.repeatVeryLow, 4)
    }

    @Test func rawValuesOfHKCategoryValueAudioExposureEvent() {
        expect(HKCategoryValueAudioExposureEvent.loudEnvironment, 1)
    }

    @Test func rawValuesOfHKCategoryValueCervicalMucusQuality() {
        expect(HKCategoryValueCervicalMucusQuality.dry, 1)
        expect(HKCategoryValueCervicalMucusQuality.sticky, 2)
        expect(HKCategoryValueCervicalMucusQuality.creamy, 3)
        expect(HKCategoryValueCervicalMucusQuality.watery, 4)
        expect(HKCategoryValueCervicalMucusQuality.eggWhite, 5)
    }

    @Test func rawValuesOfHKCategoryValueContraceptive() {
        expect(HKCategoryValueContraceptive.unspecified, 1)
        expect(HKCategoryValueContraceptive.implant, 2)
        expect(HKCategoryValueContraceptive.injection, 3)
        expect(HKCategoryValueContraceptive.intrauterineDevice, 4)
        expect(HKCategoryValueContraceptive.intravaginalRing, 5)
        expect(HKCategoryValueContraceptive.oral, 6)
        expect(HKCategoryValueContraceptive.patch, 7)
    }

    @Test func rawValuesOfHKCategoryValueEnvironmentalAudioExposureEvent() {
        expect(HKCategoryValueEnvironmentalAudioExposureEvent.momentaryLimit, 1)
    }

    @Test func rawValuesOfHKCategoryValueHeadphoneAudioExposureEvent() {
        expect(HKCategoryValueHeadphoneAudioExposureEvent.sevenDayLimit, 1)
    }

    @Test func rawValuesOfHKCategoryValueLowCardioFitnessEvent() {
        expect(HKCategoryValueLowCardioFitnessEvent.lowFitness, 1)
    }

    @Test func rawValuesOfHKCategoryValueMenstrualFlow() {
        expect(HKCategoryValueMenstrualFlow.unspecified, 1)
        expect(HKCategoryValueMenstrualFlow.light, 2)
        expect(HKCategoryValueMenstrualFlow.medium, 3)
        expect(HKCategoryValueMenstrualFlow.heavy, 4)
        expect(HKCategoryValueMenstrualFlow.`none`, 5)
    }

    @Test func rawValuesOfHKCategoryValueOvulationTestResult() {
        expect(HKCategoryValueOvulationTestResult.negative, 1)
        expect(HKCategoryValueOvulationTestResult.luteinizingHormoneSurge, 2)
        expect(HKCategoryValueOvulationTestResult.indeterminate, 3)
        expect(HKCategoryValueOvulationTestResult.estrogenSurge, 4)
        #expect(HKCategoryValueOvulationTestResult.positive == .luteinizingHormoneSurge)
    }

    @Test func rawValuesOfHKCategoryValuePregnancyTestResult() {
        expect(HKCategoryValuePregnancyTestResult.negative, 1)
        expect(HKCategoryValuePregnancyTestResult.positive, 2)
        expect(HKCategoryValuePregnancyTestResult.indeterminate, 3)
    }

    @Test func rawValuesOfHKCategoryValuePresence() {
        expect(HKCategoryValuePresence.present, 0)
        expect(HKCategoryValuePresence.notPresent, 1)
    }

    @Test func rawValuesOfHKCategoryValueProgesteroneTestResult() {
        expect(HKCategoryValueProgesteroneTestResult.negative, 1)
        expect(HKCategoryValueProgesteroneTestResult.positive, 2)
        expect(HKCategoryValueProgesteroneTestResult.indeterminate, 3)
    }

    @Test func rawValuesOfHKCategoryValueSeverity() {
        expect(HKCategoryValueSeverity.unspecified, 0)
        expect(HKCategoryValueSeverity.notPresent, 1)
        expect(HKCategoryValueSeverity.mild, 2)
        expect(HKCategoryValueSeverity.moderate, 3)
        expect(HKCategoryValueSeverity.severe, 4)
    }

    @Test func rawValuesOfHKCategoryValueSleepAnalysis() {
        expect(HKCategoryValueSleepAnalysis.inBed, 0)
        expect(HKCategoryValueSleepAnalysis.asleepUnspecified, 1)
        expect(HKCategoryValueSleepAnalysis.awake, 2)
        expect(HKCategoryValueSleepAnalysis.asleepCore, 3)
        expect(HKCategoryValueSleepAnalysis.asleepDeep, 4)
        expect(HKCategoryValueSleepAnalysis.asleepREM, 5)
        #expect(HKCategoryValueSleepAnalysis.asleep == .asleepUnspecified)
    }

    @Test func rawValuesOfHKCategoryValueVaginalBleeding() {
        expect(HKCategoryValueVaginalBleeding.unspecified, 1)
        expect(HKCategoryValueVaginalBleeding.light, 2)
        expect(HKCategoryValueVaginalBleeding.medium, 3)
        expect(HKCategoryValueVaginalBleeding.heavy, 4)
        expect(HKCategoryValueVaginalBleeding.`none`, 5)
    }

    @Test func rawValuesOfHKCyclingFunctionalThresholdPowerTestType() {
        expect(HKCyclingFunctionalThresholdPowerTestType.maxExercise60Minute, 1)
        expect(HKCyclingFunctionalThresholdPowerTestType.maxExercise20Minute, 2)
        expect(HKCyclingFunctionalThresholdPowerTestType.rampTest, 3)
        expect(HKCyclingFunctionalThresholdPowerTestType.predictionExercise, 4)
    }

    @Test func rawValuesOfHKDevicePlacementSide() {
        expect(HKDevicePlacementSide.unknown, 0)
        expect(HKDevicePlacementSide.left, 1)
        expect(HKDevicePlacementSide.right, 2)
        expect(HKDevicePlacementSide.central, 3)
    }

    @Test func rawValuesOfHKElectrocardiogramClassification() {
        expect(HKElectrocardiogram.Classification.notSet, 0)
        expect(HKElectrocardiogram.Classification.sinusRhythm, 1)
        expect(HKElectrocardiogram.Classification.atrialFibrillation, 2)
        expect(HKElectrocardiogram.Classification.inconclusiveLowHeartRate, 3)
        expect(HKElectrocardiogram.Classification.inconclusiveHighHeartRate, 4)
        expect(HKElectrocardiogram.Classification.inconclusivePoorReading, 5)
        expect(HKElectrocardiogram.Classification.inconclusiveOther, 6)
        expect(HKElectrocardiogram.Classification.unrecognized, 100)
    }

    @Test func rawValuesOfHKElectrocardiogramLead() {
        expect(HKElectrocardiogram.Lead.appleWatchSimilarToLeadI, 1)
    }

    @Test func rawValuesOfHKElectrocardiogramSymptomsStatus() {
        expect(HKElectrocardiogram.SymptomsStatus.notSet, 0)
        expect(HKElectrocardiogram.SymptomsStatus.`none`, 1)
        expect(HKElectrocardiogram.SymptomsStatus.present, 2)
    }

    @Test func rawValuesOfHKErrorCode() {
        expect(HKError.Code.unknownError, 0)
        expect(HKError.Code.errorHealthDataUnavailable, 1)
        expect(HKError.Code.errorHealthDataRestricted, 2)
        expect(HKError.Code.errorInvalidArgument, 3)
        expect(HKError.Code.errorAuthorizationDenied, 4)
        expect(HKError.Code.errorAuthorizationNotDetermined, 5)
        expect(HKError.Code.errorDatabaseInaccessible, 6)
        expect(HKError.Code.errorUserCanceled, 7)
        expect(HKError.Code.errorAnotherWorkoutSessionStarted, 8)
        expect(HKError.Code.errorUserExitedWorkoutSession, 9)
        expect(HKError.Code.errorRequiredAuthorizationDenied, 10)
        expect(HKError.Code.errorNoData, 11)
        expect(HKError.Code.errorWorkoutActivityNotAllowed, 12)
        expect(HKError.Code.errorDataSizeExceeded, 13)
        expect(HKError.Code.errorBackgroundWorkoutSessionNotAllowed, 14)
        expect(HKError.Code.errorNotPermissibleForGuestUserMode, 15)
        #expect(HKError.Code.noError == .unknownError)
    }

    @Test func rawValuesOfHKFitzpatrickSkinType() {
        expect(HKFitzpatrickSkinType.notSet, 0)
        expect(HKFitzpatrickSkinType.I, 1)
        expect(HKFitzpatrickSkinType.II, 2)
        expect(HKFitzpatrickSkinType.III, 3)
        expect(HKFitzpatrickSkinType.IV, 4)
        expect(HKFitzpatrickSkinType.V, 5)
        expect(HKFitzpatrickSkinType.VI, 6)
    }

    @Test func rawValuesOfHKGAD7AssessmentAnswer() {
        expect(HKGAD7Assessment.Answer.notAtAll, 0)
        expect(HKGAD7Assessment.Answer.severalDays, 1)
        expect(HKGAD7Assessment.Answer.moreThanHalfTheDays, 2)
        expect(HKGAD7Assessment.Answer.nearlyEveryDay, 3)
    }

    @Test func rawValuesOfHKGAD7AssessmentRisk() {
        expect(HKGAD7Assessment.Risk.noneToMinimal, 1)
        expect(HKGAD7Assessment.Risk.mild, 2)
        expect(HKGAD7Assessment.Risk.moderate, 3)
        expect(HKGAD7Assessment.Risk.severe, 4)
    }

    @Test func rawValuesOfHKHeartRateMotionContext() {
        expect(HKHeartRateMotionContext.notSet, 0)
        expect(HKHeartRateMotionContext.sedentary, 1)
        expect(HKHeartRateMotionContext.active, 2)
    }

    @Test func rawValuesOfHKHeartRateRecoveryTestType() {
        expect(HKHeartRateRecoveryTestType.maxExercise, 1)
        expect(HKHeartRateRecoveryTestType.predictionSubMaxExercise, 2)
        expect(HKHeartRateRecoveryTestType.predictionNonExercise, 3)
    }

    @Test func rawValuesOfHKHeartRateSensorLocation() {
        expect(HKHeartRateSensorLocation.other, 0)
        expect(HKHeartRateSensorLocation.chest, 1)
        expect(HKHeartRateSensorLocation.wrist, 2)
        expect(HKHeartRateSensorLocation.finger, 3)
        expect(HKHeartRateSensorLocation.hand, 4)
        expect(HKHeartRateSensorLocation.earLobe, 5)
        expect(HKHeartRateSensorLocation.foot, 6)
    }

    @Test func rawValuesOfHKInsulinDeliveryReason() {
        expect(HKInsulinDeliveryReason.basal, 1)
        expect(HKInsulinDeliveryReason.bolus, 2)
    }

    @Test func rawValuesOfHKMedicationDoseEventLogStatus() {
        expect(HKMedicationDoseEvent.LogStatus.notInteracted, 1)
        expect(HKMedicationDoseEvent.LogStatus.notificationNotSent, 2)
        expect(HKMedicationDoseEvent.LogStatus.snoozed, 3)
        expect(HKMedicationDoseEvent.LogStatus.taken, 4)
        expect(HKMedicationDoseEvent.LogStatus.skipped, 5)
        expect(HKMedicationDoseEvent.LogStatus.notLogged, 6)
    }

    @Test func rawValuesOfHKMedicationDoseEventScheduleType() {
        expect(HKMedicationDoseEvent.ScheduleType.asNeeded, 1)
        expect(HKMedicationDoseEvent.ScheduleType.schedule, 2)
    }

    @Test func rawValuesOfHKMetricPrefix() {
        expect(HKMetricPrefix.`none`, 0)
        expect(HKMetricPrefix.pico, 1)
        expect(HKMetricPrefix.nano, 2)
        expect(HKMetricPrefix.micro, 3)
        expect(HKMetricPrefix.milli, 4)
        expect(HKMetricPrefix.centi, 5)
        expect(HKMetricPrefix.deci, 6)
        expect(HKMetricPrefix.deca, 7)
        expect(HKMetricPrefix.hecto, 8)
        expect(HKMetricPrefix.kilo, 9)
        expect(HKMetricPrefix.mega, 10)
        expect(HKMetricPrefix.giga, 11)
        expect(HKMetricPrefix.tera, 12)
        expect(HKMetricPrefix.femto, 13)
    }

    @Test func rawValuesOfHKPHQ9AssessmentAnswer() {
        expect(HKPHQ9Assessment.Answer.notAtAll, 0)
        expect(HKPHQ9Assessment.Answer.severalDays, 1)
        expect(HKPHQ9Assessment.Answer.moreThanHalfTheDays, 2)
        expect(HKPHQ9Assessment.Answer.nearlyEveryDay, 3)
        expect(HKPHQ9Assessment.Answer.preferNotToAnswer, 4)
    }

    @Test func rawValuesOfHKPHQ9AssessmentRisk() {
        expect(HKPHQ9Assessment.Risk.noneToMinimal, 1)
        expect(HKPHQ9Assessment.Risk.mild, 2)
        expect(HKPHQ9Assessment.Risk.moderate, 3)
        expect(HKPHQ9Assessment.Risk.moderatelySevere, 4)
        expect(HKPHQ9Assessment.Risk.severe, 5)
    }

    @Test func rawValuesOfHKPhysicalEffortEstimationType() {
        expect(HKPhysicalEffortEstimationType.activityLookup, 1)
        expect(HKPhysicalEffortEstimationType.deviceSensed, 2)
    }

    @Test func rawValuesOfHKPrismBase() {
        expect(HKPrismBase.`none`, 0)
        expect(HKPrismBase.up, 1)
        expect(HKPrismBase.down, 2)
        expect(HKPrismBase.`in`, 3)
        expect(HKPrismBase.out, 4)
    }

    @Test func rawValuesOfHKQuantityAggregationStyle() {
        expect(HKQuantityAggregationStyle.cumulative, 0)
        expect(HKQuantityAggregationStyle.discreteArithmetic, 1)
        expect(HKQuantityAggregationStyle.discreteTemporallyWeighted, 2)
        expect(HKQuantityAggregationStyle.discreteEquivalentContinuousLevel, 3)
        #expect(HKQuantityAggregationStyle.discrete == .discreteArithmetic)
    }

    @Test func rawValuesOfHKStateOfMindAssociation() {
        expect(HKStateOfMind.Association.community, 1)
        expect(HKStateOfMind.Association.currentEvents, 2)
        expect(HKStateOfMind.Association.dating, 3)
        expect(HKStateOfMind.Association.education, 4)
        expect(HKStateOfMind.Association.family, 5)
        expect(HKStateOfMind.Association.fitness, 6)
        expect(HKStateOfMind.Association.friends, 7)
        expect(HKStateOfMind.Association.health, 8)
        expect(HKStateOfMind.Association.hobbies, 9)
        expect(HKStateOfMind.Association.identity, 10)
        expect(HKStateOfMind.Association.money, 11)
        expect(HKStateOfMind.Association.partner, 12)
        expect(HKStateOfMind.Association.selfCare, 13)
        expect(HKStateOfMind.Association.spirituality, 14)
        expect(HKStateOfMind.Association.tasks, 15)
        expect(HKStateOfMind.Association.travel, 16)
        expect(HKStateOfMind.Association.work, 17)
        expect(HKStateOfMind.Association.weather, 18)
    }

    @Test func rawValuesOfHKStateOfMindKind() {
        expect(HKStateOfMind.Kind.momentaryEmotion, 1)
        expect(HKStateOfMind.Kind.dailyMood, 2)
    }

    @Test func rawValuesOfHKStateOfMindLabel() {
        expect(HKStateOfMind.Label.amazed, 1)
        expect(HKStateOfMind.Label.amused, 2)
        expect(HKStateOfMind.Label.angry, 3)
        expect(HKStateOfMind.Label.anxious, 4)
        expect(HKStateOfMind.Label.ashamed, 5)
        expect(HKStateOfMind.Label.brave, 6)
        expect(HKStateOfMind.Label.calm, 7)
        expect(HKStateOfMind.Label.content, 8)
        expect(HKStateOfMind.Label.disappointed, 9)
        expect(HKStateOfMind.Label.discouraged, 10)
        expect(HKStateOfMind.Label.disgusted, 11)
        expect(HKStateOfMind.Label.embarrassed, 12)
        expect(HKStateOfMind.Label.excited, 13)
        expect(HKStateOfMind.Label.frustrated, 14)
        expect(HKStateOfMind.Label.grateful, 15)
        expect(HKStateOfMind.Label.guilty, 16)
        expect(HKStateOfMind.Label.happy, 17)
        expect(HKStateOfMind.Label.hopeless, 18)
        expect(HKStateOfMind.Label.irritated, 19)
        expect(HKStateOfMind.Label.jealous, 20)
        expect(HKStateOfMind.Label.joyful, 21)
        expect(HKStateOfMind.Label.lonely, 22)
        expect(HKStateOfMind.Label.passionate, 23)
        expect(HKStateOfMind.Label.peaceful, 24)
        expect(HKStateOfMind.Label.proud, 25)
        expect(HKStateOfMind.Label.relieved, 26)
        expect(HKStateOfMind.Label.sad, 27)
        expect(HKStateOfMind.Label.scared, 28)
        expect(HKStateOfMind.Label.stressed, 29)
        expect(HKStateOfMind.Label.surprised, 30)
        expect(HKStateOfMind.Label.worried, 31)
        expect(HKStateOfMind.Label.annoyed, 32)
        expect(HKStateOfMind.Label.confident, 33)
        expect(HKStateOfMind.Label.drained, 34)
        expect(HKStateOfMind.Label.hopeful, 35)
        expect(HKStateOfMind.Label.indifferent, 36)
        expect(HKStateOfMind.Label.overwhelmed, 37)
        expect(HKStateOfMind.Label.satisfied, 38)
    }

    @Test func rawValuesOfHKStateOfMindValenceClassification() {
        expect(HKStateOfMind.ValenceClassification.veryUnpleasant, 1)
        expect(HKStateOfMind.ValenceClassification.unpleasant, 2)
        expect(HKStateOfMind.ValenceClassification.slightlyUnpleasant, 3)
        expect(HKStateOfMind.ValenceClassification.neutral, 4)
        expect(HKStateOfMind.ValenceClassification.slightlyPleasant, 5)
        expect(HKStateOfMind.ValenceClassification.pleasant, 6)
        expect(HKStateOfMind.ValenceClassification.veryPleasant, 7)
    }

    @Test func rawValuesOfHKSwimmingStrokeStyle() {
        expect(HKSwimmingStrokeStyle.unknown, 0)
        expect(HKSwimmingStrokeStyle.mixed, 1)
        expect(HKSwimmingStrokeStyle.freestyle, 2)
        expect(HKSwimmingStrokeStyle.backstroke, 3)
        expect(HKSwimmingStrokeStyle.breaststroke, 4)
        expect(HKSwimmingStrokeStyle.butterfly, 5)
        expect(HKSwimmingStrokeStyle.kickboard, 6)
    }

    @Test func rawValuesOfHKUpdateFrequency() {
        expect(HKUpdateFrequency.immediate, 1)
        expect(HKUpdateFrequency.hourly, 2)
        expect(HKUpdateFrequency.daily, 3)
        expect(HKUpdateFrequency.weekly, 4)
    }

    @Test func rawValuesOfHKUserMotionContext() {
        expect(HKUserMotionContext.notSet, 0)
        expect(HKUserMotionContext.stationary, 1)
        expect(HKUserMotionContext.active, 2)
    }

    @Test func rawValuesOfHKVO2MaxTestType() {
        expect(HKVO2MaxTestType.maxExercise, 1)
        expect(HKVO2MaxTestType.predictionSubMaxExercise, 2)
        expect(HKVO2MaxTestType.predictionNonExercise, 3)
        expect(HKVO2MaxTestType.predictionStepTest, 4)
    }

    @Test func rawValuesOfHKVisionEye() {
        expect(HKVisionEye.left, 1)
        expect(HKVisionEye.right, 2)
    }

    @Test func rawValuesOfHKVisionPrescriptionType() {
        expect(HKVisionPrescriptionType.glasses, 1)
        expect(HKVisionPrescriptionType.contacts, 2)
    }

    @Test func rawValuesOfHKWaterSalinity() {
        expect(HKWaterSalinity.freshWater, 1)
        expect(HKWaterSalinity.saltWater, 2)
    }

    @Test func rawValuesOfHKWeatherCondition() {
        expect(HKWeatherCondition.`none`, 0)
        expect(HKWeatherCondition.clear, 1)
        expect(HKWeatherCondition.fair, 2)
        expect(HKWeatherCondition.partlyCloudy, 3)
        expect(HKWeatherCondition.mostlyCloudy, 4)
        expect(HKWeatherCondition.cloudy, 5)
        expect(HKWeatherCondition.foggy, 6)
        expect(HKWeatherCondition.haze, 7)
        expect(HKWeatherCondition.windy, 8)
        expect(HKWeatherCondition.blustery, 9)
        expect(HKWeatherCondition.smoky, 10)
        expect(HKWeatherCondition.dust, 11)
        expect(HKWeatherCondition.snow, 12)
        expect(HKWeatherCondition.hail, 13)
        expect(HKWeatherCondition.sleet, 14)
        expect(HKWeatherCondition.freezingDrizzle, 15)
        expect(HKWeatherCondition.freezingRain, 16)
        expect(HKWeatherCondition.mixedRainAndHail, 17)
        expect(HKWeatherCondition.mixedRainAndSnow, 18)
        expect(HKWeatherCondition.mixedRainAndSleet, 19)
        expect(HKWeatherCondition.mixedSnowAndSleet, 20)
        expect(HKWeatherCondition.drizzle, 21)
        expect(HKWeatherCondition.scatteredShowers, 22)
        expect(HKWeatherCondition.showers, 23)
        expect(HKWeatherCondition.thunderstorms, 24)
        expect(HKWeatherCondition.tropicalStorm, 25)
        expect(HKWeatherCondition.hurricane, 26)
        expect(HKWeatherCondition.tornado, 27)
    }

    @Test func rawValuesOfHKWheelchairUse() {
        expect(HKWheelchairUse.notSet, 0)
        expect(HKWheelchairUse.no, 1)
        expect(HKWheelchairUse.yes, 2)
    }

    @Test func rawValuesOfHKWorkoutActivityType() {
        expect(HKWorkoutActivityType.americanFootball, 1)
        expect(HKWorkoutActivityType.archery, 2)
        expect(HKWorkoutActivityType.australianFootball, 3)
        expect(HKWorkoutActivityType.badminton, 4)
        expect(HKWorkoutActivityType.baseball, 5)
        expect(HKWorkoutActivityType.basketball, 6)
        expect(HKWorkoutActivityType.bowling, 7)
        expect(HKWorkoutActivityType.boxing, 8)
        expect(HKWorkoutActivityType.climbing, 9)
        expect(HKWorkoutActivityType.cricket, 10)
        expect(HKWorkoutActivityType.crossTraining, 11)
        expect(HKWorkoutActivityType.curling, 12)
        expect(HKWorkoutActivityType.cycling, 13)
        expect(HKWorkoutActivityType.dance, 14)
        expect(HKWorkoutActivityType.danceInspiredTraining, 15)
        expect(HKWorkoutActivityType.elliptical, 16)
        expect(HKWorkoutActivityType.equestrianSports, 17)
        expect(HKWorkoutActivityType.fencing, 18)
        expect(HKWorkoutActivityType.fishing, 19)
        expect(HKWorkoutActivityType.functionalStrengthTraining, 20)
        expect(HKWorkoutActivityType.golf, 21)
        expect(HKWorkoutActivityType.gymnastics, 22)
        expect(HKWorkoutActivityType.handball, 23)
        expect(HKWorkoutActivityType.hiking, 24)
        expect(HKWorkoutActivityType.hockey, 25)
        expect(HKWorkoutActivityType.hunting, 26)
        expect(HKWorkoutActivityType.lacrosse, 27)
        expect(HKWorkoutActivityType.martialArts, 28)
        expect(HKWorkoutActivityType.mindAndBody, 29)
        expect(HKWorkoutActivityType.mixedMetabolicCardioTraining, 30)
        expect(HKWorkoutActivityType.paddleSports, 31)
        expect(HKWorkoutActivityType.play, 32)
        expect(HKWorkoutActivityType.preparationAndRecovery, 33)
        expect(HKWorkoutActivityType.racquetball, 34)
        expect(HKWorkoutActivityType.rowing, 35)
        expect(HKWorkoutActivityType.rugby, 36)
        expect(HKWorkoutActivityType.running, 37)
        expect(HKWorkoutActivityType.sailing, 38)
        expect(HKWorkoutActivityType.skatingSports, 39)
        expect(HKWorkoutActivityType.snowSports, 40)
        expect(HKWorkoutActivityType.soccer, 41)
        expect(HKWorkoutActivityType.softball, 42)
        expect(HKWorkoutActivityType.squash, 43)
        expect(HKWorkoutActivityType.stairClimbing, 44)
        expect(HKWorkoutActivityType.surfingSports, 45)
        expect(HKWorkoutActivityType.swimming, 46)
        expect(HKWorkoutActivityType.tableTennis, 47)
        expect(HKWorkoutActivityType.tennis, 48)
        expect(HKWorkoutActivityType.trackAndField, 49)
        expect(HKWorkoutActivityType.traditionalStrengthTraining, 50)
        expect(HKWorkoutActivityType.volleyball, 51)
        expect(HKWorkoutActivityType.walking, 52)
        expect(HKWorkoutActivityType.waterFitness, 53)
        expect(HKWorkoutActivityType.waterPolo, 54)
        expect(HKWorkoutActivityType.waterSports, 55)
        expect(HKWorkoutActivityType.wrestling, 56)
        expect(HKWorkoutActivityType.yoga, 57)
        expect(HKWorkoutActivityType.barre, 58)
        expect(HKWorkoutActivityType.coreTraining, 59)
        expect(HKWorkoutActivityType.crossCountrySkiing, 60)
        expect(HKWorkoutActivityType.downhillSkiing, 61)
        expect(HKWorkoutActivityType.flexibility, 62)
        expect(HKWorkoutActivityType.highIntensityIntervalTraining, 63)
        expect(HKWorkoutActivityType.jumpRope, 64)
        expect(HKWorkoutActivityType.kickboxing, 65)
        expect(HKWorkoutActivityType.pilates, 66)
        expect(HKWorkoutActivityType.snowboarding, 67)
        expect(HKWorkoutActivityType.stairs, 68)
        expect(HKWorkoutActivityType.stepTraining, 69)
        expect(HKWorkoutActivityType.wheelchairWalkPace, 70)
        expect(HKWorkoutActivityType.wheelchairRunPace, 71)
        expect(HKWorkoutActivityType.taiChi, 72)
        expect(HKWorkoutActivityType.mixedCardio, 73)
        expect(HKWorkoutActivityType.handCycling, 74)
        expect(HKWorkoutActivityType.discSports, 75)
        expect(HKWorkoutActivityType.fitnessGaming, 76)
        expect(HKWorkoutActivityType.cardioDance, 77)
        expect(HKWorkoutActivityType.socialDance, 78)
        expect(HKWorkoutActivityType.pickleball, 79)
        expect(HKWorkoutActivityType.cooldown, 80)
        expect(HKWorkoutActivityType.swimBikeRun, 82)
        expect(HKWorkoutActivityType.transition, 83)
        expect(HKWorkoutActivityType.underwaterDiving, 84)
        expect(HKWorkoutActivityType.other, 3000)
    }

    @Test func rawValuesOfHKWorkoutEffortRelationshipQueryOptions() {
        expect(HKWorkoutEffortRelationshipQueryOptions.`default`, 0)
        expect(HKWorkoutEffortRelationshipQueryOptions.mostRelevant, 1)
    }

    @Test func rawValuesOfHKWorkoutEventType() {
        expect(HKWorkoutEventType.pause, 1)
        expect(HKWorkoutEventType.resume, 2)
        expect(HKWorkoutEventType.lap, 3)
        expect(HKWorkoutEventType.marker, 4)
        expect(HKWorkoutEventType.motionPaused, 5)
        expect(HKWorkoutEventType.motionResumed, 6)
        expect(HKWorkoutEventType.segment, 7)
        expect(HKWorkoutEventType.pauseOrResumeRequest, 8)
    }

    @Test func rawValuesOfHKWorkoutSessionLocationType() {
        expect(HKWorkoutSessionLocationType.unknown, 1)
        expect(HKWorkoutSessionLocationType.indoor, 2)
        expect(HKWorkoutSessionLocationType.outdoor, 3)
    }

    @Test func rawValuesOfHKWorkoutSessionState() {
        expect(HKWorkoutSessionState.notStarted, 1)
        expect(HKWorkoutSessionState.running, 2)
        expect(HKWorkoutSessionState.ended, 3)
        expect(HKWorkoutSessionState.paused, 4)
        expect(HKWorkoutSessionState.prepared, 5)
        expect(HKWorkoutSessionState.stopped, 6)
    }

    @Test func rawValuesOfHKWorkoutSessionType() {
        expect(HKWorkoutSessionType.primary, 0)
        expect(HKWorkoutSessionType.mirrored, 1)
    }

    @Test func rawValuesOfHKWorkoutSwimmingLocationType() {
        expect(HKWorkoutSwimmingLocationType.unknown, 0)
        expect(HKWorkoutSwimmingLocationType.pool, 1)
        expect(HKWorkoutSwimmingLocationType.openWater, 2)
    }

    @Test func rawValuesOfHKQueryOptions() {
        expect(HKQueryOptions.strictEndDate, 2)
        expect(HKQueryOptions.strictStartDate, 1)
    }

    @Test func rawValuesOfHKStatisticsOptions() {
        expect(HKStatisticsOptions.cumulativeSum, 16)
        expect(HKStatisticsOptions.discreteAverage, 2)
        expect(HKStatisticsOptions.discreteMax, 8)
        expect(HKStatisticsOptions.discreteMin, 4)
        expect(HKStatisticsOptions.discreteMostRecent, 32)
        expect(HKStatisticsOptions.duration, 64)
        expect(HKStatisticsOptions.mostRecent, 32)
        expect(HKStatisticsOptions.separateBySource, 1)
    }

    private func expect<Value: RawRepresentable & Equatable>(_ value: Value, _ raw: Int)
    where Value.RawValue: BinaryInteger {
        #expect(value.rawValue == Value.RawValue(raw))
        #expect(Value(rawValue: Value.RawValue(raw)) == value)
    }

    private func expect(_ type: HKObjectType?, _ identifier: String) {
        #expect(type?.identifier == identifier)
    }

    /// Every name of a type is known to the catalog under that very string.
    @Test func typeIdentifiers() {
        expect(HKObjectType.quantityType(forIdentifier: .activeEnergyBurned), "HKQuantityTypeIdentifierActiveEnergyBurned")
        expect(HKObjectType.quantityType(forIdentifier: .appleExerciseTime), "HKQuantityTypeIdentifierAppleExerciseTime")
        expect(HKObjectType.quantityType(forIdentifier: .appleMoveTime), "HKQuantityTypeIdentifierAppleMoveTime")
        expect(HKObjectType.quantityType(forIdentifier: .appleSleepingBreathingDisturbances), "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances")
        expect(HKObjectType.quantityType(forIdentifier: .appleSleepingWristTemperature), "HKQuantityTypeIdentifierAppleSleepingWristTemperature")
        expect(HKObjectType.quantityType(forIdentifier: .appleStandTime), "HKQuantityTypeIdentifierAppleStandTime")
        expect(HKObjectType.quantityType(forIdentifier: .appleWalkingSteadiness), "HKQuantityTypeIdentifierAppleWalkingSteadiness")
        expect(HKObjectType.quantityType(forIdentifier: .atrialFibrillationBurden), "HKQuantityTypeIdentifierAtrialFibrillationBurden")
        expect(HKObjectType.quantityType(forIdentifier: .basalBodyTemperature), "HKQuantityTypeIdentifierBasalBodyTemperature")
        expect(HKObjectType.quantityType(forIdentifier: .basalEnergyBurned), "HKQuantityTypeIdentifierBasalEnergyBurned")
        expect(HKObjectType.quantityType(forIdentifier: .bloodAlcoholContent), "HKQuantityTypeIdentifierBloodAlcoholContent")
        expect(HKObjectType.quantityType(forIdentifier: .bloodGlucose), "HKQuantityTypeIdentifierBloodGlucose")
        expect(HKObjectType.quantityType(forIdentifier: .bloodPressureDiastolic), "HKQuantityTypeIdentifierBloodPressureDiastolic")
        expect(HKObjectType.quantityType(forIdentifier: .bloodPressureSystolic), "HKQuantityTypeIdentifierBloodPressureSystolic")
        expect(HKObjectType.quantityType(forIdentifier: .bodyFatPercentage), "HKQuantityTypeIdentifierBodyFatPercentage")
        expect(HKObjectType.quantityType(forIdentifier: .bodyMass), "HKQuantityTypeIdentifierBodyMass")
        expect(HKObjectType.quantityType(forIdentifier: .bodyMassIndex), "HKQuantityTypeIdentifierBodyMassIndex")
        expect(HKObjectType.quantityType(forIdentifier: .bodyTemperature), "HKQuantityTypeIdentifierBodyTemperature")
        expect(HKObjectType.quantityType(forIdentifier: .crossCountrySkiingSpeed), "HKQuantityTypeIdentifierCrossCountrySkiingSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .cyclingCadence), "HKQuantityTypeIdentifierCyclingCadence")
        expect(HKObjectType.quantityType(forIdentifier: .cyclingFunctionalThresholdPower), "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower")
        expect(HKObjectType.quantityType(forIdentifier: .cyclingPower), "HKQuantityTypeIdentifierCyclingPower")
        expect(HKObjectType.quantityType(forIdentifier: .cyclingSpeed), "HKQuantityTypeIdentifierCyclingSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryBiotin), "HKQuantityTypeIdentifierDietaryBiotin")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryCaffeine), "HKQuantityTypeIdentifierDietaryCaffeine")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryCalcium), "HKQuantityTypeIdentifierDietaryCalcium")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryCarbohydrates), "HKQuantityTypeIdentifierDietaryCarbohydrates")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryChloride), "HKQuantityTypeIdentifierDietaryChloride")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryCholesterol), "HKQuantityTypeIdentifierDietaryCholesterol")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryChromium), "HKQuantityTypeIdentifierDietaryChromium")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryCopper), "HKQuantityTypeIdentifierDietaryCopper")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryEnergyConsumed), "HKQuantityTypeIdentifierDietaryEnergyConsumed")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryFatMonounsaturated), "HKQuantityTypeIdentifierDietaryFatMonounsaturated")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryFatPolyunsaturated), "HKQuantityTypeIdentifierDietaryFatPolyunsaturated")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryFatSaturated), "HKQuantityTypeIdentifierDietaryFatSaturated")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryFatTotal), "HKQuantityTypeIdentifierDietaryFatTotal")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryFiber), "HKQuantityTypeIdentifierDietaryFiber")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryFolate), "HKQuantityTypeIdentifierDietaryFolate")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryIodine), "HKQuantityTypeIdentifierDietaryIodine")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryIron), "HKQuantityTypeIdentifierDietaryIron")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryMagnesium), "HKQuantityTypeIdentifierDietaryMagnesium")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryManganese), "HKQuantityTypeIdentifierDietaryManganese")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryMolybdenum), "HKQuantityTypeIdentifierDietaryMolybdenum")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryNiacin), "HKQuantityTypeIdentifierDietaryNiacin")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryPantothenicAcid), "HKQuantityTypeIdentifierDietaryPantothenicAcid")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryPhosphorus), "HKQuantityTypeIdentifierDietaryPhosphorus")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryPotassium), "HKQuantityTypeIdentifierDietaryPotassium")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryProtein), "HKQuantityTypeIdentifierDietaryProtein")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryRiboflavin), "HKQuantityTypeIdentifierDietaryRiboflavin")
        expect(HKObjectType.quantityType(forIdentifier: .dietarySelenium), "HKQuantityTypeIdentifierDietarySelenium")
        expect(HKObjectType.quantityType(forIdentifier: .dietarySodium), "HKQuantityTypeIdentifierDietarySodium")
        expect(HKObjectType.quantityType(forIdentifier: .dietarySugar), "HKQuantityTypeIdentifierDietarySugar")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryThiamin), "HKQuantityTypeIdentifierDietaryThiamin")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryVitaminA), "HKQuantityTypeIdentifierDietaryVitaminA")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryVitaminB12), "HKQuantityTypeIdentifierDietaryVitaminB12")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryVitaminB6), "HKQuantityTypeIdentifierDietaryVitaminB6")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryVitaminC), "HKQuantityTypeIdentifierDietaryVitaminC")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryVitaminD), "HKQuantityTypeIdentifierDietaryVitaminD")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryVitaminE), "HKQuantityTypeIdentifierDietaryVitaminE")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryVitaminK), "HKQuantityTypeIdentifierDietaryVitaminK")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryWater), "HKQuantityTypeIdentifierDietaryWater")
        expect(HKObjectType.quantityType(forIdentifier: .dietaryZinc), "HKQuantityTypeIdentifierDietaryZinc")
        expect(HKObjectType.quantityType(forIdentifier: .distanceCrossCountrySkiing), "HKQuantityTypeIdentifierDistanceCrossCountrySkiing")
        expect(HKObjectType.quantityType(forIdentifier: .distanceCycling), "HKQuantityTypeIdentifierDistanceCycling")
        expect(HKObjectType.quantityType(forIdentifier: .distanceDownhillSnowSports), "HKQuantityTypeIdentifierDistanceDownhillSnowSports")
        expect(HKObjectType.quantityType(forIdentifier: .distancePaddleSports), "HKQuantityTypeIdentifierDistancePaddleSports")
        expect(HKObjectType.quantityType(forIdentifier: .distanceRowing), "HKQuantityTypeIdentifierDistanceRowing")
        expect(HKObjectType.quantityType(forIdentifier: .distanceSkatingSports), "HKQuantityTypeIdentifierDistanceSkatingSports")
        expect(HKObjectType.quantityType(forIdentifier: .distanceSwimming), "HKQuantityTypeIdentifierDistanceSwimming")
        expect(HKObjectType.quantityType(forIdentifier: .distanceWalkingRunning), "HKQuantityTypeIdentifierDistanceWalkingRunning")
        expect(HKObjectType.quantityType(forIdentifier: .distanceWheelchair), "HKQuantityTypeIdentifierDistanceWheelchair")
        expect(HKObjectType.quantityType(forIdentifier: .electrodermalActivity), "HKQuantityTypeIdentifierElectrodermalActivity")
        expect(HKObjectType.quantityType(forIdentifier: .environmentalAudioExposure), "HKQuantityTypeIdentifierEnvironmentalAudioExposure")
        expect(HKObjectType.quantityType(forIdentifier: .environmentalSoundReduction), "HKQuantityTypeIdentifierEnvironmentalSoundReduction")
        expect(HKObjectType.quantityType(forIdentifier: .estimatedWorkoutEffortScore), "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore")
        expect(HKObjectType.quantityType(forIdentifier: .flightsClimbed), "HKQuantityTypeIdentifierFlightsClimbed")
        expect(HKObjectType.quantityType(forIdentifier: .forcedExpiratoryVolume1), "HKQuantityTypeIdentifierForcedExpiratoryVolume1")
        expect(HKObjectType.quantityType(forIdentifier: .forcedVitalCapacity), "HKQuantityTypeIdentifierForcedVitalCapacity")
        expect(HKObjectType.quantityType(forIdentifier: .headphoneAudioExposure), "HKQuantityTypeIdentifierHeadphoneAudioExposure")
        expect(HKObjectType.quantityType(forIdentifier: .heartRate), "HKQuantityTypeIdentifierHeartRate")
        expect(HKObjectType.quantityType(forIdentifier: .heartRateRecoveryOneMinute), "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute")
        expect(HKObjectType.quantityType(forIdentifier: .heartRateVariabilitySDNN), "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")
        expect(HKObjectType.quantityType(forIdentifier: .height), "HKQuantityTypeIdentifierHeight")
        expect(HKObjectType.quantityType(forIdentifier: .inhalerUsage), "HKQuantityTypeIdentifierInhalerUsage")
        expect(HKObjectType.quantityType(forIdentifier: .insulinDelivery), "HKQuantityTypeIdentifierInsulinDelivery")
        expect(HKObjectType.quantityType(forIdentifier: .leanBodyMass), "HKQuantityTypeIdentifierLeanBodyMass")
        expect(HKObjectType.quantityType(forIdentifier: .nikeFuel), "HKQuantityTypeIdentifierNikeFuel")
        expect(HKObjectType.quantityType(forIdentifier: .numberOfAlcoholicBeverages), "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages")
        expect(HKObjectType.quantityType(forIdentifier: .numberOfTimesFallen), "HKQuantityTypeIdentifierNumberOfTimesFallen")
        expect(HKObjectType.quantityType(forIdentifier: .oxygenSaturation), "HKQuantityTypeIdentifierOxygenSaturation")
        expect(HKObjectType.quantityType(forIdentifier: .paddleSportsSpeed), "HKQuantityTypeIdentifierPaddleSportsSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .peakExpiratoryFlowRate), "HKQuantityTypeIdentifierPeakExpiratoryFlowRate")
        expect(HKObjectType.quantityType(forIdentifier: .peripheralPerfusionIndex), "HKQuantityTypeIdentifierPeripheralPerfusionIndex")
        expect(HKObjectType.quantityType(forIdentifier: .physicalEffort), "HKQuantityTypeIdentifierPhysicalEffort")
        expect(HKObjectType.quantityType(forIdentifier: .pushCount), "HKQuantityTypeIdentifierPushCount")
        expect(HKObjectType.quantityType(forIdentifier: .respiratoryRate), "HKQuantityTypeIdentifierRespiratoryRate")
        expect(HKObjectType.quantityType(forIdentifier: .restingHeartRate), "HKQuantityTypeIdentifierRestingHeartRate")
        expect(HKObjectType.quantityType(forIdentifier: .rowingSpeed), "HKQuantityTypeIdentifierRowingSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .runningGroundContactTime), "HKQuantityTypeIdentifierRunningGroundContactTime")
        expect(HKObjectType.quantityType(forIdentifier: .runningPower), "HKQuantityTypeIdentifierRunningPower")
        expect(HKObjectType.quantityType(forIdentifier: .runningSpeed), "HKQuantityTypeIdentifierRunningSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .runningStrideLength), "HKQuantityTypeIdentifierRunningStrideLength")
        expect(HKObjectType.quantityType(forIdentifier: .runningVerticalOscillation), "HKQuantityTypeIdentifierRunningVerticalOscillation")
        expect(HKObjectType.quantityType(forIdentifier: .sixMinuteWalkTestDistance), "HKQuantityTypeIdentifierSixMinuteWalkTestDistance")
        expect(HKObjectType.quantityType(forIdentifier: .stairAscentSpeed), "HKQuantityTypeIdentifierStairAscentSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .stairDescentSpeed), "HKQuantityTypeIdentifierStairDescentSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .stepCount), "HKQuantityTypeIdentifierStepCount")
        expect(HKObjectType.quantityType(forIdentifier: .swimmingStrokeCount), "HKQuantityTypeIdentifierSwimmingStrokeCount")
        expect(HKObjectType.quantityType(forIdentifier: .timeInDaylight), "HKQuantityTypeIdentifierTimeInDaylight")
        expect(HKObjectType.quantityType(forIdentifier: .uvExposure), "HKQuantityTypeIdentifierUVExposure")
        expect(HKObjectType.quantityType(forIdentifier: .underwaterDepth), "HKQuantityTypeIdentifierUnderwaterDepth")
        expect(HKObjectType.quantityType(forIdentifier: .vo2Max), "HKQuantityTypeIdentifierVO2Max")
        expect(HKObjectType.quantityType(forIdentifier: .waistCircumference), "HKQuantityTypeIdentifierWaistCircumference")
        expect(HKObjectType.quantityType(forIdentifier: .walkingAsymmetryPercentage), "HKQuantityTypeIdentifierWalkingAsymmetryPercentage")
        expect(HKObjectType.quantityType(forIdentifier: .walkingDoubleSupportPercentage), "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage")
        expect(HKObjectType.quantityType(forIdentifier: .walkingHeartRateAverage), "HKQuantityTypeIdentifierWalkingHeartRateAverage")
        expect(HKObjectType.quantityType(forIdentifier: .walkingSpeed), "HKQuantityTypeIdentifierWalkingSpeed")
        expect(HKObjectType.quantityType(forIdentifier: .walkingStepLength), "HKQuantityTypeIdentifierWalkingStepLength")
        expect(HKObjectType.quantityType(forIdentifier: .waterTemperature), "HKQuantityTypeIdentifierWaterTemperature")
        expect(HKObjectType.quantityType(forIdentifier: .workoutEffortScore), "HKQuantityTypeIdentifierWorkoutEffortScore")
        expect(HKObjectType.categoryType(forIdentifier: .abdominalCramps), "HKCategoryTypeIdentifierAbdominalCramps")
        expect(HKObjectType.categoryType(forIdentifier: .acne), "HKCategoryTypeIdentifierAcne")
        expect(HKObjectType.categoryType(forIdentifier: .appetiteChanges), "HKCategoryTypeIdentifierAppetiteChanges")
        expect(HKObjectType.categoryType(forIdentifier: .appleStandHour), "HKCategoryTypeIdentifierAppleStandHour")
        expect(HKObjectType.categoryType(forIdentifier: .appleWalkingSteadinessEvent), "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent")
        expect(HKObjectType.categoryType(forIdentifier: .audioExposureEvent), "HKCategoryTypeIdentifierAudioExposureEvent")
        expect(HKObjectType.categoryType(forIdentifier: .bladderIncontinence), "HKCategoryTypeIdentifierBladderIncontinence")
        expect(HKObjectType.categoryType(forIdentifier: .bleedingAfterPregnancy), "HKCategoryTypeIdentifierBleedingAfterPregnancy")
        expect(HKObjectType.categoryType(forIdentifier: .bleedingDuringPregnancy), "HKCategoryTypeIdentifierBleedingDuringPregnancy")
        expect(HKObjectType.categoryType(forIdentifier: .bloating), "HKCategoryTypeIdentifierBloating")
        expect(HKObjectType.categoryType(forIdentifier: .breastPain), "HKCategoryTypeIdentifierBreastPain")
        expect(HKObjectType.categoryType(forIdentifier: .cervicalMucusQuality), "HKCategoryTypeIdentifierCervicalMucusQuality")
        expect(HKObjectType.categoryType(forIdentifier: .chestTightnessOrPain), "HKCategoryTypeIdentifierChestTightnessOrPain")
        expect(HKObjectType.categoryType(forIdentifier: .chills), "HKCategoryTypeIdentifierChills")
        expect(HKObjectType.categoryType(forIdentifier: .constipation), "HKCategoryTypeIdentifierConstipation")
        expect(HKObjectType.categoryType(forIdentifier: .contraceptive), "HKCategoryTypeIdentifierContraceptive")
        expect(HKObjectType.categoryType(forIdentifier: .coughing), "HKCategoryTypeIdentifierCoughing")
        expect(HKObjectType.categoryType(forIdentifier: .diarrhea), "HKCategoryTypeIdentifierDiarrhea")
        expect(HKObjectType.categoryType(forIdentifier: .dizziness), "HKCategoryTypeIdentifierDizziness")
        expect(HKObjectType.categoryType(forIdentifier: .drySkin), "HKCategoryTypeIdentifierDrySkin")
        expect(HKObjectType.categoryType(forIdentifier: .environmentalAudioExposureEvent), "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent")
        expect(HKObjectType.categoryType(forIdentifier: .fainting), "HKCategoryTypeIdentifierFainting")
        expect(HKObjectType.categoryType(forIdentifier: .fatigue), "HKCategoryTypeIdentifierFatigue")
        expect(HKObjectType.categoryType(forIdentifier: .fever), "HKCategoryTypeIdentifierFever")
        expect(HKObjectType.categoryType(forIdentifier: .generalizedBodyAche), "HKCategoryTypeIdentifierGeneralizedBodyAche")
        expect(HKObjectType.categoryType(forIdentifier: .hairLoss), "HKCategoryTypeIdentifierHairLoss")
        expect(HKObjectType.categoryType(forIdentifier: .handwashingEvent), "HKCategoryTypeIdentifierHandwashingEvent")
        expect(HKObjectType.categoryType(forIdentifier: .headache), "HKCategoryTypeIdentifierHeadache")
        expect(HKObjectType.categoryType(forIdentifier: .headphoneAudioExposureEvent), "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent")
        expect(HKObjectType.categoryType(forIdentifier: .heartburn), "HKCategoryTypeIdentifierHeartburn")
        expect(HKObjectType.categoryType(forIdentifier: .highHeartRateEvent), "HKCategoryTypeIdentifierHighHeartRateEvent")
        expect(HKObjectType.categoryType(forIdentifier: .hotFlashes), "HKCategoryTypeIdentifierHotFlashes")
        expect(HKObjectType.categoryType(forIdentifier: .infrequentMenstrualCycles), "HKCategoryTypeIdentifierInfrequentMenstrualCycles")
        expect(HKObjectType.categoryType(forIdentifier: .intermenstrualBleeding), "HKCategoryTypeIdentifierIntermenstrualBleeding")
        expect(HKObjectType.categoryType(forIdentifier: .irregularHeartRhythmEvent), "HKCategoryTypeIdentifierIrregularHeartRhythmEvent")
        expect(HKObjectType.categoryType(forIdentifier: .irregularMenstrualCycles), "HKCategoryTypeIdentifierIrregularMenstrualCycles")
        expect(HKObjectType.categoryType(forIdentifier: .lactation), "HKCategoryTypeIdentifierLactation")
        expect(HKObjectType.categoryType(forIdentifier: .lossOfSmell), "HKCategoryTypeIdentifierLossOfSmell")
        expect(HKObjectType.categoryType(forIdentifier: .lossOfTaste), "HKCategoryTypeIdentifierLossOfTaste")
        expect(HKObjectType.categoryType(forIdentifier: .lowCardioFitnessEvent), "HKCategoryTypeIdentifierLowCardioFitnessEvent")
        expect(HKObjectType.categoryType(forIdentifier: .lowHeartRateEvent), "HKCategoryTypeIdentifierLowHeartRateEvent")
        expect(HKObjectType.categoryType(forIdentifier: .lowerBackPain), "HKCategoryTypeIdentifierLowerBackPain")
        expect(HKObjectType.categoryType(forIdentifier: .memoryLapse), "HKCategoryTypeIdentifierMemoryLapse")
        expect(HKObjectType.categoryType(forIdentifier: .menstrualFlow), "HKCategoryTypeIdentifierMenstrualFlow")
        expect(HKObjectType.categoryType(forIdentifier: .mindfulSession), "HKCategoryTypeIdentifierMindfulSession")
        expect(HKObjectType.categoryType(forIdentifier: .moodChanges), "HKCategoryTypeIdentifierMoodChanges")
        expect(HKObjectType.categoryType(forIdentifier: .nausea), "HKCategoryTypeIdentifierNausea")
        expect(HKObjectType.categoryType(forIdentifier: .nightSweats), "HKCategoryTypeIdentifierNightSweats")
        expect(HKObjectType.categoryType(forIdentifier: .ovulationTestResult), "HKCategoryTypeIdentifierOvulationTestResult")
        expect(HKObjectType.categoryType(forIdentifier: .pelvicPain), "HKCategoryTypeIdentifierPelvicPain")
        expect(HKObjectType.categoryType(forIdentifier: .persistentIntermenstrualBleeding), "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding")
        expect(HKObjectType.categoryType(forIdentifier: .pregnancy), "HKCategoryTypeIdentifierPregnancy")
        expect(HKObjectType.categoryType(forIdentifier: .pregnancyTestResult), "HKCategoryTypeIdentifierPregnancyTestResult")
        expect(HKObjectType.categoryType(forIdentifier: .progesteroneTestResult), "HKCategoryTypeIdentifierProgesteroneTestResult")
        expect(HKObjectType.categoryType(forIdentifier: .prolongedMenstrualPeriods), "HKCategoryTypeIdentifierProlongedMenstrualPeriods")
        expect(HKObjectType.categoryType(forIdentifier: .rapidPoundingOrFlutteringHeartbeat), "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat")
        expect(HKObjectType.categoryType(forIdentifier: .runnyNose), "HKCategoryTypeIdentifierRunnyNose")
        expect(HKObjectType.categoryType(forIdentifier: .sexualActivity), "HKCategoryTypeIdentifierSexualActivity")
        expect(HKObjectType.categoryType(forIdentifier: .shortnessOfBreath), "HKCategoryTypeIdentifierShortnessOfBreath")
        expect(HKObjectType.categoryType(forIdentifier: .sinusCongestion), "HKCategoryTypeIdentifierSinusCongestion")
        expect(HKObjectType.categoryType(forIdentifier: .skippedHeartbeat), "HKCategoryTypeIdentifierSkippedHeartbeat")
        expect(HKObjectType.categoryType(forIdentifier: .sleepAnalysis), "HKCategoryTypeIdentifierSleepAnalysis")
        expect(HKObjectType.categoryType(forIdentifier: .sleepApneaEvent), "HKCategoryTypeIdentifierSleepApneaEvent")
        expect(HKObjectType.categoryType(forIdentifier: .sleepChanges), "HKCategoryTypeIdentifierSleepChanges")
        expect(HKObjectType.categoryType(forIdentifier: .soreThroat), "HKCategoryTypeIdentifierSoreThroat")
        expect(HKObjectType.categoryType(forIdentifier: .toothbrushingEvent), "HKCategoryTypeIdentifierToothbrushingEvent")
        expect(HKObjectType.categoryType(forIdentifier: .vaginalDryness), "HKCategoryTypeIdentifierVaginalDryness")
        expect(HKObjectType.categoryType(forIdentifier: .vomiting), "HKCategoryTypeIdentifierVomiting")
        expect(HKObjectType.categoryType(forIdentifier: .wheezing), "HKCategoryTypeIdentifierWheezing")
        expect(HKObjectType.categoryType(forIdentifier: .hypertensionEvent), "HKCategoryTypeIdentifierHypertensionEvent")
        expect(HKObjectType.characteristicType(forIdentifier: .activityMoveMode), "HKCharacteristicTypeIdentifierActivityMoveMode")
        expect(HKObjectType.characteristicType(forIdentifier: .biologicalSex), "HKCharacteristicTypeIdentifierBiologicalSex")
        expect(HKObjectType.characteristicType(forIdentifier: .bloodType), "HKCharacteristicTypeIdentifierBloodType")
        expect(HKObjectType.characteristicType(forIdentifier: .dateOfBirth), "HKCharacteristicTypeIdentifierDateOfBirth")
        expect(HKObjectType.characteristicType(forIdentifier: .fitzpatrickSkinType), "HKCharacteristicTypeIdentifierFitzpatrickSkinType")
        expect(HKObjectType.characteristicType(forIdentifier: .wheelchairUse), "HKCharacteristicTypeIdentifierWheelchairUse")
        expect(HKObjectType.correlationType(forIdentifier: .bloodPressure), "HKCorrelationTypeIdentifierBloodPressure")
        expect(HKObjectType.correlationType(forIdentifier: .food), "HKCorrelationTypeIdentifierFood")
        expect(HKObjectType.documentType(forIdentifier: .CDA), "HKDocumentTypeIdentifierCDA")
        expect(HKObjectType.clinicalType(forIdentifier: .allergyRecord), "HKClinicalTypeIdentifierAllergyRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .clinicalNoteRecord), "HKClinicalTypeIdentifierClinicalNoteRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .conditionRecord), "HKClinicalTypeIdentifierConditionRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .coverageRecord), "HKClinicalTypeIdentifierCoverageRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .immunizationRecord), "HKClinicalTypeIdentifierImmunizationRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .labResultRecord), "HKClinicalTypeIdentifierLabResultRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .medicationRecord), "HKClinicalTypeIdentifierMedicationRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .procedureRecord), "HKClinicalTypeIdentifierProcedureRecord")
        expect(HKObjectType.clinicalType(forIdentifier: .vitalSignRecord), "HKClinicalTypeIdentifierVitalSignRecord")
    }
}
