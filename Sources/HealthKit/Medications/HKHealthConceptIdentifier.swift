public import Foundation

/// Which concept of a domain something is about; compares equal for the same concept and says no more.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// What kind of concept.
    public let domain: HKHealthConceptDomain
    /// The concept's name within its domain.
    final let token: String

    package init(domain: HKHealthConceptDomain, token: String) {
        self.domain = domain
        self.token = token
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let parts = SecureRecord.decode([String].self, from: coder), parts.count == 2 else { return nil }
        domain = HKHealthConceptDomain(rawValue: parts[0])
        token = parts[1]
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode([domain.rawValue, token], with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKHealthConceptIdentifier else { return false }
        return domain == other.domain && token == other.token
    }

    public override var hash: Int { token.hashValue }
}
