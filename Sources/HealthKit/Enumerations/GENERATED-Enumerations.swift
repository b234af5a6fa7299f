// Made by Scripts/generate-healthkit-symbols.py; edit that, not this.

public import Foundation

/// What drives the Move ring.
public enum HKActivityMoveMode: Int, Sendable {
    /// Active energy.
    case activeEnergy = 1
    /// Apple move time.
    case appleMoveTime = 2
}

/// The version of the ECG classifier of Apple devices.
public enum HKAppleECGAlgorithmVersion: Int, Sendable {
    /// Version1.
    case version1 = 1
    /// Version2.
    case version2 = 2
}

/// How a night's breathing disturbances are classed.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, Sendable, CaseIterable {
    public typealias AllCases = [HKAppleSleepingBreathingDisturbancesClassification]

    /// Not elevated.
    case notElevated = 0
    /// Elevated.
    case elevated = 1

    /// Every class, in the order of raw values.
    public static var allCases: [HKAppleSleepingBreathingDisturbancesClassification] { [.notElevated, .elevated] }
}

/// How walking steadiness is classed.
public enum HKAppleWalkingSteadinessClassification: Int, Sendable, CaseIterable {
    public typealias AllCases = [HKAppleWalkingSteadinessClassification]

    /// Ok.
    case ok = 1
    /// Low.
    case low = 2
    /// Very low.
    case veryLow = 3

    /// Every class, in the order of raw values.
    public static var allCases: [HKAppleWalkingSteadinessClassification] { [.ok, .low, .veryLow] }
}

/// How a hearing test's tone reaches the ear.
public enum HKAudiogramConductionType: Int, Sendable {
    /// Air.
    case air = 0
}

/// The ear a hearing test is of.
public enum HKAudiogramSensitivityTestSide: Int, Sendable {
    /// Left.
    case left = 0
    /// Right.
    case right = 1
}

/// Whether asking for authorization would show a question.
public enum HKAuthorizationRequestStatus: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// Should request.
    case shouldRequest = 1
    /// Unnecessary.
    case unnecessary = 2
}

/// Whether an application may share (write) a type.
public enum HKAuthorizationStatus: Int, Sendable {
    /// Not determined.
    case notDetermined = 0
    /// Sharing denied.
    case sharingDenied = 1
    /// Sharing authorized.
    case sharingAuthorized = 2
}

/// The person's sex.
public enum HKBiologicalSex: Int, Sendable {
    /// Not set.
    case notSet = 0
    /// Female.
    case female = 1
    /// Male.
    case male = 2
    /// Other.
    case other = 3
}

/// When blood glucose was measured, seen from a meal.
public enum HKBloodGlucoseMealTime: Int, Sendable {
    /// Preprandial.
    case preprandial = 1
    /// Postprandial.
    case postprandial = 2
}

/// The person's blood type.
public enum HKBloodType: Int, Sendable {
    /// Not set.
    case notSet = 0
    /// A positive.
    case aPositive = 1
    /// A negative.
    case aNegative = 2
    /// B positive.
    case bPositive = 3
    /// B negative.
    case bNegative = 4
    /// Ab positive.
    case abPositive = 5
    /// Ab negative.
    case abNegative = 6
    /// O positive.
    case oPositive = 7
    /// O negative.
    case oNegative = 8
}

/// Where a thermometer was.
public enum HKBodyTemperatureSensorLocation: Int, Sendable {
    /// Other.
    case other = 0
    /// Armpit.
    case armpit = 1
    /// Body.
    case body = 2
    /// Ear.
    case ear = 3
    /// Finger.
    case finger = 4
    /// Gastro intestinal.
    case gastroIntestinal = 5
    /// Mouth.
    case mouth = 6
    /// Rectum.
    case rectum = 7
    /// Toe.
    case toe = 8
    /// Ear drum.
    case earDrum = 9
    /// Temporal artery.
    case temporalArtery = 10
    /// Forehead.
    case forehead = 11
}

/// The value of category types without an enumeration of their own.
public enum HKCategoryValue: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Not applicable.
    case notApplicable = 0
}

/// The values of appetite changes samples.
public enum HKCategoryValueAppetiteChanges: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Unspecified.
    case unspecified = 0
    /// No change.
    case noChange = 1
    /// Decreased.
    case decreased = 2
    /// Increased.
    case increased = 3
}

