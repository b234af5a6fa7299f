package import Foundation
package import HealthEngine
import HealthJSON
package import HealthModel

/// Writes the resources of one store one by one, with references as a FHIR server has them. The counterpart for files
/// is ``FHIRExporter``.
///
/// Use it on one thread at a time.
package struct FHIRResources {
    private let writer: FHIRWriter

    /// Creates a writer of resources.
    ///
    /// - Parameters:
    ///   - dictionaries: The dictionaries that the samples' numbers refer to.
    ///   - patient: The identifier of the person.
    package init(
        dictionaries: StoreDictionaries, identities: DerivedIdentities, timeZone: TimeZone, patient: UUID
    ) {
        writer = FHIRWriter(
            dictionaries: dictionaries, identities: identities, clock: LocalClock(timeZone: timeZone), patient: patient,
            subject: "Patient/" + patient.uuidString.lowercased())
    }

    /// The person as a Patient.
    package func patient(_ profile: Profile) -> [UInt8] { writer.person(profile).bytes }

    /// A sample as an Observation; `nil` for a type that the store doesn't know.
    package func observation(_ sample: SampleRecord) -> [UInt8]? {
        writer.dictionaries.type(sample.type).map { writer.observation(sample, of: $0).bytes }
    }

    /// An object with its members as an Observation; `nil` for objects that aren't observations.
    package func observation(_ object: ObjectRecord) -> [UInt8]? {
        writer.dictionaries.type(object.type).flatMap { writer.observation(of: object, $0)?.bytes }
    }

    /// The rings of the days that have any as Observations, ascending, with their identifiers and bounds.
    package func activities(
        from reading: StoreReader
    ) throws -> [(id: UUID, day: SummaryDay, resource: [UInt8])] {
        try reading.activityDays(in: writer.clock).compactMap { day, summary in
            writer.observation(summary, on: day).map { (writer.identity(of: day), day, $0.bytes) }
        }
    }

    /// Whether samples and objects of a type are observations.
    package static func isObservation(_ type: TypeDescription) -> Bool {
        type.kind.isPaged || type.kind == .correlation || type.kind == .workout
            || [FHIRWriter.electrocardiogram, FHIRWriter.audiogram, FHIRWriter.route].contains(type.identifier)
    }

    /// The type of the rings of days, which are observations although they aren't samples.
    package static var activityType: TypeDescription? { TypeCatalog.description(for: FHIRWriter.summary) }

    /// Whether samples of a type are usually components of a panel.
    package static func isComponent(_ type: TypeDescription) -> Bool {
        type.identifier.hasPrefix("HKQuantityTypeIdentifierBloodPressure")
    }

    /// Returns whether observations of a type have a code, in the code system if one is given: a LOINC code, or
    /// HealthKit's identifier or short name.
    package static func has(_ type: TypeDescription, code: String, system: String?) -> Bool {
        if system == nil || system == FHIRCode.identifierSystem, code == type.identifier || code == type.shortName {
            return true
        }
        guard system == nil || system == FHIRCode.loincSystem else { return false }
        return ["mg/dL", "mmol/L"].contains { unit in
            FHIRCode.loinc(of: type, unit: unit).contains { $0.code == code }
        }
    }

    /// Returns whether observations of a type are of a category, such as `vital-signs`.
    package static func isInCategory(_ type: TypeDescription, _ code: String) -> Bool {
        FHIRCategory(of: type)?.rawValue == code
    }
}
