package import Foundation
package import HealthEngine
import HealthFormats
package import HealthModel

/// The parameters that select samples: types, range, source, metadata and values.
package struct SampleQuery: Sendable {
    /// The types, without those that may not be read.
    package var types: [TypeDescription]
    /// The range, in seconds since 2001.
    package var start: Double?
    package var end: Double?
    private var isStartStrict: Bool
    private var isEndStrict: Bool
    /// The conditions besides the range.
    private var others: [SampleFilter] = []
    /// The bundle identifiers of the selected sources; `nil` for all.
    private(set) var sources: Set<String>?

    /// The parts of a request.
    package var parts: [SampleRequest.Part] { types.map { SampleRequest.Part(type: $0.code, filter: filter) } }

    /// Reads the parameters.
    ///
    /// - Throws: ``ParameterError``.
    package init(
        _ parameters: inout QueryParameters, types: [TypeDescription], _ timeZone: TimeZone,
        _ dictionaries: @autoclosure () throws -> StoreDictionaries
    ) throws {
        self.types = types
        (start, end) = try parameters.range(timeZone)
        isStartStrict = try parameters.flag("strictStartDate")
        isEndStrict = try parameters.flag("strictEndDate")
        if let sources = try Self.sources(parameters.list("source"), dictionaries()) {
            others.append(sources.isEmpty ? .nothing : .source(Set(sources.map(\.bundleIdentifier))))
            self.sources = Set(sources.map(\.bundleIdentifier))
        }
        if let names = try parameters.list("device") {
            let devices = try dictionaries().devices.filter { $0.name.map(names.contains) ?? false }
            others.append(devices.isEmpty ? .nothing : .device(Set(devices)))
        }
        for (key, values) in parameters.entries(prefix: "metadata.") {
            others += values.map { Self.metadataFilter(key, $0) }
        }
        if let values = try parameters.list("value") { others.append(try Self.valueFilter(values, types)) }
        if let values = try parameters.list("activityType") { others.append(try Self.activityFilter(values)) }
    }

    /// The sources with these names or bundle identifiers; `nil` without names.
    static func sources(
        _ names: [String]?, _ dictionaries: @autoclosure () throws -> StoreDictionaries
    ) rethrows -> [SourceRecord]? {
        try names.map { names in
            try dictionaries().sources.filter { names.contains($0.bundleIdentifier) || names.contains($0.name) }
        }
    }

    /// Whether nothing but the range and sources is selected.
    var isOfSources: Bool { others.count == (sources == nil ? 0 : 1) && !isStartStrict && !isEndStrict }

    /// The condition for all types.
    package var filter: SampleFilter {
        var filters: [SampleFilter] = []
        if let start {
            filters.append(isStartStrict ? .start(.greaterThanOrEqual, start) : .end(.greaterThanOrEqual, start))
        }
        if let end { filters.append(isEndStrict ? .end(.lessThan, end) : .start(.lessThan, end)) }
        filters += others
        return filters.isEmpty ? .all : filters.count == 1 ? filters[0] : .and(filters)
    }

    /// The same in another range.
    func within(_ start: Double, _ end: Double) -> SampleQuery {
        var query = self
        (query.start, query.end) = (start, end)
        return query
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
            try values.flatMap { value -> [SampleFilter] in
                let activities = ValueNames.activities(called: value)
                guard !activities.isEmpty else {
                    throw QueryParameters.problem("activityType", value, "is not a workout activity type.")
                }
                return activities.map { SampleFilter.workoutActivityType(.equal, $0) }
            })
    }
}

extension HealthEngine {
    /// The types that the caller may read, at least in part. To the API, a type that was never decided about is one
    /// that is denied, and both are silent.
    package func readable(_ types: [TypeDescription], as caller: Caller) throws -> [TypeDescription] {
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
    package var hasSamples: Bool { kind != .characteristic && kind != .activitySummary }

    /// - Throws: ``ParameterError`` unless the type has samples.
    package func requireSamples(_ parameter: String) throws {
        guard hasSamples else {
            throw QueryParameters.problem(
                parameter, identifier, "does not have samples. See activity-summaries and characteristics.")
        }
    }
}
