package import Foundation
package import HealthModel

/// The contents of a file, or a part of them, in HealthKit's terms.
package struct FileContent: Sendable {
    package var samples: [SampleRecord] = []
    /// Samples by the thousand.
    package var series: [SampleSeries] = []
    /// Workouts, with the samples that belong to them, and correlations.
    package var objects: [ObjectRecord] = []
    /// Samples by the thousand that belong to one of ``objects``, as heart rates belong to a workout.
    package var members: [(owner: Int, series: SampleSeries)] = []
    /// Objects that belong to one of ``objects``, as a route belongs to its workout.
    package var parts: [(owner: Int, object: ObjectRecord)] = []
    /// Whether an export of a store wrote the file.
    package var isExport = false
    /// The types of series whose amounts may have grown since an earlier archive, which the grown ones replace.
    package var growing: Set<TypeCode> = []
    /// The places of ``objects`` that are workouts by totals, which give way to a recording of the same time.
    package var summaries: Set<Int> = []
    /// Totals of days and nights, which give way to finer samples of the same time.
    package var totals: [SampleRecord] = []
    /// Whether samples of any type cover totals, beyond those of ``FileFormat/dayTotals``.
    package var coversTotals = false
    /// Whether some of what the service has may be copies from another one.
    package var hasMirrors = false
    /// Such copies, which give way to what a device has sent.
    var mirrored: (samples: [SampleRecord], objects: [ObjectRecord]) = ([], [])
    /// Sentences about the file for the report, which has each once.
    package var remarks: [String] = []
    /// The damages of the file.
    package var damages: [FileDamage] = []
    /// How often something was left out, by a text that ends with “left out”.
    package var leftOut: [String: Int] = [:]

    package init(growing: Set<TypeCode> = [], coversTotals: Bool = false) {
        (self.growing, self.coversTotals) = (growing, coversTotals)
    }

    /// The number of samples and objects.
    package var count: Int {
        samples.count + totals.count + series.reduce(0) { $0 + $1.count }
            + objects.reduce(0) { $0 + 1 + $1.members.count }
            + members.reduce(0) { $0 + $1.series.count } + parts.count
    }

    /// Adds an object with all of the samples that belong to it.
    ///
    /// - Returns: Its place in ``objects``.
    @discardableResult
    package mutating func append(_ object: ObjectRecord, _ series: some Sequence<SampleSeries>) -> Int {
        let place = objects.count
        objects.append(object)
        members += series.sorted { $0.type < $1.type }.map { (place, $0) }
        return place
    }

    /// Makes copies of what follows the given numbers of samples and objects.
    package mutating func mirror(after samples: Int, _ objects: Int) {
        mirrored.samples += self.samples[samples...]
        mirrored.objects += self.objects[objects...]
        self.samples.removeSubrange(samples...)
        self.objects.removeSubrange(objects...)
        summaries = summaries.filter { $0 < objects }
    }

    package mutating func leaveOut(_ what: String, count: Int = 1) {
        leftOut["\(what), left out", default: 0] += count
    }

    /// An identity that is the same in every import of the same content.
    package static func identity(_ text: String) -> UUID {
        let first = FNV1a.hash(text.utf8)
        let second = FNV1a.hash(text.utf8, seed: first)
        func byte(_ number: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (place * 8)) }
        var bytes: [UInt8] = (0..<8).map { byte(first, $0) } + (0..<8).map { byte(second, $0) }
        // A version for identities of one's own, and the usual variant.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}

/// Samples of one type, source and device as columns, for files with thousands of them.
package struct SampleSeries: Sendable {
    package let type: TypeCode
    /// Empty for categories.
    package let unit: String
    package let origin: SampleOrigin
    package private(set) var starts: [Double] = []
    package private(set) var ends: [Double] = []
    package private(set) var values: [Double] = []

    package init(_ type: MeasuredType, _ origin: SampleOrigin) {
        (self.type, unit, self.origin) = (type.code, type.unit, origin)
    }

    /// An empty series of the same type and source.
    package init(of series: SampleSeries) {
        (type, unit, origin) = (series.type, series.unit, series.origin)
    }

    package var count: Int { starts.count }

    package mutating func append(_ value: Double, _ start: Double, _ end: Double) {
        starts.append(start)
        ends.append(end)
        values.append(value)
    }

    /// Appends values of moments.
    package mutating func append(_ values: [Double], at dates: [Double]) {
        // Several series of a recording share its dates.
        guard count > 0 else { return (starts, ends, self.values) = (dates, dates, values) }
        starts += dates
        ends += dates
        self.values += values
    }
}

/// Creates samples of one source and device.
package struct SampleOrigin: Sendable {
    package let revision: SourceRevisionRecord
    package let device: DeviceRecord?

    package init(revision: SourceRevisionRecord, device: DeviceRecord?) {
        (self.revision, self.device) = (revision, device)
    }

    /// A source without a version.
    package init(_ identifier: String, _ name: String, device: DeviceRecord? = nil) {
        revision = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: identifier, name: name))
        self.device = device
    }

    /// A sample of any type.
    package func sample(
        _ type: TypeCode, _ value: Double, _ start: Double, _ end: Double, unit: String = "",
        metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(
            type: type, start: start, end: end, value: value, unit: unit, revision: revision, device: device,
            metadata: metadata)
    }

    /// A quantity sample of the type with this name, such as `HeartRate`.
    package func quantity(
        _ type: MeasuredType, _ value: Double, _ start: Double, _ end: Double? = nil, metadata: Metadata = .empty
    ) -> SampleRecord {
        sample(type.code, value, start, end ?? start, unit: type.unit, metadata: metadata)
    }

    package func object(
        _ identifier: String, _ start: Double, _ end: Double, metadata: Metadata = .empty, _ body: ObjectBody,
        members: [SampleRecord] = []
    ) -> ObjectRecord {
        ObjectRecord(
            type: MeasuredType.code(identifier), start: start, end: end, revision: revision, device: device,
            metadata: metadata, body: body, members: members)
    }

    /// The route of a workout, from columns with the same number of values; `nil` for less than two points.
    package func route(_ columns: [RouteDocument.Column: [Double]]) -> ObjectRecord? {
        guard let times = columns[.timestamps], times.count > 1 else { return nil }
        var series = Dictionary(uniqueKeysWithValues: columns.map { ($0.rawValue, $1) })
        for column in RouteDocument.Column.allCases where columns[column] == nil {
            // What is unknown of a location is negative.
            series[column.rawValue] = [Double](repeating: -1, count: times.count)
        }
        return object(
            "HKWorkoutRouteTypeIdentifier", times[0], times[times.count - 1], .document(DocumentBody(series: series)))
    }
}

