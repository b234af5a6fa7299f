import Foundation
import HealthEngine
import HealthFormats
import HealthKit
import HealthModel

/// The parameters that select samples: types, range, source, metadata and values.
struct SampleQuery: Sendable {
    /// The types, without those that may not be read.
    var types: [TypeDescription]
    /// The condition for all types.
    var filter: SampleFilter
    /// The range, in seconds since 2001.
    var start: Double?
    var end: Double?
    /// Whether nothing but the range is selected.
    var isRangeOnly: Bool

    /// The parts of a request.
    var parts: [SampleRequest.Part] { types.map { SampleRequest.Part(type: $0.code, filter: filter) } }

    /// Reads the parameters.
    ///
    /// - Throws: ``Problem`` `invalidParameter`.
    init(
        _ parameters: inout QueryParameters, types: [TypeDescription], _ timeZone: TimeZone,
        _ dictionaries: StoreDictionaries
    ) throws {
        self.types = types
        let (start, end) = (try parameters.instant("start", timeZone), try parameters.instant("end", timeZone))
        if let start, let end, start > end {
            throw Problem(.invalidParameter, "end: The range ends before it starts.")
        }
        (self.start, self.end) = (start, end)
        var filters: [SampleFilter] = []
        let (isStartStrict, isEndStrict) = (
            try parameters.flag("strictStartDate"), try parameters.flag("strictEndDate")
        )
        if let start {
            filters.append(isStartStrict ? .start(.greaterThanOrEqual, start) : .end(.greaterThanOrEqual, start))
        }
        if let end { filters.append(isEndStrict ? .end(.lessThan, end) : .start(.lessThan, end)) }
        let rangeCount = isStartStrict || isEndStrict ? 0 : filters.count
        if let names = try parameters.list("source") {
            let sources = dictionaries.sources.filter { names.contains($0.bundleIdentifier) || names.contains($0.name) }
            filters.append(sources.isEmpty ? .nothing : .source(Set(sources.map(\.bundleIdentifier))))
        }
        for (key, values) in parameters.entries(prefix: "metadata.") {
            filters += values.map { Self.metadataFilter(key, $0) }
        }
        if let values = try parameters.list("value") { filters.append(try Self.valueFilter(values, types)) }
        if let values = try parameters.list("activityType") { filters.append(try Self.activityFilter(values)) }
        isRangeOnly = filters.count == rangeCount
        filter = filters.isEmpty ? .all : filters.count == 1 ? filters[0] : .and(filters)
    }

    private static func metadataFilter(_ key: String, _ value: String) -> SampleFilter {
        guard !value.isEmpty else { return .metadataPresent(key) }
        var filters: [SampleFilter] = [.metadata(key, .equal, .string(value))]
        if let flag = Bool(value) { filters.append(.metadata(key, .equal, .bool(flag))) }
        if let number = Double(value) { filters.append(.metadata(key, .equal, .double(number))) }
        return filters.count == 1 ? filters[0] : .or(filters)
    }

    private static func valueFilter(_ values: [String], _ types: [TypeDescription]) throws -> SampleFilter {
        .or(
            try values.map { value in
                if let number = Int(value) { return .category(.equal, number) }
                let found = types.compactMap { type in
                    type.categoryEnumeration.flatMap { enumeration in
                        CategoryValueNames.rawValue(
                            of: value.hasPrefix("HK")
                                ? value : enumeration + value.prefix(1).uppercased() + value.dropFirst(),
                            in: enumeration)
                    }
                }
                guard let number = found.first else {
                    throw QueryParameters.problem("value", value, "is not a value of the type.")
                }
                return .category(.equal, number)
            })
    }

    private static func activityFilter(_ values: [String]) throws -> SampleFilter {
        .or(
            try values.map { value in
                let name =
                    value.hasPrefix("HK") || UInt(value) != nil
                    ? value : "HKWorkoutActivityType" + value.prefix(1).uppercased() + value.dropFirst()
                guard let raw = WorkoutActivityNames.rawValue(of: name) else {
                    throw QueryParameters.problem("activityType", value, "is not a workout activity type.")
                }
                return .workoutActivityType(.equal, raw)
            })
    }
}

extension HealthEngine {
    /// The types that the caller may read, at least in part. To the API, a type that was never decided about is one
    /// that is denied, and both are silent.
    func readable(_ types: [TypeDescription], as caller: Caller) throws -> [TypeDescription] {
        guard caller.permission == .table else { return types }
        return try types.filter { type in
            do {
                return try checkRead(type.code, as: caller) != .nothing
            } catch EngineError.authorizationNotDetermined {
                return false
            }
        }
    }
}

extension TypeDescription {
    /// Whether the type has samples that can be listed.
    var hasSamples: Bool { kind != .characteristic && kind != .activitySummary }

    /// - Throws: ``Problem`` `invalidParameter` unless the type has samples.
    func requireSamples(_ parameter: String) throws {
        guard hasSamples else {
            throw QueryParameters.problem(
                parameter, identifier, "does not have samples. See activity-summaries and characteristics.")
        }
    }
}
