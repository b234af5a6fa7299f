public import Foundation
public import HealthKit

extension HKClinicalRecord {
    /// A record of a health institution, as applications cannot make one. Plant it with
    /// ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - type: what kind of record it is.
    ///   - displayName: the name the institution gives it.
    ///   - date: its start and end.
    ///   - resource: what it is in FHIR.
    public static func testing(
        _ type: HKClinicalType, displayName: String, date: Date = TestClock.start, resource: HKFHIRResource? = nil,
        metadata: [String: Any]? = nil
    ) -> HKClinicalRecord {
        HKClinicalRecord(type: type, displayName: displayName, date: date, resource: resource, metadata: metadata)
    }
}

extension HKFHIRResource {
    /// A resource with its JSON.
    public static func testing(
        _ resourceType: HKFHIRResourceType, identifier: String, json: String, version: HKFHIRVersion = .primaryR4(),
        sourceURL: URL? = nil
    ) -> HKFHIRResource {
        HKFHIRResource(
            version: version, resourceType: resourceType, identifier: identifier, data: Data(json.utf8),
            sourceURL: sourceURL)
    }
}