/// The values of apple stand hour samples.
public enum HKCategoryValueAppleStandHour: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Stood.
    case stood = 0
    /// Idle.
    case idle = 1
}

/// The values of apple walking steadiness event samples.
public enum HKCategoryValueAppleWalkingSteadinessEvent: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Initial low.
    case initialLow = 1
    /// Initial very low.
    case initialVeryLow = 2
    /// Repeat low.
    case repeatLow = 3
    /// Repeat very low.
    case repeatVeryLow = 4
}

/// The values of audio exposure event samples.
public enum HKCategoryValueAudioExposureEvent: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Loud environment.
    case loudEnvironment = 1
}

/// The values of cervical mucus quality samples.
public enum HKCategoryValueCervicalMucusQuality: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Dry.
    case dry = 1
    /// Sticky.
    case sticky = 2
    /// Creamy.
    case creamy = 3
    /// Watery.
    case watery = 4
    /// Egg white.
    case eggWhite = 5
}

/// The values of contraceptive samples.
public enum HKCategoryValueContraceptive: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Unspecified.
    case unspecified = 1
    /// Implant.
    case implant = 2
    /// Injection.
    case injection = 3
    /// Intrauterine device.
    case intrauterineDevice = 4
    /// Intravaginal ring.
    case intravaginalRing = 5
    /// Oral.
    case oral = 6
    /// Patch.
    case patch = 7
}

/// The values of environmental audio exposure event samples.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Momentary limit.
    case momentaryLimit = 1
}

/// The values of headphone audio exposure event samples.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Seven day limit.
    case sevenDayLimit = 1
}

/// The values of low cardio fitness event samples.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Low fitness.
    case lowFitness = 1
}

/// The values of menstrual flow samples.
public enum HKCategoryValueMenstrualFlow: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Unspecified.
    case unspecified = 1
    /// Light.
    case light = 2
    /// Medium.
    case medium = 3
    /// Heavy.
    case heavy = 4
    /// None.
    case `none` = 5
}

/// The values of ovulation test result samples.
public enum HKCategoryValueOvulationTestResult: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Negative.
    case negative = 1
    /// Luteinizing hormone surge.
    case luteinizingHormoneSurge = 2
    /// Indeterminate.
    case indeterminate = 3
    /// Estrogen surge.
    case estrogenSurge = 4

    /// Another name of ``luteinizingHormoneSurge``.
    public static var positive: HKCategoryValueOvulationTestResult { .luteinizingHormoneSurge }
}

/// The values of pregnancy test result samples.
public enum HKCategoryValuePregnancyTestResult: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Negative.
    case negative = 1
    /// Positive.
    case positive = 2
    /// Indeterminate.
    case indeterminate = 3
}

/// The values of presence samples.
public enum HKCategoryValuePresence: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Present.
    case present = 0
    /// Not present.
    case notPresent = 1
}

/// The values of progesterone test result samples.
public enum HKCategoryValueProgesteroneTestResult: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Negative.
    case negative = 1
    /// Positive.
    case positive = 2
    /// Indeterminate.
    case indeterminate = 3
}

/// The values of severity samples.
public enum HKCategoryValueSeverity: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Unspecified.
    case unspecified = 0
    /// Not present.
    case notPresent = 1
    /// Mild.
    case mild = 2
    /// Moderate.
    case moderate = 3
    /// Severe.
    case severe = 4
}

/// The values of sleep analysis samples.
public enum HKCategoryValueSleepAnalysis: Int, Sendable, HKCategoryValuePredicateProviding {
    /// In bed.
    case inBed = 0
    /// Asleep unspecified.
    case asleepUnspecified = 1
    /// Awake.
    case awake = 2
    /// Asleep core.
    case asleepCore = 3
    /// Asleep deep.
    case asleepDeep = 4
    /// Asleep REM.
    case asleepREM = 5

    /// Another name of ``asleepUnspecified``.
    public static var asleep: HKCategoryValueSleepAnalysis { .asleepUnspecified }
}

/// The values of vaginal bleeding samples.
public enum HKCategoryValueVaginalBleeding: Int, Sendable, HKCategoryValuePredicateProviding {
    /// Unspecified.
    case unspecified = 1
    /// Light.
    case light = 2
    /// Medium.
    case medium = 3
    /// Heavy.
    case heavy = 4
    /// None.
    case `none` = 5
}

