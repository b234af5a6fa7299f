package import Foundation

/// The condition of a query on samples or objects: comparisons combined with and, or and not.
///
/// The API layer creates filters from predicates. The engine derives time bounds from a filter to select pages,
/// and evaluates the rest on columns or object rows. A field that a type does not have never matches.
package indirect enum SampleFilter: Hashable, Sendable {
    /// Matches everything.
    case all
    /// Matches nothing.
    case nothing
    /// Matches if all filters match; an empty list matches everything.
    case and([SampleFilter])
    /// Matches if at least one filter matches; an empty list matches nothing.
    case or([SampleFilter])
    /// Matches what the filter does not match.
    case not(SampleFilter)

    /// Compares the start, in seconds since 2001.
    case start(ComparisonOperator, Double)
    /// Compares the end, in seconds since 2001.
    case end(ComparisonOperator, Double)
    /// Compares the duration in seconds: end minus start, or a workout's duration without pauses.
    case duration(ComparisonOperator, Double)
    /// Compares a quantity sample's value, converted to the given unit.
    case quantity(ComparisonOperator, QuantityRecord)
    /// Compares a category sample's value.
    case category(ComparisonOperator, Int)
    /// The UUID is one of these.
    case uuid(Set<UUID>)
    /// The source's bundle identifier is one of these.
    case source(Set<String>)
    /// The source is the calling application.
    case ownSource
    /// The source revision matches one of these patterns.
    case revision([RevisionPattern])
    /// The device is one of these, with all properties equal, including missing ones.
    case device(Set<DeviceRecord>)
    /// A device property is one of the values; an empty set matches a missing property.
    case deviceProperty(DeviceProperty, Set<String>)
    /// The metadata contains the key.
    case metadataPresent(String)
    /// Compares a metadata value with another of its kind. A missing key matches only `notEqual`.
    case metadata(String, ComparisonOperator, MetadataValue)
    /// A metadata value is one of these.
    case metadataIn(String, [MetadataValue])
    /// The sample does not belong to a correlation.
    case noCorrelation
    /// The sample belongs to this workout (or other owning object).
    case memberOf(UUID)
    /// The object is in an effort relationship with this workout and, if given, this activity of it: as one of
    /// the effort samples or as the workout itself.
    case effortRelated(workout: UUID, activity: UUID?)
    /// Compares a workout's activity type.
    case workoutActivityType(ComparisonOperator, UInt)
    /// Compares a workout's total, converted to the given unit.
    case workoutTotal(WorkoutTotal, ComparisonOperator, QuantityRecord)
    /// Compares a workout's statistic of one quantity type.
    case workoutStatistic(type: TypeCode, WorkoutStatistic, ComparisonOperator, QuantityRecord)
    /// At least one of the workout's activities matches the filter (duration, dates, type, statistics).
    case anyActivity(SampleFilter)
    /// Compares an activity summary's day, as year · 10000 + month · 100 + day.
    case summaryDay(ComparisonOperator, Int)
    /// Compares a document's field with a value of its kind. A missing field matches only `notEqual`.
    case field(String, ComparisonOperator, FieldValue)
    /// A document's list field contains the value.
    case fieldContains(String, FieldValue)
}

/// A comparison of a field with a value.
package enum ComparisonOperator: String, Hashable, Sendable, Codable {
    /// The comparisons, read as field · operator · value.
    case lessThan, lessThanOrEqual, equal, notEqual, greaterThanOrEqual, greaterThan

    /// Returns whether the operator holds for operands in an order: negative if the left one is smaller, 0 if they
    /// are equal, positive if it is greater, `nil` if they are not comparable.
    package func holds(_ order: Int?) -> Bool {
        guard let order else { return self == .notEqual }
        return switch self {
        case .lessThan: order < 0
        case .lessThanOrEqual: order <= 0
        case .equal: order == 0
        case .notEqual: order != 0
        case .greaterThanOrEqual: order >= 0
        case .greaterThan: order > 0
        }
    }
}

