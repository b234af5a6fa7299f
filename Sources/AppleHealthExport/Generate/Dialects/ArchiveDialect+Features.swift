extension ArchiveDialect {
    /// The number in the document type's comment; `nil` for iOS 8, which is not known to have had one.
    /// That 13 belongs to the later iOS 16 is a guess: it was only seen quoted.
    var exportVersion: Int? {
        switch major {
        case ...8: nil
        case 9...11: 3
        case 12, 13: 8
        case 14, 15: 11
        case 16: minor < 4 ? 12 : 13
        default: 14
        }
    }

    /// iOS 8 wrote a record's metadata as attributes, whatever their keys looked like.
    var writesMetadataAsAttributes: Bool { major == 8 }
    var hasSummaries: Bool { major >= 9 }
    /// Variability came with iOS 11, the beats behind it with version 8 of the format.
    var hasBeats: Bool { major >= 12 }
    var hasRoutes: Bool { major >= 12 }
    /// Version 8 wrote a route's points into the workout; later ones into files of their own.
    var hasInlineLocations: Bool { major == 12 || major == 13 }
    var hasClinicalRecords: Bool { major >= 12 }
    var hasElectrocardiograms: Bool { major >= 13 }
    var hasAudiograms: Bool { major >= 14 }
    /// From iOS 16 on workouts have statistics and activities in place of totals.
    var hasWorkoutStatistics: Bool { major >= 16 }
    var hasSleepStages: Bool { major >= 16 }
    var hasPrescriptions: Bool { major >= 16 }
    var hasAttachments: Bool { major >= 17 }
    var hasCardioFitnessMedications: Bool { major >= 16 }
    /// The hearing test of iOS 18 brought masking and clamping, without a new number.
    var hasHearingTest: Bool { isAtLeast(18, 1) }
    /// Control characters were seen in archives of iOS 16.
    var hasControlCharacters: Bool { major == 16 }
    /// The document type of the first iOS 16 is torn; 16.2 is said to have mended it.
    var hasTornDocumentType: Bool { major == 16 && minor < 2 }
    /// In old archives the members of a correlation may stand inside it only.
    var hasMembersOnlyInside: Bool { exportVersion == 3 }
    var hasEventDurations: Bool { major >= 12 }
    var manufacturer: String { major >= 14 ? "Apple Inc." : "Apple" }

    /// What the move minutes of a day are called, where a day has them.
    var moveTimeName: String? {
        switch major {
        case ...13: nil
        case 14, 15: "appleMoveMinutes"
        default: "appleMoveTime"
        }
    }

    /// The first iOS with a type that the generator writes and iOS 8 did not have.
    private static let firstMajor: [String: Int] = [
        "HKQuantityTypeIdentifierPhysicalEffort": 17, "HKQuantityTypeIdentifierEnvironmentalAudioExposure": 13,
        "HKQuantityTypeIdentifierHeadphoneAudioExposure": 13, "HKQuantityTypeIdentifierWalkingSpeed": 14,
        "HKQuantityTypeIdentifierWalkingStepLength": 14, "HKQuantityTypeIdentifierAppleStandTime": 13,
        "HKQuantityTypeIdentifierAppleExerciseTime": 9, "HKCategoryTypeIdentifierAppleStandHour": 9,
        "HKQuantityTypeIdentifierRestingHeartRate": 11, "HKQuantityTypeIdentifierWalkingHeartRateAverage": 11,
        "HKQuantityTypeIdentifierVO2Max": 11, "HKQuantityTypeIdentifierHeartRateVariabilitySDNN": 11,
        "HKQuantityTypeIdentifierAppleSleepingWristTemperature": 16, "HKCategoryTypeIdentifierMindfulSession": 10,
        "HKDataTypeSleepDurationGoal": 14,
    ]

    /// Whether records of this type can be in the archive.
    func has(type: String) -> Bool { major >= Self.firstMajor[type, default: 8] }
}
