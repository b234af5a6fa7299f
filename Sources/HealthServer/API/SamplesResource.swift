import Foundation
import HTTPTypes
import HealthAnswers
import HealthArrow
import HealthEngine
import HealthFormats
import HealthImport
import HealthJSON
import HealthModel
import HealthStorage
import Hummingbird
import NIOCore

/// Samples: list, read, save, delete.
struct SamplesResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("samples", use: list)
        group.get("samples/{uuid}", use: read)
        group.post("samples", use: save)
        group.delete("samples", use: delete)
        group.delete("samples/{uuid}", use: deleteOne)
    }

    // MARK: Lists

    @Sendable private func list(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        if let format = TableFormat(request) { return try await table(format, request, context) }
        return try await SampleList.response(named: "samples", to: request, context) { parameters, dictionaries in
            guard let types = try parameters.types("type", dictionaries) else {
                throw Problem(.invalidParameter, "type: This parameter is required.")
            }
            for type in types { try type.requireSamples("type") }
            return types
        }
    }

    /// All samples as a table, of one state of the store.
    private func table(
        _ format: TableFormat, _ request: Request, _ context: PersonRequestContext
    ) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        let samples = try await context.read { engine, caller in
            var parameters = parameters
            let setting = QuestionSetting(engine: engine, caller: caller, calendar: calendar, now: context.now)
            let samples = try SampleBatches(&parameters, setting)
            try parameters.finish()
            return samples
        }
        return try format.response(in: calendar.timeZone, streaming: samples, in: context.pool)
    }

    @Sendable private func read(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (unit, calendar) = try context.parameters(of: request) { try $0.unit("unit") }
        let (uuid, zone) = (try context.uuid(), calendar.timeZone)
        return try await context.read { engine, caller in
            let selection = try engine.sample(uuid, as: caller)
            let types = (selection.batches.map(\.type) + selection.objects.map(\.type)).compactMap(
                selection.dictionaries.type)
            let units = try engine.displayUnits(inSamplesOf: types, as: caller)
            var writer = SampleJSONWriter(
                selection, timeZone: zone, options: .init(unit: unit, units: units, includesSeries: true))
            writer.write(selection)
            return Response(json: writer.bytes)
        }
    }

    // MARK: Changes

    @Sendable private func save(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (allowsImplausible, calendar) = try context.parameters(of: request) { try $0.flag("allowImplausible") }
        try context.access.requireWriting()
        let (hasLines, zone) = (try SampleMedia.hasLines(request), calendar.timeZone)
        let body = try await context.body(of: request)
        return try await context.read { engine, caller in
            let saving = SampleSaving(engine: engine, caller: caller, allowsImplausible: allowsImplausible)
            return Response(json: try saving.save(body, hasLines: hasLines, timeZone: zone))
        }
    }

    @Sendable private func delete(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        try context.access.requireWriting()
        if let texts = try parameters.list("uuid") {
            try parameters.finish()
            let uuids = try texts.map { text in
                guard let uuid = UUID(uuidString: text) else {
                    throw QueryParameters.problem("uuid", text, "is not a UUID.")
                }
                return uuid
            }
            return try await delete(uuids, context)
        }
        let isDryRun = try parameters.flag("dryRun")
        let zone = calendar.timeZone
        return try await context.read { [parameters] engine, caller in
            var parameters = parameters
            let dictionaries = try engine.dictionaries()
            let given = try parameters.types("type", dictionaries)
            let hasSource = try parameters.list("source") != nil
            guard given != nil || hasSource else {
                throw Problem(.invalidParameter, "Give the samples to delete: uuid, or type or source, and a range.")
            }
            for type in given ?? [] { try type.requireSamples("type") }
            let types = try given ?? engine.typeOverview(as: caller).map(\.type).filter(\.hasSamples)
            let query = try SampleQuery(&parameters, types: types, zone, dictionaries)
            try parameters.finish()
            if isDryRun {
                let scope: SampleFilter = caller.permission == .owner ? .all : .ownSource
                let parts = types.map { SampleRequest.Part(type: $0.code, filter: .and([query.filter, scope])) }
                return Self.account(try DeletionAccount(parts, in: engine, as: caller).counts)
            }
            return Self.deleted(
                try engine.deleteObjects(
                    of: types.map(\.code), matching: query.filter, withMembers: true, as: caller))
        }
    }

    /// The account of a deletion, the same as “hk delete --dry-run --json”.
    static func account(_ counts: [(type: TypeDescription, source: String, count: Int)]) -> Response {
        .object { json in
            json.member("deleted", integer: 0)
            json.array("samples") { json in
                for (type, source, count) in counts {
                    json.object { json in
                        json.member("type", text: type.identifier)
                        json.member("source", text: source)
                        json.member("count", integer: count)
                    }
                }
            }
        }
    }

    @Sendable private func deleteOne(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        _ = try context.calendarOnly(of: request)
        try context.access.requireWriting()
        return try await delete([context.uuid()], context)
    }

    private func delete(_ uuids: [UUID], _ context: PersonRequestContext) async throws -> Response {
        try await context.read { engine, caller in
            do {
                try engine.delete(uuids, as: caller)
            } catch let error as EngineError where error.isAboutArguments {
                throw Problem(
                    .notFound, "Not all samples exist, or they were saved by another application. Nothing was deleted.")
            }
            return Self.deleted(Set(uuids).count)
        }
    }

    static func deleted(_ count: Int) -> Response {
        .object { json in json.member("deleted", integer: count) }
    }
}

