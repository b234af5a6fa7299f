import AppleHealthExport
import Foundation
import HTTPTypes
import HealthAccess
import HealthAnswers
import HealthDevices
import HealthEngine
import HealthFormats
import HealthImport
import HealthJSON
import HealthModel
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Imports of Apple Health archives: an upload in one request, or in several that continue where a connection broke,
/// then the import with its progress as events.
///
/// `POST imports` with the archive as the body uploads and imports it. With `Upload-Length` and without a body it
/// creates an upload; `PATCH imports/{id}` with `Upload-Offset` appends to it, and `HEAD imports/{id}` says where to
/// continue.
struct ImportsResource: PersonResource {
    let jobs: ImportJobs
    /// The bytes that are written at once.
    private static let pieceBytes = 1 << 20
    private static let heartbeatSeconds = 15.0
    /// The number of imports of the history that an answer has.
    private static let shown = 20
    private static let rowsOfProposal = 5

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("imports", use: list)
        group.post("imports", use: create)
        group.post("imports/proposal", use: propose)
        group.post("imports/{id}/retry", use: retry)
        group.get("imports/{id}", use: read)
        group.patch("imports/{id}", use: append)
        group.delete("imports/{id}", use: remove)
        group.get("imports/{id}/events", use: events)
        group.delete("imports/history/{number}", use: undo)
    }

    private struct Listing: Encodable {
        var imports: [ImportJob.Status]
        /// The last imports that ended, also by other programs, the newest first.
        var history: [Ended]
    }

    /// An import of the history.
    private struct Ended: Encodable {
        var number: Int
        var date: Date
        var file: String
        var report: ImportJob.Answer?
        var error: String?

        init(_ number: Int, _ record: ImportRecord) {
            self.number = number
            date = Date(timeIntervalSinceReferenceDate: record.date)
            file = record.file
            report = record.report.map { ImportJob.Answer($0, mirrors: !$0.removed.isEmpty) }
            error = record.failure
        }
    }

    @Sendable private func list(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireOwner("see imports")
        _ = try context.calendarOnly(of: request)
        let person = context.person
        let listing = try await context.pool.run {
            jobs.resume(person, pool: context.pool, retries: false)
            return Listing(
                imports: jobs.all(of: person).map { $0.status.status },
                history: try person.engine.imports.records().prefix(Self.shown).map { Ended($0.number, $0.record) })
        }
        return try .json(listing)
    }

    /// Proposes a mapping of the columns of a table, whose beginning is the body.
    @Sendable private func propose(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("import an archive")
        let (given, _) = try context.parameters(of: request) { try $0.text("name") }
        let name = given.flatMap(Self.fileName) ?? "table.csv"
        let bytes = Array(try await context.body(of: request).readableBytesView)
        return try await context.pool.run {
            var pieces = [bytes]
            guard let proposal = try? ColumnProposal({ pieces.popLast() ?? [] }, name: name) else {
                throw Problem(.validationFailed, "The file has no line with the names of columns before its rows.")
            }
            return Response.object { json in
                json.member("columns", texts: proposal.names)
                json.array("rows") { json in
                    for row in proposal.rows(Self.rowsOfProposal) {
                        json.array { json in row.forEach { json.string($0) } }
                    }
                }
                json.member("mapping", raw: proposal.mapping)
                json.member("remarks", texts: proposal.remarks)
            }
        }
    }

    // MARK: Uploads

    @Sendable private func create(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("import an archive")
        var (parameters, _) = try context.parameters(of: request)
        let (mirrors, acceptsAnyPerson) = (try parameters.flag("mirror"), try parameters.flag("anyPerson"))
        let (keepsCopies, recovers) = (try parameters.flag("keepCopies"), try parameters.flag("recover"))
        let name = try parameters.text("name").flatMap(Self.fileName)
        let activity = try parameters.text("activity").map { text in
            guard let raw = try? ValueNames.activity(called: text) else {
                throw QueryParameters.problem(
                    "activity", text, "is not one type of activity. Use a name such as running.")
            }
            return raw
        }
        try parameters.finish()
        let timeZone = request.uri.queryParameters["timeZone"].map { String($0) }
        let limit = context.core.configuration.limits.uploadBytes
        let length = try Self.length(request.headers[.uploadLength], .uploadLength, upTo: limit)
        let bodyLength = try Self.length(request.headers[.contentLength], .contentLength, upTo: limit)
        let (jobs, person, now) = (jobs, context.person, context.now.timeIntervalSinceReferenceDate)
        let job = try await context.pool.run {
            try jobs.create(
                UploadFile.Announcement(
                    length: length ?? bodyLength, mirrors: mirrors, acceptsAnyPerson: acceptsAnyPerson,
                    timeZone: timeZone, keepsCopies: keepsCopies, recovers: recovers, name: name,
                    activity: activity, created: now),
                for: person)
        }
        do {
            try await context.pool.run { try job.beginReceiving(at: 0) }
            try await receive(request, job, context, upTo: length ?? limit, isWhole: length == nil)
            if length == nil, job.offset == 0 {
                throw Problem(
                    .invalidBody, "Send the archive as the body, or its size in Upload-Length to upload it in parts.")
            }
            try await startIfComplete(job, context)
        } catch {
            // Without an announced length, the upload can't be continued.
            if length == nil { jobs.remove(job) }
            throw error
        }
        var response = try Response.json(job.status.status, status: length == nil ? .accepted : .created)
        response.headers[.location] = "/v1/people/\(person.person)/imports/\(job.upload.id.uuidString.lowercased())"
        response.headers[.uploadOffset] = String(job.offset)
        return response
    }

    @Sendable private func append(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("import an archive")
        let job = try await job(context)
        guard let length = job.length,
            let offset = try Self.length(request.headers[.uploadOffset], .uploadOffset, upTo: length)
        else { throw Problem(.invalidParameter, "Send the number of bytes received so far in Upload-Offset.") }
        try await context.pool.run { try job.beginReceiving(at: offset) }
        try await receive(request, job, context, upTo: length, isWhole: false)
        try await startIfComplete(job, context)
        return Response(status: .noContent, headers: [.uploadOffset: String(job.offset)])
    }

    /// Receives a body. What was received before a connection broke stays. An upload that is complete then is on the
    /// disk before the client is notified, which may then remove its archive.
    ///
    /// - Parameter isWhole: Whether the body is the whole archive, else a part of the announced size.
    private func receive(
        _ request: Request, _ job: ImportJob, _ context: PersonRequestContext, upTo limit: Int, isWhole: Bool
    ) async throws {
        defer { job.endReceiving() }
        var pending: [UInt8] = []
        func flush() async throws {
            guard !pending.isEmpty else { return }
            let (bytes, offset) = (pending, job.offset)
            pending.removeAll(keepingCapacity: true)
            try await context.pool.run { try job.upload.append(bytes, at: offset) }
            job.received(bytes.count)
        }
        // While the upload is locked. Without it, the upload is kept for less time.
        func recordContinuation() async {
            guard !isWhole else { return }
            let now = context.now.timeIntervalSinceReferenceDate
            try? await context.pool.run { try job.upload.recordContinuation(at: now) }
        }
        do {
            for try await chunk in request.body {
                guard job.offset + pending.count + chunk.readableBytes <= limit else {
                    throw Problem(.bodyTooLarge, "The body continues after the announced \(limit) bytes.")
                }
                pending.append(contentsOf: chunk.readableBytesView)
                if pending.count >= Self.pieceBytes { try await flush() }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            try await flush()
            await recordContinuation()
            throw error
        }
        try await flush()
        if isWhole ? job.offset > 0 : job.offset == job.length {
            try await context.pool.run { try job.complete() }
        } else {
            await recordContinuation()
        }
    }

    private func startIfComplete(_ job: ImportJob, _ context: PersonRequestContext) async throws {
        try await context.pool.run { jobs.start(job, into: context.person, pool: context.pool) }
    }

    /// The name of a client's file as it is shown, without folders and control characters.
    private static func fileName(_ text: String) -> String? {
        let last = text.split(whereSeparator: { "/\\".contains($0) }).last ?? ""
        let name = last.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }.prefix(
            200)
        return name.isEmpty ? nil : String(String.UnicodeScalarView(name))
    }

    /// Repeats an import that failed with a remedy, as the person decides.
    @Sendable private func retry(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("import an archive")
        var (parameters, _) = try context.parameters(of: request)
        var remedies: Set<ImportProblem.Remedy> = []
        if try parameters.flag("recover") { remedies.insert(.recover) }
        if try parameters.flag("anyPerson") { remedies.insert(.anyPerson) }
        try parameters.finish()
        let (decided, job) = (remedies, try await job(context, starts: false))
        try await context.pool.run {
            try job.accept(decided)
            jobs.start(job, into: context.person, pool: context.pool)
        }
        return try .json(job.status.status, status: .accepted)
    }

    /// A size or offset in a header field.
    private static func length(_ text: String?, _ name: HTTPField.Name, upTo limit: Int) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw Problem(.invalidParameter, "\(name): “\(QueryParameters.shown(text))” is not a number of bytes.")
        }
        guard number <= limit else {
            throw Problem(.bodyTooLarge, "\(name) is \(number). At most \(limit) bytes are accepted.")
        }
        return number
    }

    // MARK: State

    /// - Parameter starts: Whether its import is started if it waits for that.
    private func job(_ context: PersonRequestContext, starts: Bool = true) async throws -> ImportJob {
        let id = context.parameters.get("id").flatMap { UUID(uuidString: $0) }
        return try await context.pool.run {
            guard let id, let job = jobs.job(id, of: context.person) else {
                throw Problem(.notFound, "Import not found.")
            }
            // The request that brought its last bytes may have ended before the import began.
            if starts { jobs.resume(context.person, pool: context.pool, retries: false) }
            return job
        }
    }

    @Sendable private func read(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireOwner("see imports")
        let job = try await job(context)
        var response = try Response.json(job.status.status)
        response.headers[.uploadOffset] = String(job.offset)
        if let length = job.length { response.headers[.uploadLength] = String(length) }
        return response
    }

    @Sendable private func remove(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("remove imports")
        let job = try await job(context, starts: false)
        guard job.isRemovable else {
            job.cancel()
            return Response(status: .accepted)
        }
        try await context.pool.run { jobs.remove(job) }
        return Response(status: .noContent)
    }

    /// Deletes what an import of the history has added.
    @Sendable private func undo(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("undo imports")
        let (isDryRun, _) = try context.parameters(of: request) { try $0.flag("dryRun") }
        guard let number = context.parameters.get("number").flatMap({ Int($0) }) else {
            throw Problem(.notFound, "Import not found.")
        }
        return try await context.read { engine, _ in
            do {
                let contents = isDryRun ? try engine.contents(ofImport: number) : nil
                return try contents.map { SamplesResource.account($0.counts) }
                    ?? SamplesResource.deleted(engine.undoImport(number))
            } catch let error as EngineError where error.isAboutArguments {
                throw Problem(.notFound, "Import not found.")
            }
        }
    }

    /// The progress as server-sent events: `progress`, and at the end `done` or `failed`. The stream ends with its
    /// token or session, and with the server.
    @Sendable private func events(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireOwner("see imports")
        let job = try await job(context)
        let lease = try context.core.streams.open(for: context.access.identity)
        lease.onEnd { job.wake() }
        let checkSender = try await context.core.authenticator.repeatedCheck(of: request)
        enum Event {
            case change, heartbeat, shutdown
        }
        let body = ResponseBody { writer in
            _ = lease
            var version = -1
            while true {
                // A token can be revoked and a session end, which heartbeats notice.
                do { try await checkSender() } catch { break }
                let (status, current) = job.status
                if current != version {
                    version = current
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                    let data = String(decoding: try encoder.encode(status), as: UTF8.self)
                    let name = job.isFinished ? status.state : "progress"
                    try await writer.write(ByteBuffer(string: "event: \(name)\ndata: \(data)\n\n"))
                }
                if status.state == ImportJob.Phase.done.rawValue || status.state == ImportJob.Phase.failed.rawValue {
                    break
                }
                let seen = version
                let event = try await withThrowingTaskGroup(of: Event.self, returning: Event.self) { group in
                    group.addTask {
                        await job.waitForChange(after: seen)
                        return .change
                    }
                    group.addTask {
                        try await Task.sleep(for: .seconds(Self.heartbeatSeconds))
                        return .heartbeat
                    }
                    group.addTask {
                        try await gracefulShutdown()
                        return .shutdown
                    }
                    let first = try await group.next()
                    group.cancelAll()
                    return first ?? .change
                }
                if event == .shutdown { break }
                if event == .heartbeat { try await writer.write(ByteBuffer(string: ": waiting\n\n")) }
                // A progress for each megabyte is more than anyone reads.
                try await Task.sleep(for: .milliseconds(50))
            }
            try await writer.finish(nil)
        }
        return .events(body)
    }
}
