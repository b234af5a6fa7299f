public import Foundation

/// A code of a medical vocabulary, such as RxNorm.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The vocabulary, usually as a URL.
    public let system: String
    /// The vocabulary's version; `nil` where it does not matter.
    public let version: String?
    /// The code.
    public let code: String

    /// A code of a vocabulary.
    public init(system: String, version: String?, code: String) {
        self.system = system
        self.version = version
        self.code = code
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(ClinicalCodingRecord.self, from: coder) else { return nil }
        (system, version, code) = (record.system, record.version, record.code)
    }

    convenience init(_ record: ClinicalCodingRecord) {
        self.init(system: record.system, version: record.version, code: record.code)
    }

    var record: ClinicalCodingRecord { ClinicalCodingRecord(system: system, version: version, code: code) }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKClinicalCoding)?.record == record
    }

    public override var hash: Int { record.hashValue }

    public override var description: String { "<HKClinicalCoding \(system)|\(version ?? "")|\(code)>" }
}