/// How functional threshold power was found.
public enum HKCyclingFunctionalThresholdPowerTestType: Int, Sendable {
    /// Max exercise60 minute.
    case maxExercise60Minute = 1
    /// Max exercise20 minute.
    case maxExercise20Minute = 2
    /// Ramp test.
    case rampTest = 3
    /// Prediction exercise.
    case predictionExercise = 4
}

/// The side of the body a device was on.
public enum HKDevicePlacementSide: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// Left.
    case left = 1
    /// Right.
    case right = 2
    /// Central.
    case central = 3
}

extension HKElectrocardiogram {
    /// What the classifier said of an ECG.
    public enum Classification: Int, Sendable {
        /// Not set.
        case notSet = 0
        /// Sinus rhythm.
        case sinusRhythm = 1
        /// Atrial fibrillation.
        case atrialFibrillation = 2
        /// Inconclusive low heart rate.
        case inconclusiveLowHeartRate = 3
        /// Inconclusive high heart rate.
        case inconclusiveHighHeartRate = 4
        /// Inconclusive poor reading.
        case inconclusivePoorReading = 5
        /// Inconclusive other.
        case inconclusiveOther = 6
        /// Unrecognized.
        case unrecognized = 100
    }
}

extension HKElectrocardiogram {
    /// A lead of an ECG.
    public enum Lead: Int, Sendable {
        /// Apple watch similar to lead I.
        case appleWatchSimilarToLeadI = 1
    }
}

extension HKElectrocardiogram {
    /// Whether symptoms were entered with an ECG.
    public enum SymptomsStatus: Int, Sendable {
        /// Not set.
        case notSet = 0
        /// None.
        case `none` = 1
        /// Present.
        case present = 2
    }
}

extension HKError {
    /// Why HealthKit refused.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = HKError

        /// Unknown error.
        case unknownError = 0
        /// Error health data unavailable.
        case errorHealthDataUnavailable = 1
        /// Error health data restricted.
        case errorHealthDataRestricted = 2
        /// Error invalid argument.
        case errorInvalidArgument = 3
        /// Error authorization denied.
        case errorAuthorizationDenied = 4
        /// Error authorization not determined.
        case errorAuthorizationNotDetermined = 5
        /// Error database inaccessible.
        case errorDatabaseInaccessible = 6
        /// Error user canceled.
        case errorUserCanceled = 7
        /// Error another workout session started.
        case errorAnotherWorkoutSessionStarted = 8
        /// Error user exited workout session.
        case errorUserExitedWorkoutSession = 9
        /// Error required authorization denied.
        case errorRequiredAuthorizationDenied = 10
        /// Error no data.
        case errorNoData = 11
        /// Error workout activity not allowed.
        case errorWorkoutActivityNotAllowed = 12
        /// Error data size exceeded.
        case errorDataSizeExceeded = 13
        /// Error background workout session not allowed.
        case errorBackgroundWorkoutSessionNotAllowed = 14
        /// Error not permissible for guest user mode.
        case errorNotPermissibleForGuestUserMode = 15

        /// Another name of ``unknownError``.
        public static var noError: HKError.Code { .unknownError }
    }
}

/// The person's skin type on the Fitzpatrick scale.
public enum HKFitzpatrickSkinType: Int, Sendable {
    /// Not set.
    case notSet = 0
    /// I.
    case I = 1
    /// II.
    case II = 2
    /// III.
    case III = 3
    /// IV.
    case IV = 4
    /// V.
    case V = 5
    /// VI.
    case VI = 6
}

extension HKGAD7Assessment {
    /// An answer of the GAD-7 questionnaire.
    public enum Answer: Int, Sendable {
        /// Not at all.
        case notAtAll = 0
        /// Several days.
        case severalDays = 1
        /// More than half the days.
        case moreThanHalfTheDays = 2
        /// Nearly every day.
        case nearlyEveryDay = 3
    }
}

extension HKGAD7Assessment {
    /// The risk class of a GAD-7 score.
    public enum Risk: Int, Sendable {
        /// None to minimal.
        case noneToMinimal = 1
        /// Mild.
        case mild = 2
        /// Moderate.
        case moderate = 3
        /// Severe.
        case severe = 4
    }
}

