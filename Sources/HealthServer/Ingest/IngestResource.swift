import AppleHealthExport
import Foundation
import HTTPTypes
import HealthAnswers
import HealthEngine
import HealthIngest
import HealthJSON
import HealthModel
import Hummingbird

/// The documents that other apps post: `POST ingest/health-auto-export`, `POST ingest/shortcuts`, and `GET ingest/report`.
struct IngestResource: PersonResource {
    private let turns = PersonQueue()

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.post("ingest/health-auto-export", use: healthAutoExport)
        group.post("ingest/shortcuts", use: shortcuts)
        group.get("ingest/report", use: report)
    }

    private struct Reports: Encodable {
        /// The number of posted entries that were not understood and are kept; only for the person.
        var kept: Int?
        var reports: [IngestReport]
    }

    /// The application of entries without a source, if it is the person who posts.
    private static func application(_ access: Access, _ name: String, _ identifier: String) -> SourceRevisionRecord {
        guard access.isOwner else { return access.caller.revision }
        return SourceRevisionRecord(source: SourceRecord(bundleIdentifier: identifier, name: name))
    }

    // MARK: Health Auto Export

    @Sendable private func healthAutoExport(
        _ request: Request, _ context: PersonRequestContext
    ) async throws -> Response {
        try context.access.requireWriting()
        let (replaces, calendar) = try context.parameters(of: request, Self.replacesOtherKind)
        let timeZone = calendar.timeZone
        let source = try await IngestBody.receive(request, context)
        let headers = request.headers
        let aggregation = IngestAggregation.header(headers[.automationAggregation])
        let application = Self.application(context.access, "Health Auto Export", "ingest.health-auto-export")
        let automation = (name: headers[.automationName], session: headers[.sessionID])
        return try await run(context) { engine, caller, now, journal in
            let writer = IngestWriter(
                engine: engine, caller: caller, application: application, replacesOtherKind: replaces,
                now: now.timeIntervalSince1970)
            var document = AutoExportDocument(
                source, header: aggregation, timeZone: timeZone, writer: writer, unread: journal.keep)
            try document.ingest()
            var report = IngestReport(
                date: now.ISO8601Format(), format: "health-auto-export",
                application: application.source.bundleIdentifier,
                automation: automation.name, session: automation.session,
                aggregation: aggregation.map { $0?.rawValue ?? "none" } ?? "unknown", tally: writer.tally)
            // A token may not choose the zone of the person.
            let zone = try document.timeZone.conclusion("document", for: engine, own: timeZone, isTaken: false)
            if let zone { report.remarks.insert(zone.remark, at: 0) }
            return report
        }
    }

    /// Whether `?mixed=replace` asks to replace entries of the other kind; `?mixed=keep` is the default.
    private static func replacesOtherKind(_ parameters: inout QueryParameters) throws -> Bool {
        switch try parameters.text("mixed") {
        case nil, "keep": return false
        case "replace": return true
        case let text?: throw QueryParameters.problem("mixed", text, "is not one of keep and replace.")
        }
    }

    // MARK: Shortcuts

    @Sendable private func shortcuts(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWriting()
        let timeZone = try context.calendar(of: request).timeZone
        let body = Array(try await context.body(of: request).readableBytesView)
        let media = request.headers[.contentType]
        let parameters = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        let application = Self.application(context.access, "Shortcuts", "ingest.shortcuts")
        return try await run(context) { engine, caller, now, journal in
            let writer = IngestWriter(
                engine: engine, caller: caller, application: application, replacesOtherKind: false,
                now: now.timeIntervalSince1970)
            let items = try ShortcutsReader.items(body, media: media, parameters: parameters)
            let reader = ShortcutsReader(
                timeZone: timeZone, now: now.timeIntervalSinceReferenceDate, slashed: SlashedDates(items))
            try reader.ingest(items, into: writer, unread: journal.keep)
            return IngestReport(
                date: now.ISO8601Format(), format: "shortcuts", application: application.source.bundleIdentifier,
                tally: writer.tally)
        }
    }

    // MARK: Reports

    @Sendable private func report(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (person, access) = (context.person, context.access)
        let reports = try await context.pool.run {
            let journal = try person.journal()
            guard !access.isOwner else { return Reports(kept: journal.keptCount, reports: journal.reports()) }
            // The report of another application says what kinds of data there are.
            let own = journal.reports().filter { $0.application == access.caller.bundleIdentifier }
            return Reports(kept: nil, reports: own)
        }
        return try .json(reports)
    }

    /// Works for one request at a time for each person, so that two equal posts at once don't both find nothing stored.
    private func run(
        _ context: PersonRequestContext,
        _ work: @escaping @Sendable (HealthEngine, Caller, Date, IngestJournal) throws -> IngestReport
    ) async throws -> Response {
        let (person, caller, pool, now) = (context.person, context.caller, context.pool, context.now)
        let report = try await turns.run(person.path) {
            try await pool.run {
                let journal = try person.journal()
                let report: IngestReport
                do {
                    report = try work(person.engine, caller, now, journal)
                } catch let error as JSONSyntaxError {
                    throw Problem(.invalidBody, error.description)
                } catch let error as IngestEntryError {
                    throw Problem(.validationFailed, error.reason)
                } catch let error as IngestBodyError {
                    let code: Problem.Code =
                        switch error.kind {
                        case .parameters: .invalidParameter
                        case .form: .invalidBody
                        case .size: .bodyTooLarge
                        }
                    throw Problem(code, error.reason)
                }
                journal.add(report)
                return report
            }
        }
        let total = report.total
        let others = [total.saved, total.replaced, total.alreadyThere, total.mixed, total.covered]
        if total.denied > 0, others.allSatisfy({ $0 == 0 }) {
            throw Problem(.authorizationDenied, report.remarks.last ?? "The token may not write these types.")
        }
        return try .json(report)
    }
}
