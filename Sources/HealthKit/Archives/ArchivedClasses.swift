import Foundation
import Synchronization

/// The classes of the module that archives contain, by the names they have in archives: the original's, without
/// the name of a module.
enum ArchivedClasses {
    typealias Archived = any (NSObject & NSSecureCoding).Type

    static let all: [Archived] = samples + parts + types

    private static let samples: [Archived] = [
        HKObject.self, HKSample.self, HKQuantitySample.self, HKCumulativeQuantitySample.self,
        HKDiscreteQuantitySample.self, HKCategorySample.self, HKCorrelation.self, HKWorkout.self, HKSeriesSample.self,
        HKWorkoutRoute.self, HKHeartbeatSeriesSample.self, HKElectrocardiogram.self, HKAudiogramSample.self,
        HKVisionPrescription.self, HKGlassesPrescription.self, HKContactsPrescription.self, HKStateOfMind.self,
        HKScoredAssessment.self, HKGAD7Assessment.self, HKPHQ9Assessment.self, HKClinicalRecord.self,
        HKDocumentSample.self, HKCDADocumentSample.self, HKVerifiableClinicalRecord.self, HKMedicationDoseEvent.self,
    ]

    private static let parts: [Archived] = [
        HKDeletedObject.self, HKSource.self, HKSourceRevision.self, HKDevice.self, HKQuantity.self, HKUnit.self,
        HKQueryAnchor.self, HKWorkoutEvent.self, HKWorkoutActivity.self, HKWorkoutConfiguration.self,
        HKWorkoutEffortRelationship.self, HKStatistics.self, HKActivitySummary.self, HKAttachment.self,
        HKBiologicalSexObject.self, HKBloodTypeObject.self, HKFitzpatrickSkinTypeObject.self,
        HKWheelchairUseObject.self, HKActivityMoveModeObject.self, HKFHIRResource.self, HKFHIRVersion.self,
        HKVerifiableClinicalRecordSubject.self, HKGlassesLensSpecification.self, HKContactsLensSpecification.self,
        HKVisionPrism.self, HKAudiogramSensitivityPoint.self, HKAudiogramSensitivityTest.self,
        HKAudiogramSensitivityPointClampingRange.self, HKUserAnnotatedMedication.self, HKMedicationConcept.self,
        HKHealthConceptIdentifier.self, HKClinicalCoding.self,
    ]

    private static let types: [Archived] = [
        HKObjectType.self, HKSampleType.self, HKQuantityType.self, HKCategoryType.self, HKCorrelationType.self,
        HKWorkoutType.self, HKActivitySummaryType.self, HKCharacteristicType.self, HKSeriesType.self,
        HKDocumentType.self, HKClinicalType.self, HKPrescriptionType.self, HKAudiogramSampleType.self,
        HKElectrocardiogramType.self, HKScoredAssessmentType.self, HKStateOfMindType.self,
        HKMedicationDoseEventType.self, HKUserAnnotatedMedicationType.self,
    ]

    /// The name under which units are written. The original has a class for each kind of unit, and reads a unit of
    /// this one from its unit string.
    static let unitName = "_HKCompoundUnit"

    private static let byName: [String: Archived] = {
        // Not `String(describing:)` or `NSStringFromClass`, which look for conformances of each class: half of the time
        // that a program took to start.
        var byName = Dictionary(uniqueKeysWithValues: all.map { (_typeName($0, qualified: false), $0) })
        byName[unitName] = HKUnit.self
        return byName
    }()

    /// The prefix that Foundation writes on Linux.
    private static let modulePrefix = "HealthKit."

    /// The class of an archived object; `nil` for one that is not of this module.
    ///
    /// Units and types of classes that are unknown here are read as the class's nearest known ancestor, because
    /// these classes say nothing that their contents don't.
    ///
    /// - Parameter names: The names of the class and its ancestors, the class first.
    static func archived(_ names: [String]) -> Archived? {
        guard let name = names.first else { return nil }
        if let known = byName[unprefixed(name)] { return known }
        let ancestor = names.lazy.compactMap { byName[unprefixed($0)] }.first
        return ancestor is HKUnit.Type || ancestor is HKObjectType.Type ? ancestor : nil
    }

    /// The original's name of a class that Foundation wrote as `name`, and of its ancestors, the class first; `nil`
    /// for a class of another module.
    static func originalNames(_ names: [String]) -> [String]? {
        guard let name = names.first, name.hasPrefix(modulePrefix) else { return nil }
        if unprefixed(name) == String(describing: HKUnit.self) { return [unitName] + names.map(unprefixed) }
        // A class that is not the original's is written as the nearest ancestor that is.
        return names.map(unprefixed).drop { $0 != "NSObject" && byName[$0] == nil }.map { $0 }
    }

    private static func unprefixed(_ name: String) -> String {
        name.hasPrefix(modulePrefix) ? String(name.dropFirst(modulePrefix.count)) : name
    }

    // MARK: - Foundation's unarchiver

    private static let registration: Void = {
        for (name, archived) in byName { NSKeyedUnarchiver.setClass(archived, forClassName: name) }
    }()

    /// Tells Foundation's unarchiver the names, once for the process.
    static func register() { registration }

    /// Whether the Swift runtime is a separate library, which is initialized before this module.
    ///
    /// In a program with the runtime inside, it is initialized later, and with it how values are hashed: what is in a
    /// dictionary by then can't be found any more.
    static var isRuntimeInitialized: Bool {
        // Asking for the library by its name would search all folders of libraries for it.
        typealias Locate = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32
        guard let function = dlsym(nil, "swift_retain"), let locate = dlsym(nil, "dladdr") else { return false }
        // Dl_info, which Swift doesn't import: the library's name and address, the symbol's name and address.
        var place: (UnsafePointer<CChar>?, Int, Int, Int) = (nil, 0, 0, 0)
        guard unsafeBitCast(locate, to: Locate.self)(function, &place) != 0, let name = place.0 else { return false }
        return strstr(name, "libswiftCore.so") != nil
    }
}

#if compiler(>=6.3)
    // Foundation looks a class up by its name in the archive before any code of this module runs, so the names are
    // registered when the program is loaded. Earlier compilers cannot place a function there; with those, and with the
    // runtime inside the program, the names are known from the first store or archive that this module opens.
    @section(".init_array") @used
    private let registerWhenLoaded: @convention(c) () -> Void = {
        if ArchivedClasses.isRuntimeInitialized { ArchivedClasses.register() }
    }
#endif