/// A list of samples that a request asks for.
struct SampleList: Sendable {
    let query: SampleQuery
    private let order: SamplePosition.Order
    /// The number of samples; `nil` for all.
    private let limit: Int?
    private let cursor: SamplePosition?
    private let options: SampleJSONWriter.Options
    private let timeZone: TimeZone
    /// The samples on a page of JSON.
    private static let limits = 1...10_000
    private static let defaultLimit = 100
    /// The samples that are read at once while lines are streamed.
    private static let streamedCount = 5_000

    /// Answers a request: with a page of JSON, or with all samples, one per line.
    ///
    /// - Parameter readTypes: Reads the types from the parameters.
    static func response(
        named name: StaticString, to request: Request, _ context: PersonRequestContext,
        defaultOrder: SamplePosition.Order = .startDate,
        types readTypes: @escaping @Sendable (inout QueryParameters, StoreDictionaries) throws -> [TypeDescription]
    ) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        let (wantsLines, zone) = (SampleMedia.wantsLines(request), calendar.timeZone)
        let list = try await context.read { engine, caller in
            var parameters = parameters
            let dictionaries = try engine.dictionaries()
            let types = try readTypes(&parameters, dictionaries)
            let list = try SampleList(
                &parameters, types: types, engine: engine, caller: caller, zone, dictionaries, isUnlimited: wantsLines,
                defaultOrder: defaultOrder)
            try parameters.finish()
            return list
        }
        return wantsLines ? try list.lines(from: context) : try await list.page(named: name, from: context)
    }

    private init(
        _ parameters: inout QueryParameters, types: [TypeDescription], engine: HealthEngine, caller: Caller,
        _ timeZone: TimeZone, _ dictionaries: StoreDictionaries, isUnlimited: Bool, defaultOrder: SamplePosition.Order
    ) throws {
        query = try SampleQuery(&parameters, types: engine.readable(types, as: caller), timeZone, dictionaries)
        var order = defaultOrder
        if let text = try parameters.text("sort") {
            guard let named = SamplePosition.Order(rawValue: text) else {
                throw QueryParameters.problem(
                    "sort", text, "is not an order. Use startDate, -startDate, endDate, -endDate, value or -value.")
            }
            order = named
        }
        self.order = order
        limit =
            try isUnlimited
            ? parameters.integer("limit", in: 1...Int(Int32.max))
            : parameters.integer("limit", in: Self.limits) ?? Self.defaultLimit
        cursor = try parameters.text("cursor").map { try SamplePosition($0, order: order) }
        if order.isByValue, types.count > 1 || isUnlimited {
            throw Problem(.invalidParameter, "sort: Values have an order on one page of JSON, and of one type.")
        }
        let unit = try parameters.unit("unit", of: types.count == 1 ? types[0] : nil)
        options = .init(unit: unit, units: try engine.displayUnits(inSamplesOf: query.types, as: caller))
        if let unit {
            for type in types where type.kind == .quantity {
                guard type.canonicalUnit.map({ UnitConversion(between: $0, and: unit) != nil }) ?? true else {
                    throw QueryParameters.problem("unit", unit, "is not a unit of \(type.shortName).")
                }
            }
        }
        self.timeZone = timeZone
    }

    /// One page as JSON.
    private func page(named name: StaticString, from context: PersonRequestContext) async throws -> Response {
        try await context.read { engine, caller in
            let page = try engine.withReader(as: caller) {
                try SamplePosition.page(
                    of: query.parts, order: order, after: cursor, limit: limit ?? Self.defaultLimit, from: $0)
            }
            return Response(
                json: SampleJSONWriter.object(
                    name, page.selection, count: page.count, timeZone: timeZone, options: options
                ) { $0.member("nextCursor", text: page.next?.text) })
        }
    }

    /// All samples, one per line, of one state of the store.
    private func lines(from context: PersonRequestContext) throws -> Response {
        let (engine, caller) = (context.engine, context.caller)
        let body = try context.pool.stream { sink in
            try engine.withReader(as: caller) { reading in
                if query.types.count == 1, query.types[0].kind.isPaged, order == .startDate, cursor == nil {
                    try writePages(of: query.types[0], to: sink, from: reading)
                } else {
                    try writeParts(to: sink, from: reading)
                }
            }
        }
        return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
    }

    /// Samples of one type are stored in this order: they are read page by page.
    private func writePages(of type: TypeDescription, to sink: StreamSink, from reading: StoreReader) throws {
        var writer = SampleJSONWriter(
            dictionaries: reading.dictionaries, identities: reading.identities, timeZone: timeZone,
            options: options)
        var left = limit ?? .max
        for page in try reading.pages(of: type.code, matching: query.filter) where left > 0 {
            let rows = try reading.rows(of: page, columns: .all)
            for row in 0..<min(rows.starts.count, left) {
                writer.write(rows, row: row)
                writer.add("\n")
            }
            left -= min(rows.starts.count, left)
            if writer.bytes.count >= StreamSink.chunkBytes {
                try sink.write(writer.bytes)
                writer.removeAll()
            }
        }
        try sink.write(writer.bytes)
    }

    /// Several types and other orders are read part by part.
    private func writeParts(to sink: StreamSink, from reading: StoreReader) throws {
        var (place, left) = (cursor, limit ?? .max)
        while left > 0 {
            let page = try SamplePosition.page(
                of: query.parts, order: order, after: place, limit: min(left, Self.streamedCount), from: reading)
            var writer = SampleJSONWriter(page.selection, timeZone: timeZone, options: options)
            writer.write(page.selection, separatedBy: "\n", count: page.count)
            if page.count > 0 { writer.add("\n") }
            try sink.write(writer.bytes)
            left -= page.count
            guard let next = page.next else { return }
            place = next
        }
    }
}

extension HealthEngine {
    /// Returns one sample or object.
    ///
    /// - Throws: ``Problem`` `notFound` if there is none or it may not be read.
    func sample(_ uuid: UUID, as caller: Caller, of kinds: Set<TypeKind>? = nil) throws -> SampleSelection {
        let notFound = Problem(.notFound, "No object with this UUID was found, or it’s not accessible.")
        let found = try withReader(as: caller) { reading in
            try reading.locate(uuid).flatMap { reading.dictionaries.type($0.type) }
        }
        guard let type = found, type.hasSamples, kinds?.contains(type.kind) ?? true,
            try !readable([type], as: caller).isEmpty
        else { throw notFound }
        let selection = try samples(
            SampleRequest(parts: [.init(type: type.code, filter: .uuid([uuid]))], limit: 1), as: caller)
        guard selection.count == 1 else { throw notFound }
        return selection
    }
}
