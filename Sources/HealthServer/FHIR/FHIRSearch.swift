import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthModel
import HealthStorage

/// A search for observations.
struct FHIRSearch: Sendable {
    /// The types that can match; `nil` parts of the code and category select all.
    private let parts: [SampleRequest.Part]
    let order: SamplePosition.Order
    let cursor: SamplePosition?
    /// The number of observations on a page; 0 to count only.
    let count: Int
    /// Whether the number of all matches is asked for.
    let wantsTotal: Bool

    static let maximumCount = 1_000
    private static let defaultCount = 100

    /// Reads the parameters of a search. Unknown ones are ignored, as FHIR recommends, unless `isStrict`.
    ///
    /// - Throws: ``Problem`` `invalidParameter`.
    init(
        _ parameters: inout QueryParameters, engine: HealthEngine, caller: Caller, timeZone: TimeZone, isStrict: Bool
    ) throws {
        let dictionaries = try engine.dictionaries()
        let stored = try engine.withReader(as: Caller(revision: caller.revision, permission: .owner)) { try $0.types() }
        var types = try engine.readable(stored.filter(FHIRResources.isObservation), as: caller)
        var filters: [SampleFilter] = []
        let codes = try parameters.list("code")
        if let codes { types = types.filter { type in codes.contains { Self.matches(type, $0) } } }
        if let categories = try parameters.list("category") {
            types = types.filter { type in
                categories.contains {
                    FHIRResources.isInCategory(type, $0.split(separator: "|").last.map(String.init) ?? "")
                }
            }
        }
        // Dates can be given twice, as a range.
        for text in try parameters.list("date") ?? [] {
            guard let date = FHIRDate(text, timeZone: timeZone) else {
                throw QueryParameters.problem("date", text, "is not a date. Use a form like ge2026-02-06.")
            }
            filters.append(date.filter)
        }
        if let ids = try parameters.list("_id") {
            filters.append(.uuid(Set(ids.compactMap { UUID(uuidString: $0) })))
        }
        let patient = engine.identity().uuid
        for name in ["subject", "patient"] {
            guard let text = try parameters.text(name) else { continue }
            let id = text.split(separator: "/").last.flatMap { UUID(uuidString: String($0)) }
            if id != patient { types = [] }
        }
        switch try parameters.text("_sort") {
        case nil, "date": order = .startDate
        case "-date": order = .startDateDescending
        case let text?: throw QueryParameters.problem("_sort", text, "is not an order. Use date or -date.")
        }
        count = min(try parameters.integer("_count", in: 0...Int(Int32.max)) ?? Self.defaultCount, Self.maximumCount)
        let (isTotal, summary) = (try parameters.text("_total") == "accurate", try parameters.text("_summary"))
        wantsTotal = isTotal || summary == "count" || count == 0
        let order = order
        cursor = try parameters.text("_cursor").map { try SamplePosition($0, order: order) }
        if let format = try parameters.text("_format"), !format.lowercased().contains("json") {
            throw Problem(.notAcceptable, "_format: Only JSON is available.")
        }
        _ = (dictionaries, try parameters.text("_pretty"))
        if isStrict { try parameters.finish() }
        parts = types.map { type in
            var own = filters
            // The samples of a panel are its components, unless they are asked for.
            if codes == nil, FHIRResources.isComponent(type) { own.append(.noCorrelation) }
            return SampleRequest.Part(type: type.code, filter: own.isEmpty ? .all : own.count == 1 ? own[0] : .and(own))
        }
    }

    /// Returns whether a type has a code, given as `code`, `|code` or `system|code`.
    private static func matches(_ type: TypeDescription, _ token: String) -> Bool {
        let parts = token.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return FHIRResources.has(type, code: token, system: nil) }
        return FHIRResources.has(type, code: parts[1], system: parts[0].isEmpty ? nil : parts[0])
    }

    /// One page of observations, each with its identifier, and where the next page begins.
    struct Page: Sendable {
        var observations: [(id: String, resource: [UInt8])]
        var next: SamplePosition?
        /// The number of all matches, if it is known.
        var total: Int?
    }

    func page(from engine: HealthEngine, as caller: Caller, timeZone: TimeZone) throws -> Page {
        guard !parts.isEmpty else { return Page(observations: [], next: nil, total: 0) }
        let (total, found) = try engine.withReader(as: caller) { reading in
            (
                try wantsTotal ? reading.samples(SampleRequest(parts: parts, columns: [])).count : nil,
                try count > 0
                    ? SamplePosition.page(of: parts, order: order, after: cursor, limit: count, from: reading) : nil
            )
        }
        guard let page = found else { return Page(observations: [], next: nil, total: total) }
        let selection = page.selection
        let resources = FHIRResources(selection, of: engine, timeZone: timeZone)
        let observations = selection.order.prefix(page.count).compactMap {
            resources.observation(at: $0, in: selection)
        }
        return Page(
            observations: observations, next: page.next,
            total: total ?? (cursor == nil && page.next == nil ? observations.count : nil))
    }
}

extension FHIRResources {
    /// The resources of what was selected.
    init(_ selection: SampleSelection, of engine: HealthEngine, timeZone: TimeZone) {
        self.init(
            dictionaries: selection.dictionaries, identities: selection.identities, timeZone: timeZone,
            patient: engine.identity().uuid)
    }

    /// The observation of a result, and its identifier.
    func observation(
        at reference: SampleSelection.Reference, in selection: SampleSelection
    ) -> (id: String, resource: [UInt8])? {
        switch reference {
        case .sample(let batch, let row):
            let sample = selection.batches[Int(batch)].record(
                at: Int(row), dictionaries: selection.dictionaries, identities: selection.identities)
            guard let uuid = sample.uuid, let bytes = observation(sample) else { return nil }
            return (uuid.uuidString.lowercased(), bytes)
        case .object(let index):
            let object = selection.objects[Int(index)]
            guard let uuid = object.uuid, let bytes = observation(object) else { return nil }
            return (uuid.uuidString.lowercased(), bytes)
        }
    }
}