extension Metadata {
    /// The text of an entry; `nil` for one of another kind.
    package func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }
}

/// Something that is wrong at a place of a file.
package struct FileDamage: Hashable, Sendable {
    /// The byte, from the beginning of the file.
    package var offset: Int
    /// The line of a table instead, from 1.
    package var line: Int?
    /// The reason, as the end of a sentence about the file.
    package var reason: String
    /// Whether any figure of the file may be wrong.
    package var isAnywhere: Bool

    package init(offset: Int, line: Int? = nil, reason: String, isAnywhere: Bool = false) {
        (self.offset, self.line, self.reason, self.isAnywhere) = (offset, line, reason, isAnywhere)
    }
}

/// A quantity type with the unit in which files state it.
package struct MeasuredType: Hashable, Sendable {
    package let identifier: String
    package let code: TypeCode
    package let unit: String

    package init(_ name: String, _ unit: String) {
        identifier = "HKQuantityTypeIdentifier" + name
        code = Self.code(identifier)
        self.unit = unit
    }

    /// Statistics of a time; `nil` without a figure.
    package func statistics(
        _ start: Double, _ end: Double, sum: Double? = nil, average: Double? = nil, minimum: Double? = nil,
        maximum: Double? = nil
    ) -> WorkoutBody.Statistics? {
        guard sum != nil || average != nil || minimum != nil || maximum != nil else { return nil }
        return WorkoutBody.Statistics(
            type: identifier, start: start, end: end, unit: unit, sum: sum, average: average, minimum: minimum,
            maximum: maximum)
    }

    /// The code of a type of the catalog.
    package static func code(_ identifier: String) -> TypeCode {
        guard let type = TypeCatalog.description(for: identifier) else {
            preconditionFailure("\(identifier) is not in the catalog.")
        }
        return type.code
    }
}
