public import Foundation

/// A resource of the FHIR standard, as a health institution provides it.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKFHIRResource: _ValueObject, @unchecked Sendable {
    /// The version of the standard that ``data`` uses.
    open var fhirVersion: HKFHIRVersion { storedFhirVersion }
    /// The type of the resource.
    open var resourceType: HKFHIRResourceType { storedResourceType }
    /// The identifier of the resource, unique within its source and type.
    open var identifier: String { storedIdentifier }
    /// The resource, in JSON.
    open var data: Data { storedData }
    /// The URL that the resource was read from.
    open var sourceURL: URL? { storedSourceURL }

    private let storedFhirVersion: HKFHIRVersion
    private let storedResourceType: HKFHIRResourceType
    private let storedIdentifier: String
    private let storedData: Data
    private let storedSourceURL: URL?

    package init(
        version: HKFHIRVersion, resourceType: HKFHIRResourceType, identifier: String, data: Data, sourceURL: URL?
    ) {
        storedFhirVersion = version
        storedResourceType = resourceType
        storedIdentifier = identifier
        storedData = data
        storedSourceURL = sourceURL
    }

    private struct Archive: Codable, Hashable {
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
        storedFhirVersion = version
        storedResourceType = HKFHIRResourceType(rawValue: archive.type)
        storedIdentifier = archive.identifier
        storedData = archive.data
        storedSourceURL = archive.sourceURL.flatMap { URL(string: $0) }
    }

    override var archivedRecord: any Codable & Hashable {
        Archive(
            version: fhirVersion.stringRepresentation, type: resourceType.rawValue, identifier: identifier,
            data: data, sourceURL: sourceURL?.absoluteString)
    }

    open override var description: String { "<HKFHIRResource \(resourceType.rawValue), \(fhirVersion)>" }
}

/// A version of the FHIR standard.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKFHIRVersion: _ValueObject, @unchecked Sendable {
    /// The first number of the version.
    open var majorVersion: Int { storedMajorVersion }
    /// The second number of the version.
    open var minorVersion: Int { storedMinorVersion }
    /// The third number of the version.
    open var patchVersion: Int { storedPatchVersion }

    private let storedMajorVersion: Int
    private let storedMinorVersion: Int
    private let storedPatchVersion: Int

    init(_ numbers: (major: Int, minor: Int, patch: Int)) {
        (storedMajorVersion, storedMinorVersion, storedPatchVersion) = numbers
    }

    /// Creates the version of a string such as `4.0.1`.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a string that is not three integers separated by dots.
    public convenience init(fromVersionString versionString: String) throws {
        guard let numbers = Self.numbers(versionString) else {
            throw HKError.make(
                .errorInvalidArgument, "A FHIR version must be three numbers separated by dots, such as 4.0.1.")
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
    open class func primaryDSTU2() -> Self { HKFHIRVersion((1, 0, 2)) as! Self }

    /// The version of release 4 that clinical records use: 4.0.1.
    open class func primaryR4() -> Self { HKFHIRVersion((4, 0, 1)) as! Self }

    /// The release that includes the version.
    open var fhirRelease: HKFHIRRelease {
        switch (majorVersion, minorVersion) {
        case (1, 0): .dstu2
        case (4, 0): .r4
        default: .unknown
        }
    }

    /// The version as text, such as `4.0.1`.
    open var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let text = SecureRecord.decode(String.self, from: coder), let numbers = Self.numbers(text) else {
            return nil
        }
        (storedMajorVersion, storedMinorVersion, storedPatchVersion) = numbers
    }

    override var archivedRecord: any Codable & Hashable { stringRepresentation }

    open override var description: String { "<HKFHIRVersion \(stringRepresentation)>" }
}