/// How active the person was when the heart rate was measured.
public enum HKHeartRateMotionContext: Int, Sendable {
    /// Not set.
    case notSet = 0
    /// Sedentary.
    case sedentary = 1
    /// Active.
    case active = 2
}

/// How heart rate recovery was tested.
public enum HKHeartRateRecoveryTestType: Int, Sendable {
    /// Max exercise.
    case maxExercise = 1
    /// Prediction sub max exercise.
    case predictionSubMaxExercise = 2
    /// Prediction non exercise.
    case predictionNonExercise = 3
}

/// Where a heart rate sensor was.
public enum HKHeartRateSensorLocation: Int, Sendable {
    /// Other.
    case other = 0
    /// Chest.
    case chest = 1
    /// Wrist.
    case wrist = 2
    /// Finger.
    case finger = 3
    /// Hand.
    case hand = 4
    /// Ear lobe.
    case earLobe = 5
    /// Foot.
    case foot = 6
}

/// Why insulin was given.
public enum HKInsulinDeliveryReason: Int, Sendable {
    /// Basal.
    case basal = 1
    /// Bolus.
    case bolus = 2
}

extension HKMedicationDoseEvent {
    /// What became of a dose.
    public enum LogStatus: Int, Sendable {
        /// Not interacted.
        case notInteracted = 1
        /// Notification not sent.
        case notificationNotSent = 2
        /// Snoozed.
        case snoozed = 3
        /// Taken.
        case taken = 4
        /// Skipped.
        case skipped = 5
        /// Not logged.
        case notLogged = 6
    }
}

extension HKMedicationDoseEvent {
    /// Whether a dose was planned.
    public enum ScheduleType: Int, Sendable {
        /// As needed.
        case asNeeded = 1
        /// Schedule.
        case schedule = 2
    }
}

/// A metric prefix of a unit.
public enum HKMetricPrefix: Int, Sendable {
    /// None.
    case `none` = 0
    /// Pico.
    case pico = 1
    /// Nano.
    case nano = 2
    /// Micro.
    case micro = 3
    /// Milli.
    case milli = 4
    /// Centi.
    case centi = 5
    /// Deci.
    case deci = 6
    /// Deca.
    case deca = 7
    /// Hecto.
    case hecto = 8
    /// Kilo.
    case kilo = 9
    /// Mega.
    case mega = 10
    /// Giga.
    case giga = 11
    /// Tera.
    case tera = 12
    /// Femto.
    case femto = 13
}

extension HKPHQ9Assessment {
    /// An answer of the PHQ-9 questionnaire.
    public enum Answer: Int, Sendable {
        /// Not at all.
        case notAtAll = 0
        /// Several days.
        case severalDays = 1
        /// More than half the days.
        case moreThanHalfTheDays = 2
        /// Nearly every day.
        case nearlyEveryDay = 3
        /// Prefer not to answer.
        case preferNotToAnswer = 4
    }
}

extension HKPHQ9Assessment {
    /// The risk class of a PHQ-9 score.
    public enum Risk: Int, Sendable {
        /// None to minimal.
        case noneToMinimal = 1
        /// Mild.
        case mild = 2
        /// Moderate.
        case moderate = 3
        /// Moderately severe.
        case moderatelySevere = 4
        /// Severe.
        case severe = 5
    }
}

/// How physical effort was estimated.
public enum HKPhysicalEffortEstimationType: Int, Sendable {
    /// Activity lookup.
    case activityLookup = 1
    /// Device sensed.
    case deviceSensed = 2
}

/// The direction of a prism's base.
public enum HKPrismBase: Int, Sendable {
    /// None.
    case `none` = 0
    /// Up.
    case up = 1
    /// Down.
    case down = 2
    /// In.
    case `in` = 3
    /// Out.
    case out = 4
}

/// How quantities of one type combine.
public enum HKQuantityAggregationStyle: Int, Sendable {
    /// Cumulative.
    case cumulative = 0
    /// Discrete arithmetic.
    case discreteArithmetic = 1
    /// Discrete temporally weighted.
    case discreteTemporallyWeighted = 2
    /// Discrete equivalent continuous level.
    case discreteEquivalentContinuousLevel = 3

    /// Another name of ``discreteArithmetic``.
    public static var discrete: HKQuantityAggregationStyle { .discreteArithmetic }
}

