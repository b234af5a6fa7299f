public import Foundation

/// The objects of HealthKit that keyed archives contain.
///
/// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` and
/// `NSKeyedUnarchiver.unarchivedObject(ofClass:from:)` have overloads for them, which Swift selects where the class
/// is known when the program is compiled. They write and read the layout that Apple's systems use, and a damaged
/// archive throws. Everywhere else, Foundation's own functions are called. On Linux, those write other class names,
/// which are read here only, and end the process for some damaged archives.
public protocol HKArchiveCoding: NSSecureCoding {}

extension HKObject: HKArchiveCoding {}
extension HKDeletedObject: HKArchiveCoding {}
extension HKObjectType: HKArchiveCoding {}
extension HKUnit: HKArchiveCoding {}
extension HKQuantity: HKArchiveCoding {}
extension HKSource: HKArchiveCoding {}
extension HKSourceRevision: HKArchiveCoding {}
extension HKDevice: HKArchiveCoding {}
extension HKQueryAnchor: HKArchiveCoding {}
extension HKWorkoutEvent: HKArchiveCoding {}
extension HKWorkoutActivity: HKArchiveCoding {}
extension HKWorkoutConfiguration: HKArchiveCoding {}
extension HKWorkoutEffortRelationship: HKArchiveCoding {}
extension HKStatistics: HKArchiveCoding {}
extension HKActivitySummary: HKArchiveCoding {}
extension HKAttachment: HKArchiveCoding {}
extension HKBiologicalSexObject: HKArchiveCoding {}
extension HKBloodTypeObject: HKArchiveCoding {}
extension HKFitzpatrickSkinTypeObject: HKArchiveCoding {}
extension HKWheelchairUseObject: HKArchiveCoding {}
extension HKActivityMoveModeObject: HKArchiveCoding {}
extension HKFHIRResource: HKArchiveCoding {}
extension HKFHIRVersion: HKArchiveCoding {}
extension HKVerifiableClinicalRecordSubject: HKArchiveCoding {}
extension HKGlassesLensSpecification: HKArchiveCoding {}
extension HKContactsLensSpecification: HKArchiveCoding {}
extension HKVisionPrism: HKArchiveCoding {}
extension HKAudiogramSensitivityPoint: HKArchiveCoding {}
extension HKAudiogramSensitivityTest: HKArchiveCoding {}
extension HKAudiogramSensitivityPointClampingRange: HKArchiveCoding {}
extension HKUserAnnotatedMedication: HKArchiveCoding {}
extension HKMedicationConcept: HKArchiveCoding {}
extension HKHealthConceptIdentifier: HKArchiveCoding {}
extension HKClinicalCoding: HKArchiveCoding {}

extension NSKeyedUnarchiver {
    /// Decodes an object of HealthKit from an archive of this module or of Apple's systems; `nil` for an archive of
    /// nothing.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` for a damaged archive, for an object of another class, and for
    ///   contents whose layout is unknown here.
    public static func unarchivedObject<Object: NSObject & HKArchiveCoding>(
        ofClass cls: Object.Type, from data: Data
    ) throws -> Object? {
        ArchivedClasses.register()
        do throws(KeyedArchiveError) {
            let archive = try KeyedArchive(data)
            let names = archive.classNames(archive.object(archive.root))
            guard isApplicationClass(names, below: cls) else {
                return try KeyedArchiveDecoder.root(of: archive, as: [cls]) as? Object
            }
        } catch {
            throw error.cocoaError
        }
        // A subclass of an application decodes whatever it encoded.
        return try unarchivedObject(ofClasses: [cls], from: data) as? Object
    }

    /// Decodes an array of objects of HealthKit from an archive of this module or of Apple's systems; `nil` for an
    /// archive of nothing.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` for a damaged archive, for an object of another class, and for
    ///   contents whose layout is unknown here.
    public static func unarchivedArrayOfObjects<Object: NSObject & HKArchiveCoding>(
        ofClass cls: Object.Type, from data: Data
    ) throws -> [Object]? {
        ArchivedClasses.register()
        do throws(KeyedArchiveError) {
            let array = try KeyedArchiveDecoder.root(of: KeyedArchive(data), as: [NSArray.self, cls])
            guard let array else { return nil }
            guard let objects = array as? NSArray else {
                throw KeyedArchiveError("The archive is not one of an array.")
            }
            return try (0..<objects.count).map { index throws(KeyedArchiveError) in
                guard let object = objects[index] as? Object else {
                    throw KeyedArchiveError("An object of the archive has an unexpected class.")
                }
                return object
            }
        } catch {
            throw error.cocoaError
        }
    }

    /// Whether the class is not this module's, but a subclass of `cls` in this program.
    private static func isApplicationClass(_ names: [String], below cls: AnyClass) -> Bool {
        guard let name = names.first, ArchivedClasses.archived(names) == nil,
            let found = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
        else { return false }
        var type: AnyClass? = found
        while let current = type {
            if current == cls { return true }
            type = _getSuperclass(current)
        }
        return false
    }
}

extension NSKeyedArchiver {
    /// Archives an object of HealthKit in the layout of Apple's systems.
    ///
    /// - Throws: What Foundation's function of the same name throws.
    public class func archivedData(
        withRootObject object: some NSObject & HKArchiveCoding, requiringSecureCoding: Bool
    ) throws -> Data {
        try originalNames(in: archivedData(withRootObject: object as Any, requiringSecureCoding: requiringSecureCoding))
    }

    /// Archives an array of objects of HealthKit in the layout of Apple's systems.
    ///
    /// - Throws: What Foundation's function of the same name throws.
    public class func archivedData(
        withRootObject objects: [some NSObject & HKArchiveCoding], requiringSecureCoding: Bool
    ) throws -> Data {
        try originalNames(
            in: archivedData(
                withRootObject: NSArray(array: objects) as Any, requiringSecureCoding: requiringSecureCoding))
    }

    /// The archive with the original's class names. Foundation on Linux prefixes names with their module's, and
    /// ignores `setClassName(_:for:)`.
    private class func originalNames(in data: Data) throws -> Data {
        guard
            var archive = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
                as? [String: Any],
            let objects = archive["$objects"] as? [Any]
        else { return data }
        let renamed = objects.map { object -> Any in
            guard var description = object as? [String: Any], description["$classname"] is String,
                let classes = description["$classes"] as? [String], let names = ArchivedClasses.originalNames(classes)
            else { return object }
            description["$classname"] = names.first
            description["$classes"] = names
            return description
        }
        // In a program with the Swift runtime inside, the linker leaves out how an array becomes an object unless
        // something calls it: Foundation's archiver and property lists only look for it when they run, and write
        // nothing without it.
        archive["$objects"] = renamed._bridgeToObjectiveC()
        return try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
    }
}
