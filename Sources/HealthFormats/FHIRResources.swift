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
        guard let type = writer.dictionaries.type(object.type) else { return nil }
        switch object.body {
        case .workout(let workout): return writer.observation(object, workout, of: type).bytes
        case .document(let document) where type.identifier == Self.electrocardiogram:
            return writer.electrocardiogram(object, document, of: type).bytes
        case .none where type.kind == .correlation: return writer.observation(object, of: type).bytes
        default: return nil
        }
    }

    private static let electrocardiogram = "HKDataTypeIdentifierElectrocardiogram"

    /// Whether samples and objects of a type are observations.
    package static func isObservation(_ type: TypeDescription) -> Bool {
        type.kind.isPaged || type.kind == .correlation || type.kind == .workout || type.identifier == electrocardiogram
    }

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
        switch type.identifier {
        case "HKCorrelationTypeIdentifierBloodPressure": return code == FHIRCode.bloodPressure.code
        case electrocardiogram: return code == FHIRCode.electrocardiogram.code
        default:
            return ["mg/dL", "mmol/L"].contains { unit in
                FHIRCode.loinc(of: type, unit: unit).contains { $0.code == code }
            }
        }
    }

    /// Returns whether observations of a type are of a category, such as `vital-signs`.
    package static func isInCategory(_ type: TypeDescription, _ code: String) -> Bool {
        FHIRCategory(of: type)?.rawValue == code
            || type.identifier == electrocardiogram && code == FHIRCategory.procedure.rawValue
    }
}