extension HKStateOfMind {
    /// What a state of mind has to do with.
    public enum Association: Int, Sendable {
        /// Community.
        case community = 1
        /// Current events.
        case currentEvents = 2
        /// Dating.
        case dating = 3
        /// Education.
        case education = 4
        /// Family.
        case family = 5
        /// Fitness.
        case fitness = 6
        /// Friends.
        case friends = 7
        /// Health.
        case health = 8
        /// Hobbies.
        case hobbies = 9
        /// Identity.
        case identity = 10
        /// Money.
        case money = 11
        /// Partner.
        case partner = 12
        /// Self care.
        case selfCare = 13
        /// Spirituality.
        case spirituality = 14
        /// Tasks.
        case tasks = 15
        /// Travel.
        case travel = 16
        /// Work.
        case work = 17
        /// Weather.
        case weather = 18
    }
}

extension HKStateOfMind {
    /// How long a state of mind lasted.
    public enum Kind: Int, Sendable {
        /// Momentary emotion.
        case momentaryEmotion = 1
        /// Daily mood.
        case dailyMood = 2
    }
}

extension HKStateOfMind {
    /// A word for a state of mind.
    public enum Label: Int, Sendable {
        /// Amazed.
        case amazed = 1
        /// Amused.
        case amused = 2
        /// Angry.
        case angry = 3
        /// Anxious.
        case anxious = 4
        /// Ashamed.
        case ashamed = 5
        /// Brave.
        case brave = 6
        /// Calm.
        case calm = 7
        /// Content.
        case content = 8
        /// Disappointed.
        case disappointed = 9
        /// Discouraged.
        case discouraged = 10
        /// Disgusted.
        case disgusted = 11
        /// Embarrassed.
        case embarrassed = 12
        /// Excited.
        case excited = 13
        /// Frustrated.
        case frustrated = 14
        /// Grateful.
        case grateful = 15
        /// Guilty.
        case guilty = 16
        /// Happy.
        case happy = 17
        /// Hopeless.
        case hopeless = 18
        /// Irritated.
        case irritated = 19
        /// Jealous.
        case jealous = 20
        /// Joyful.
        case joyful = 21
        /// Lonely.
        case lonely = 22
        /// Passionate.
        case passionate = 23
        /// Peaceful.
        case peaceful = 24
        /// Proud.
        case proud = 25
        /// Relieved.
        case relieved = 26
        /// Sad.
        case sad = 27
        /// Scared.
        case scared = 28
        /// Stressed.
        case stressed = 29
        /// Surprised.
        case surprised = 30
        /// Worried.
        case worried = 31
        /// Annoyed.
        case annoyed = 32
        /// Confident.
        case confident = 33
        /// Drained.
        case drained = 34
        /// Hopeful.
        case hopeful = 35
        /// Indifferent.
        case indifferent = 36
        /// Overwhelmed.
        case overwhelmed = 37
        /// Satisfied.
        case satisfied = 38
    }
}

extension HKStateOfMind {
    /// How pleasant a state of mind was.
    public enum ValenceClassification: Int, Sendable {
        /// Very unpleasant.
        case veryUnpleasant = 1
        /// Unpleasant.
        case unpleasant = 2
        /// Slightly unpleasant.
        case slightlyUnpleasant = 3
        /// Neutral.
        case neutral = 4
        /// Slightly pleasant.
        case slightlyPleasant = 5
        /// Pleasant.
        case pleasant = 6
        /// Very pleasant.
        case veryPleasant = 7
    }
}

/// A swimming style.
public enum HKSwimmingStrokeStyle: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// Mixed.
    case mixed = 1
    /// Freestyle.
    case freestyle = 2
    /// Backstroke.
    case backstroke = 3
    /// Breaststroke.
    case breaststroke = 4
    /// Butterfly.
    case butterfly = 5
    /// Kickboard.
    case kickboard = 6
}

/// How often background delivery may wake an application at most.
public enum HKUpdateFrequency: Int, Sendable {
    /// Immediate.
    case immediate = 1
    /// Hourly.
    case hourly = 2
    /// Daily.
    case daily = 3
    /// Weekly.
    case weekly = 4
}

/// How active the person was.
public enum HKUserMotionContext: Int, Sendable {
    /// Not set.
    case notSet = 0
    /// Stationary.
    case stationary = 1
    /// Active.
    case active = 2
}

