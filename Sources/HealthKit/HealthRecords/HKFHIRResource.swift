public import Foundation
import HealthModel

/// A resource of the FHIR standard as a health institution gave it out.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKFHIRResource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The version of the standard that ``data`` is written in.
    public let fhirVersion: HKFHIRVersion
    /// The kind of resource.
    public let resourceType: HKFHIRResourceType
    /// The resource's identifier, unique within its source and kind.
    public let identifier: String
    /// The resource, in JSON.
    public let data: Data
    /// Where the resource came from.
    public let sourceURL: URL?

    package init(
        version: HKFHIRVersion, resourceType: HKFHIRResourceType, identifier: String, data: Data, sourceURL: URL?
    ) {
        fhirVersion = version
        self.resourceType = resourceType
        self.identifier = identifier
        self.data = data
        self.sourceURL = sourceURL
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    private struct Archive: Codable {
        var version: String
        var type: String
        var identifier: String
        var data: Data
        var sourceURL: String?
    }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Archive.self, from: coder),
            let version = try? HKFHIRVersion(fromVersionString: archive.version)
        else { return nil }
        fhirVersion = version
        resourceType = HKFHIRResourceType(rawValue: archive.type)
        identifier = archive.identifier
        data = archive.data
        sourceURL = archive.sourceURL.flatMap { URL(string: $0) }
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(
            Archive(
                version: fhirVersion.stringRepresentation, type: resourceType.rawValue, identifier: identifier,
                data: data, sourceURL: sourceURL?.absoluteString), with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKFHIRResource else { return false }
        return fhirVersion == other.fhirVersion && resourceType == other.resourceType
            && identifier == other.identifier && data == other.data && sourceURL == other.sourceURL
    }

    public override var hash: Int { identifier.hashValue }

    public override var description: String { "<HKFHIRResource \(resourceType.rawValue), \(fhirVersion)>" }
}
