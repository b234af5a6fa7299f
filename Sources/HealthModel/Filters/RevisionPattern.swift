/// A source revision to look for.
public struct RevisionPattern: Hashable, Sendable {
    /// A field that must be equal (missing included) or may be anything.
    public enum Match<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Every value agrees.
        case any
        /// Only an equal value agrees.
        case exactly(Value)

        /// Whether `value` agrees.
        public func agrees(with value: Value) -> Bool {
            switch self {
            case .any: true
            case .exactly(let wanted): wanted == value
            }
        }
    }

    /// The source wanted; only its bundle identifier is compared.
    public var source: SourceRecord
    /// The application's version wanted.
    public var version: Match<String?>
    /// The hardware wanted, such as `Watch6,7`.
    public var productType: Match<String?>
    /// The version of the operating system wanted.
    public var operatingSystemVersion: Match<OperatingSystemVersionRecord>

    /// Makes a pattern that leaves open what is not given.
    public init(
        source: SourceRecord, version: Match<String?> = .any, productType: Match<String?> = .any,
        operatingSystemVersion: Match<OperatingSystemVersionRecord> = .any
    ) {
        self.source = source
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }

    /// Whether a revision agrees: same bundle identifier, and every other field as the pattern says.
    public func agrees(with revision: SourceRevisionRecord) -> Bool {
        source.bundleIdentifier == revision.source.bundleIdentifier
            && version.agrees(with: revision.version)
            && productType.agrees(with: revision.productType)
            && operatingSystemVersion.agrees(with: revision.operatingSystemVersion)
    }
}
