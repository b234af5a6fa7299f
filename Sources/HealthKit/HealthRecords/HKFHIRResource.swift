public import Foundation

/// A resource of the FHIR standard, as a health institution provides it.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKFHIRResource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The version of the standard that ``data`` uses.
    public let fhirVersion: HKFHIRVersion
    /// The type of the resource.
    public let resourceType: HKFHIRResourceType
    /// The identifier of the resource, unique within its source and type.
    public let identifier: String
    /// The resource, in JSON.
    public let data: Data
    /// The URL that the resource was read from.
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

/// A version of the FHIR standard.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKFHIRVersion: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The first number of the version.
    public let majorVersion: Int
    /// The second number of the version.
    public let minorVersion: Int
    /// The third number of the version.
    public let patchVersion: Int

    required init(_ numbers: (major: Int, minor: Int, patch: Int)) {
        (majorVersion, minorVersion, patchVersion) = numbers
    }

    /// Creates the version of a string such as `4.0.1`.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a string that is not three integers separated by dots.
    public convenience init(fromVersionString versionString: String) throws {
        guard let numbers = Self.numbers(versionString) else {
            throw HKError.make(.errorInvalidArgument, "A FHIR version must be three numbers separated by dots, such as 4.0.1.")
        }
        self.init(numbers)
    }

    private static func numbers(_ text: String) -> (major: Int, minor: Int, patch: Int)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let major = Int(parts[0]), let minor = Int(parts[1]), let patch = Int(parts[2])
        else { return nil }
        return (major, minor, patch)
    }

    /// The version of DSTU 2 that clinical records use: 1.0.2.
    public class func primaryDSTU2() -> Self { self.init((1, 0, 2)) }

    /// The version of release 4 that clinical records use: 4.0.1.
    public class func primaryR4() -> Self { self.init((4, 0, 1)) }

    /// The release that includes the version.
    public var fhirRelease: HKFHIRRelease {
        switch (majorVersion, minorVersion) {
        case (1, 0): .dstu2
        case (4, 0): .r4
        default: .unknown
        }
    }

    /// The version as text, such as `4.0.1`.
    public var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let text = SecureRecord.decode(String.self, from: coder), let numbers = Self.numbers(text) else {
            return nil
        }
        (majorVersion, minorVersion, patchVersion) = numbers
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(stringRepresentation, with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFHIRVersion)?.stringRepresentation == stringRepresentation
    }

    public override var hash: Int { stringRepresentation.hashValue }

    public override var description: String { "<HKFHIRVersion \(stringRepresentation)>" }
}
