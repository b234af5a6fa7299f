import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthModel
import HealthStorage

/// A search for resources of a type: observations of samples, and clinical records.
struct FHIRSearch: Sendable {
    /// The types that can match; `nil` parts of the code and category select all.
    private let parts: [SampleRequest.Part]
    /// Whether the rings of days are asked for, by their code, and the times that they have to match.
    private let wantsActivity: Bool
    private let dates: [[FHIRDate]]
    private let ids: Set<String>?
    let order: SamplePosition.Order
    let cursor: SamplePosition?
    /// The number of observations on a page; 0 to count only.
    let count: Int
    /// Whether the number of all matches is to be determined.
    private let countsAll: Bool
    /// The number of all matches, which the link to a further page states, so that it is determined once.
    private let knownTotal: Int?

    private static let maximumCount = 1_000
    private static let defaultCount = 100

    /// The values of `_summary`; those that shorten resources don't change them.
    static let summaries = ["count", "data", "false", "text", "true"]
    /// The values of `_total`; an estimate is exact.
    static let totals = ["accurate", "estimate", "none"]

    /// Reads the parameters of a search. Unknown ones are ignored, as FHIR recommends, unless `isStrict`.
    ///
    /// - Parameter resource: The type of resource, such as `Observation`.
    /// - Throws: ``Problem`` `invalidParameter`.
    init(
        _ resource: String, _ parameters: inout QueryParameters, engine: HealthEngine, caller: Caller,
        timeZone: TimeZone, isStrict: Bool
    ) throws {
        let stored = try engine.withReader(as: Caller(revision: caller.revision, permission: .owner)) { try $0.types() }
        let isObservation = resource == "Observation"
        var types = isObservation ? try engine.readable(stored.filter(FHIRResources.isObservation), as: caller) : []
        let codes = try parameters.list("code")
        if let codes { types = types.filter { type in codes.contains { Self.matches(type, $0) } } }
        let categories = try parameters.list("category")
        if let categories {
            types = types.filter { type in
                categories.contains {
                    FHIRResources.isInCategory(type, $0.split(separator: "|").last.map(String.init) ?? "")
                }
            }
        }
        // Given twice, as a range, both have to match; of several with commas, one.
        dates = try (parameters.lists("date") ?? []).map { texts in
            try texts.map { text in
                guard let date = FHIRDate(text, timeZone: timeZone) else {
                    throw QueryParameters.problem("date", text, "is not a date. Use a form like ge2026-02-06.")
                }
                return date
            }
        }
        let ids = try parameters.list("_id").map { Set($0.map { $0.lowercased() }) }
        self.ids = ids
        let patient = engine.identity().uuid
        var isPatient = true
        for name in ["subject", "patient"] {
            guard let text = try parameters.text(name) else { continue }
            let id = text.split(separator: "/").last.flatMap { UUID(uuidString: String($0)) }
            if id != patient { isPatient = false }
        }
        if !isPatient { types = [] }
        let activity = FHIRResources.activityType.flatMap { type in
            codes?.contains { Self.matches(type, $0) } == true ? type : nil
        }
        wantsActivity =
            try isObservation && isPatient && categories.map { $0.contains { $0.hasSuffix("activity") } } ?? true
            && activity.map { try !engine.readable([$0], as: caller).isEmpty } ?? false
        switch try parameters.text("_sort") {
        case nil, "date": order = .startDate
        case "-date": order = .startDateDescending
        case let text?: throw QueryParameters.problem("_sort", text, "is not an order. Use date or -date.")
        }
        let summary = try parameters.choice("_summary", of: Self.summaries)
        let total = try parameters.choice("_total", of: Self.totals)
        let asked = try parameters.integer("_count", in: 0...Self.maximumCount) ?? Self.defaultCount
        count = summary == "count" ? 0 : asked
        knownTotal = try parameters.integer("_known", in: 0...Int.max)
        countsAll = knownTotal == nil && (total != "none" || count == 0)
        let order = order
        cursor = try parameters.text("_cursor").map { try SamplePosition($0, order: order) }
        if let format = try parameters.text("_format"), !format.lowercased().contains("json") {
            throw Problem(.notAcceptable, "_format: Only JSON is available.")
        }
        _ = try parameters.text("_pretty")
        if isStrict { try parameters.finish() }
        let filters = dates.map { $0.count == 1 ? $0[0].filter : .or($0.map(\.filter)) }
        func part(_ type: TypeDescription, _ own: [SampleFilter]) -> SampleRequest.Part {
            let all = filters + own
            return SampleRequest.Part(type: type.code, filter: all.isEmpty ? .all : all.count == 1 ? all[0] : .and(all))
        }
        let uuids = ids.map { SampleFilter.uuid(Set($0.compactMap { UUID(uuidString: $0) })) }
        let samples = types.map { type in
            // The samples of a panel are its components, unless they are asked for.
            let isPanel = codes == nil && FHIRResources.isComponent(type)
            return part(type, [uuids, isPanel ? .noCorrelation : nil].compactMap { $0 })
        }
        guard isPatient else {
            parts = []
            return
        }
        let clinical = try ClinicalResource.types(among: stored, engine, as: caller).compactMap { type in
            let found = try ClinicalResource.all(of: resource, in: type, engine, as: caller).filter { record in
                (ids.map { $0.contains(record.id.lowercased()) || $0.contains(record.uuid.uuidString.lowercased()) }
                    ?? true)
                    && (codes.map { $0.contains { record.has("code", $0) } } ?? true)
                    && (categories.map { $0.contains { record.has("category", $0) } } ?? true)
            }
            return found.isEmpty ? nil : part(type, [.uuid(Set(found.map(\.uuid)))])
        }
        parts = samples + clinical
    }