/// A pattern that matches source revisions.
package struct RevisionPattern: Hashable, Sendable, Codable {
    /// A condition on one field.
    package enum Match<Value: Hashable & Sendable & Codable>: Hashable, Sendable {
        /// Matches every value.
        case any
        /// Matches only an equal value; `nil` matches a missing value.
        case exactly(Value)

        /// Returns whether a value matches.
        package func matches(_ value: Value) -> Bool {
            switch self {
            case .any: true
            case .exactly(let expected): expected == value
            }
        }
    }

    /// The source's bundle identifier.
    package var bundleIdentifier: String
    /// The condition on the app's version.
    package var version: Match<String?>
    /// The condition on the product type, such as `Watch6,7`.
    package var productType: Match<String?>
    /// The condition on the operating system's version.
    package var operatingSystemVersion: Match<OperatingSystemVersionRecord>

    /// Creates a pattern. Omitted conditions match everything.
    package init(
        bundleIdentifier: String, version: Match<String?> = .any, productType: Match<String?> = .any,
        operatingSystemVersion: Match<OperatingSystemVersionRecord> = .any
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }

    /// Returns whether a revision matches all conditions.
    package func matches(_ revision: SourceRevisionRecord) -> Bool {
        bundleIdentifier == revision.source.bundleIdentifier && version.matches(revision.version)
            && productType.matches(revision.productType)
            && operatingSystemVersion.matches(revision.operatingSystemVersion)
    }
}

/// A property of a device that a filter can compare. Raw values are the keys that apps use.
package enum DeviceProperty: String, Hashable, Sendable, Codable, CaseIterable {
    /// The name shown to people.
    case name
    /// The manufacturer.
    case manufacturer
    /// The model, such as `Watch`.
    case model
    /// The hardware version, such as `Watch6,7`.
    case hardwareVersion = "hardware"
    /// The firmware version.
    case firmwareVersion = "firmware"
    /// The version of the software on the device.
    case softwareVersion = "software"
    /// An identifier that is only meaningful on the machine that wrote the sample.
    case localIdentifier
    /// The device identifier part of a unique device identification (UDI).
    case udiDeviceIdentifier = "UDI_device_identifier"

    /// Returns the property's value of a device.
    package func value(of device: DeviceRecord?) -> String? {
        switch self {
        case .name: device?.name
        case .manufacturer: device?.manufacturer
        case .model: device?.model
        case .hardwareVersion: device?.hardwareVersion
        case .firmwareVersion: device?.firmwareVersion
        case .softwareVersion: device?.softwareVersion
        case .localIdentifier: device?.localIdentifier
        case .udiDeviceIdentifier: device?.udiDeviceIdentifier
        }
    }
}

/// A total of a workout that a filter or sort key can refer to.
package enum WorkoutTotal: String, Hashable, Sendable, Codable {
    /// Distance, energy, strokes and flights of the whole workout, each in the unit it was saved in.
    case distance, energyBurned, swimmingStrokeCount, flightsClimbed

    /// Returns the total's value of a workout.
    package func value(of workout: WorkoutBody) -> QuantityRecord? {
        switch self {
        case .distance: workout.totalDistance
        case .energyBurned: workout.totalEnergyBurned
        case .swimmingStrokeCount: workout.totalSwimmingStrokeCount
        case .flightsClimbed: workout.totalFlightsClimbed
        }
    }
}

/// A statistic of a workout that a filter can compare.
package enum WorkoutStatistic: String, Hashable, Sendable, Codable, CaseIterable {
    /// The statistics of one quantity type; the aggregation style determines which of them exist.
    case sum, minimum, maximum, average
}

/// A key by which results are sorted.
package struct SampleSort: Hashable, Sendable {
    /// The key by which results are sorted.
    package enum Key: Hashable, Sendable {
        /// The start or end date.
        case start, end
        /// Insertion order.
        case sequence
        /// The duration: end minus start, or a workout's duration without pauses.
        case duration
        /// A workout's total.
        case workoutTotal(WorkoutTotal)
        /// The sample's value. The original has no such key.
        case value
    }

    /// The key by which results are sorted.
    package var key: Key
    /// A Boolean value that indicates whether smaller values come first.
    package var ascending: Bool

    /// Creates a sort key, ascending by default.
    package init(_ key: Key, ascending: Bool = true) {
        self.key = key
        self.ascending = ascending
    }
}
