public import Foundation

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

    /// The version that a string such as `4.0.1` names.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a string that is no three whole numbers with dots.
    public convenience init(fromVersionString versionString: String) throws {
        guard let numbers = Self.numbers(versionString) else {
            throw HKError.make(.errorInvalidArgument, "A FHIR version must be three numbers joined by dots.")
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

    /// The version of DSTU 2 that clinical records come in: 1.0.2.
    public class func primaryDSTU2() -> Self { self.init((1, 0, 2)) }

    /// The version of release 4 that clinical records come in: 4.0.1.
    public class func primaryR4() -> Self { self.init((4, 0, 1)) }

    /// The release the version belongs to.
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
