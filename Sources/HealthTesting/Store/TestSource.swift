public import Foundation
public import HealthKit
import HealthModel

/// Another app or device whose data a test adds to a store.
public struct TestSource: Hashable, Sendable {
    /// The identifier of the source, such as `com.example.scale`.
    public var bundleIdentifier: String
    /// The name shown to people.
    public var name: String
    /// The app's version as the app writes it.
    public var version: String?
    /// The product type, such as `Watch6,7`.
    public var productType: String?
    /// The version of the source's operating system.
    public var operatingSystemVersion: (major: Int, minor: Int, patch: Int) {
        get { (system.major, system.minor, system.patch) }
        set {
            system = OperatingSystemVersionRecord(major: newValue.major, minor: newValue.minor, patch: newValue.patch)
        }
    }

    private var system = OperatingSystemVersionRecord()

    /// Creates a source. Omitted properties are unknown.
    public init(
        bundleIdentifier: String, name: String, version: String? = nil, productType: String? = nil,
        operatingSystemVersion: (major: Int, minor: Int, patch: Int) = (0, 0, 0)
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }

    /// An Apple Watch.
    public static let watch = TestSource(
        bundleIdentifier: "com.apple.health.00000000-0000-0000-0000-0000000000AA", name: "Apple Watch",
        version: "10.3", productType: "Watch6,7", operatingSystemVersion: (10, 3, 0))

    /// An iPhone.
    public static let phone = TestSource(
        bundleIdentifier: "com.apple.health.00000000-0000-0000-0000-0000000000BB", name: "iPhone",
        version: "17.3", productType: "iPhone15,2", operatingSystemVersion: (17, 3, 0))

    /// The Health app, in which people enter data by hand.
    public static let healthApplication = TestSource(
        bundleIdentifier: "com.apple.Health", name: "Health", version: "17.3", productType: "iPhone15,2",
        operatingSystemVersion: (17, 3, 0))

    var record: SourceRevisionRecord {
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: bundleIdentifier, name: name), version: version,
            productType: productType, operatingSystemVersion: system)
    }
}

/// The characteristics of the person in a test store.
public struct TestCharacteristics: Hashable, Sendable {
    /// A Gregorian year, month and day.
    public var dateOfBirth: DateComponents?
    /// The biological sex. Here and below, `nil` means that the characteristic is not set.
    public var biologicalSex: HKBiologicalSex?
    /// The sex whose reference ranges apply. Beta: part of the beta of iOS 27.3.
    public var referenceSex: HKReferenceSex?
    /// The blood type.
    public var bloodType: HKBloodType?
    /// The skin type on the Fitzpatrick scale.
    public var fitzpatrickSkinType: HKFitzpatrickSkinType?
    /// Whether the person uses a wheelchair.
    public var wheelchairUse: HKWheelchairUse?
    /// Whether the Move ring measures energy or time.
    public var activityMoveMode: HKActivityMoveMode?

    /// Creates characteristics. Those that are omitted are not set.
    public init(
        dateOfBirth: DateComponents? = nil, biologicalSex: HKBiologicalSex? = nil, bloodType: HKBloodType? = nil,
        fitzpatrickSkinType: HKFitzpatrickSkinType? = nil, wheelchairUse: HKWheelchairUse? = nil,
        activityMoveMode: HKActivityMoveMode? = nil, referenceSex: HKReferenceSex? = nil
    ) {
        self.dateOfBirth = dateOfBirth
        self.biologicalSex = biologicalSex
        self.bloodType = bloodType
        self.fitzpatrickSkinType = fitzpatrickSkinType
        self.wheelchairUse = wheelchairUse
        self.activityMoveMode = activityMoveMode
        self.referenceSex = referenceSex
    }
}