/// How VO2 max was tested.
public enum HKVO2MaxTestType: Int, Sendable {
    /// Max exercise.
    case maxExercise = 1
    /// Prediction sub max exercise.
    case predictionSubMaxExercise = 2
    /// Prediction non exercise.
    case predictionNonExercise = 3
    /// Prediction step test.
    case predictionStepTest = 4
}

/// An eye.
public enum HKVisionEye: Int, Sendable {
    /// Left.
    case left = 1
    /// Right.
    case right = 2
}

/// What a vision prescription is for.
public enum HKVisionPrescriptionType: UInt, Sendable {
    /// Glasses.
    case glasses = 1
    /// Contacts.
    case contacts = 2
}

/// The kind of water.
public enum HKWaterSalinity: Int, Sendable {
    /// Fresh water.
    case freshWater = 1
    /// Salt water.
    case saltWater = 2
}

/// The weather during a workout.
public enum HKWeatherCondition: Int, Sendable {
    /// None.
    case `none` = 0
    /// Clear.
    case clear = 1
    /// Fair.
    case fair = 2
    /// Partly cloudy.
    case partlyCloudy = 3
    /// Mostly cloudy.
    case mostlyCloudy = 4
    /// Cloudy.
    case cloudy = 5
    /// Foggy.
    case foggy = 6
    /// Haze.
    case haze = 7
    /// Windy.
    case windy = 8
    /// Blustery.
    case blustery = 9
    /// Smoky.
    case smoky = 10
    /// Dust.
    case dust = 11
    /// Snow.
    case snow = 12
    /// Hail.
    case hail = 13
    /// Sleet.
    case sleet = 14
    /// Freezing drizzle.
    case freezingDrizzle = 15
    /// Freezing rain.
    case freezingRain = 16
    /// Mixed rain and hail.
    case mixedRainAndHail = 17
    /// Mixed rain and snow.
    case mixedRainAndSnow = 18
    /// Mixed rain and sleet.
    case mixedRainAndSleet = 19
    /// Mixed snow and sleet.
    case mixedSnowAndSleet = 20
    /// Drizzle.
    case drizzle = 21
    /// Scattered showers.
    case scatteredShowers = 22
    /// Showers.
    case showers = 23
    /// Thunderstorms.
    case thunderstorms = 24
    /// Tropical storm.
    case tropicalStorm = 25
    /// Hurricane.
    case hurricane = 26
    /// Tornado.
    case tornado = 27
}

