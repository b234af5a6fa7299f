import HealthModel

/// A version of iOS, which determines the form of an archive.
///
/// Versions differ in the document type, the elements and the defects of their archives; see Docs/Archive-dialects.md.
/// A version between two known ones is treated like the older one.
public struct ArchiveDialect: Hashable, Sendable, Comparable {
    /// The major version.
    public var major: Int
    /// The minor version.
    public var minor: Int

    /// The supported major versions.
    public static let majors = 8...26

    /// Creates a version of iOS.
    public init(major: Int, minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Parses `16` or `16.2`. Returns `nil` for other text and for versions outside ``majors``; iOS 19 to 25 do not
    /// exist.
    ///
    /// `8` means 8.1, whose form the later releases of iOS 8 have; `8.0` is the form of the first archives.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let major = Int(parts[0]), Self.majors.contains(major),
            !(19...25).contains(major), let minor = parts.count == 2 ? Int(parts[1]) : major == 8 ? 1 : 0,
            (0...9).contains(minor), parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        self.init(major: major, minor: minor)
    }

    /// Orders versions from older to newer.
    public static func < (left: ArchiveDialect, right: ArchiveDialect) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// The usual name: `16.2`, or `17` for a minor version of 0; `8` for 8.1.
    public var name: String { minor == (major == 8 ? 1 : 0) ? "\(major)" : "\(major).\(minor)" }

    func isAtLeast(_ major: Int, _ minor: Int = 0) -> Bool {
        self >= ArchiveDialect(major: major, minor: minor)
    }
}

extension ArchiveDialect {
    /// The format version in the document type's comment; `nil` for iOS 8, which is not known to have one. That version
    /// 13 belongs to later releases of iOS 16 is an assumption.
    var exportVersion: Int? {
        switch major {
        case ...8: nil
        case 9...11: 3
        case 12, 13: 8
        case 14, 15: 11
        case 16: minor < 4 ? 12 : 13
        default: 14
        }
    }

    /// The first archives have `source` instead of `sourceName`, no version, device or creation date, dates without
    /// separators, and `recordCount`. That they have no metadata, and that iOS 8.1 changed this, are assumptions.
    var hasFirstForm: Bool { self < ArchiveDialect(major: 8, minor: 1) }

    /// iOS 8 wrote metadata as attributes, even if keys are not valid names.
    var writesMetadataAsAttributes: Bool { major == 8 }
    var hasSummaries: Bool { major >= 9 }
    /// Heart-rate variability exists since iOS 11, its beats since format version 8.
    var hasBeats: Bool { major >= 12 }
    var hasRoutes: Bool { major >= 12 }
    /// Format version 8 has the points of routes in the workout, later versions in separate files.
    var hasInlineLocations: Bool { major == 12 || major == 13 }
    var hasClinicalRecords: Bool { major >= 12 }
    var hasElectrocardiograms: Bool { major >= 13 }
    var hasAudiograms: Bool { major >= 14 }
    /// Since iOS 16, workouts have statistics and activities instead of totals.
    var hasWorkoutStatistics: Bool { major >= 16 }
    var hasSleepStages: Bool { major >= 16 }
    var hasPrescriptions: Bool { major >= 16 }
    var hasAttachments: Bool { major >= 17 }
    var hasCardioFitnessMedications: Bool { major >= 16 }
    /// The hearing test of iOS 18 added masking and clamping without a new format version.
    var hasHearingTest: Bool { isAtLeast(18, 1) }
    /// Archives of iOS 16 can contain control characters.
    var hasControlCharacters: Bool { major == 16 }
    /// The document type of iOS 16.0 and 16.1 is malformed.
    var hasMalformedDocumentType: Bool { major == 16 && minor < 2 }
    /// In old archives, members of a correlation can be missing at top level.
    var hasMembersOnlyInside: Bool { exportVersion == 3 }
    var hasEventDurations: Bool { major >= 12 }
    var manufacturer: String { major >= 14 ? "Apple Inc." : "Apple" }

    /// The attribute for the move time of a day, if there is one.
    var moveTimeName: String? {
        switch major {
        case ...13: nil
        case 14, 15: "appleMoveMinutes"
        default: "appleMoveTime"
        }
    }

    /// The first major versions with types that iOS 8 does not have.
    private static let firstMajor: [String: Int] = TypeCatalog.values(typeVersions).reduce(
        into: ["HKDataTypeSleepDurationGoal": 14]
    ) { $0[$1.identifier] = Int($1.value.prefix { $0 != "." }) }

    /// Whether the version has records of a type.
    func has(type: String) -> Bool { major >= Self.firstMajor[type, default: 8] }
}