    /// Returns whether a type has a code, given as `code`, `|code` or `system|code`.
    private static func matches(_ type: TypeDescription, _ token: String) -> Bool {
        let parts = token.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return FHIRResources.has(type, code: token, system: nil) }
        return FHIRResources.has(type, code: parts[1], system: parts[0].isEmpty ? nil : parts[0])
    }

    /// One page of resources, each with its identifier, and where the next page begins.
    struct Page: Sendable {
        var resources: [(id: String, resource: [UInt8])]
        var next: SamplePosition?
        /// The number of all matches, if it is known.
        var total: Int?
    }

    func page(from engine: HealthEngine, as caller: Caller, timeZone: TimeZone) throws -> Page {
        if wantsActivity { return try activities(from: engine, as: caller, timeZone: timeZone) }
        guard !parts.isEmpty else { return Page(resources: [], next: nil, total: 0) }
        let (total, found) = try engine.withReader(as: caller) { reading in
            (
                try countsAll ? reading.samples(SampleRequest(parts: parts, columns: [])).count : knownTotal,
                try count > 0
                    ? SamplePosition.page(of: parts, order: order, after: cursor, limit: count, from: reading) : nil
            )
        }
        guard let page = found else { return Page(resources: [], next: nil, total: total) }
        let selection = page.selection
        let resources = FHIRResources(selection, of: engine, timeZone: timeZone)
        return Page(
            resources: selection.order.prefix(page.count).compactMap { resources.resource(at: $0, in: selection) },
            next: page.next, total: total)
    }

    /// A page of the rings of days, whose positions are their numbers in the list of all.
    private func activities(from engine: HealthEngine, as caller: Caller, timeZone: TimeZone) throws -> Page {
        let found = try FHIRResources.activities(of: engine, as: caller, timeZone: timeZone).filter { entry in
            // The midnight at its end belongs to the next day.
            dates.allSatisfy {
                $0.contains { $0.matches(start: entry.day.start, end: entry.day.end.nextDown) }
            }
                && ids?.contains(entry.id.uuidString.lowercased()) ?? true
        }
        let sorted = order.ascending ? found : found.reversed()
        let first = min(cursor.map { Int($0.sequence) } ?? 0, sorted.count)
        let page = sorted[first...].prefix(count)
        let next = page.endIndex < sorted.count && count > 0 ? page.last : nil
        return Page(
            resources: page.map { ($0.id.uuidString.lowercased(), $0.resource) },
            next: next.map { SamplePosition(order: order, date: $0.day.start, sequence: Int64(page.endIndex)) },
            total: countsAll ? sorted.count : knownTotal)
    }
}

extension FHIRResources {
    /// The resources of what was selected.
    init(_ selection: SampleSelection, of engine: HealthEngine, timeZone: TimeZone) {
        self.init(
            dictionaries: selection.dictionaries, identities: selection.identities, timeZone: timeZone,
            patient: engine.identity().uuid)
    }

    /// The rings of the days that have any.
    static func activities(
        of engine: HealthEngine, as caller: Caller, timeZone: TimeZone
    ) throws -> [(id: UUID, day: SummaryDay, resource: [UInt8])] {
        try engine.withReader(as: caller) { reading in
            try FHIRResources(
                dictionaries: reading.dictionaries, identities: reading.identities, timeZone: timeZone,
                patient: engine.identity().uuid
            ).activities(from: reading)
        }
    }

    /// The resource of a result, and its identifier.
    func resource(
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
            if let record = ClinicalResource(object) { return (record.id, record.bytes) }
            guard let uuid = object.uuid, let bytes = observation(object) else { return nil }
            return (uuid.uuidString.lowercased(), bytes)
        }
    }
}