/// Whether the person uses a wheelchair.
public enum HKWheelchairUse: Int, Sendable {
    /// Not set.
    case notSet = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// What a workout was.
public enum HKWorkoutActivityType: UInt, Sendable {
    /// American football.
    case americanFootball = 1
    /// Archery.
    case archery = 2
    /// Australian football.
    case australianFootball = 3
    /// Badminton.
    case badminton = 4
    /// Baseball.
    case baseball = 5
    /// Basketball.
    case basketball = 6
    /// Bowling.
    case bowling = 7
    /// Boxing.
    case boxing = 8
    /// Climbing.
    case climbing = 9
    /// Cricket.
    case cricket = 10
    /// Cross training.
    case crossTraining = 11
    /// Curling.
    case curling = 12
    /// Cycling.
    case cycling = 13
    /// Dance.
    case dance = 14
    /// Dance inspired training.
    case danceInspiredTraining = 15
    /// Elliptical.
    case elliptical = 16
    /// Equestrian sports.
    case equestrianSports = 17
    /// Fencing.
    case fencing = 18
    /// Fishing.
    case fishing = 19
    /// Functional strength training.
    case functionalStrengthTraining = 20
    /// Golf.
    case golf = 21
    /// Gymnastics.
    case gymnastics = 22
    /// Handball.
    case handball = 23
    /// Hiking.
    case hiking = 24
    /// Hockey.
    case hockey = 25
    /// Hunting.
    case hunting = 26
    /// Lacrosse.
    case lacrosse = 27
    /// Martial arts.
    case martialArts = 28
    /// Mind and body.
    case mindAndBody = 29
    /// Mixed metabolic cardio training.
    case mixedMetabolicCardioTraining = 30
    /// Paddle sports.
    case paddleSports = 31
    /// Play.
    case play = 32
    /// Preparation and recovery.
    case preparationAndRecovery = 33
    /// Racquetball.
    case racquetball = 34
    /// Rowing.
    case rowing = 35
    /// Rugby.
    case rugby = 36
    /// Running.
    case running = 37
    /// Sailing.
    case sailing = 38
    /// Skating sports.
    case skatingSports = 39
    /// Snow sports.
    case snowSports = 40
    /// Soccer.
    case soccer = 41
    /// Softball.
    case softball = 42
    /// Squash.
    case squash = 43
    /// Stair climbing.
    case stairClimbing = 44
    /// Surfing sports.
    case surfingSports = 45
    /// Swimming.
    case swimming = 46
    /// Table tennis.
    case tableTennis = 47
    /// Tennis.
    case tennis = 48
    /// Track and field.
    case trackAndField = 49
    /// Traditional strength training.
    case traditionalStrengthTraining = 50
    /// Volleyball.
    case volleyball = 51
    /// Walking.
    case walking = 52
    /// Water fitness.
    case waterFitness = 53
    /// Water polo.
    case waterPolo = 54
    /// Water sports.
    case waterSports = 55
    /// Wrestling.
    case wrestling = 56
    /// Yoga.
    case yoga = 57
    /// Barre.
    case barre = 58
    /// Core training.
    case coreTraining = 59
    /// Cross country skiing.
    case crossCountrySkiing = 60
    /// Downhill skiing.
    case downhillSkiing = 61
    /// Flexibility.
    case flexibility = 62
    /// High intensity interval training.
    case highIntensityIntervalTraining = 63
    /// Jump rope.
    case jumpRope = 64
    /// Kickboxing.
    case kickboxing = 65
    /// Pilates.
    case pilates = 66
    /// Snowboarding.
    case snowboarding = 67
    /// Stairs.
    case stairs = 68
    /// Step training.
    case stepTraining = 69
    /// Wheelchair walk pace.
    case wheelchairWalkPace = 70
    /// Wheelchair run pace.
    case wheelchairRunPace = 71
    /// Tai chi.
    case taiChi = 72
    /// Mixed cardio.
    case mixedCardio = 73
    /// Hand cycling.
    case handCycling = 74
    /// Disc sports.
    case discSports = 75
    /// Fitness gaming.
    case fitnessGaming = 76
    /// Cardio dance.
    case cardioDance = 77
    /// Social dance.
    case socialDance = 78
    /// Pickleball.
    case pickleball = 79
    /// Cooldown.
    case cooldown = 80
    /// Swim bike run.
    case swimBikeRun = 82
    /// Transition.
    case transition = 83
    /// Underwater diving.
    case underwaterDiving = 84
    /// Other.
    case other = 3000
}

/// Which effort samples a query over effort relationships gives.
public enum HKWorkoutEffortRelationshipQueryOptions: Int, Sendable {
    /// Default.
    case `default` = 0
    /// Most relevant.
    case mostRelevant = 1
}

/// What happened in a workout.
public enum HKWorkoutEventType: Int, Sendable {
    /// Pause.
    case pause = 1
    /// Resume.
    case resume = 2
    /// Lap.
    case lap = 3
    /// Marker.
    case marker = 4
    /// Motion paused.
    case motionPaused = 5
    /// Motion resumed.
    case motionResumed = 6
    /// Segment.
    case segment = 7
    /// Pause or resume request.
    case pauseOrResumeRequest = 8
}

/// Whether a workout is indoors or outdoors.
public enum HKWorkoutSessionLocationType: Int, Sendable {
    /// Unknown.
    case unknown = 1
    /// Indoor.
    case indoor = 2
    /// Outdoor.
    case outdoor = 3
}

/// Where a workout session is in its life.
public enum HKWorkoutSessionState: Int, Sendable {
    /// Not started.
    case notStarted = 1
    /// Running.
    case running = 2
    /// Ended.
    case ended = 3
    /// Paused.
    case paused = 4
    /// Prepared.
    case prepared = 5
    /// Stopped.
    case stopped = 6
}

/// Whether a session runs here or mirrors another device's.
public enum HKWorkoutSessionType: Int, Sendable {
    /// Primary.
    case primary = 0
    /// Mirrored.
    case mirrored = 1
}

/// Where a swim takes place.
public enum HKWorkoutSwimmingLocationType: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// Pool.
    case pool = 1
    /// Open water.
    case openWater = 2
}
