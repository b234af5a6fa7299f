import Foundation
import HTTPTypes
import HealthAccess
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthStorage
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The changes since an anchor, and events of changes.
struct ChangesResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("changes", use: changes)
        group.get("events", use: events)
    }

    private static let maximumWait = 60
    private static let defaultLimit = 1_000

    // MARK: Changes

    @Sendable private func changes(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        let zone = calendar.timeZone
        let names = try parameters.list("types")
        let anchorText = try parameters.text("anchor")
        let limit = try parameters.integer("limit", in: 1...10_000) ?? Self.defaultLimit
        let wait = try parameters.integer("wait", in: 0...Self.maximumWait) ?? 0
        try parameters.finish()
        let (types, anchor) = try await context.read { engine, _ in
            (try engine.types(names, parameter: "types"), try ChangeAnchor(anchorText, of: engine))
        }
        @Sendable func read() async throws -> (answer: [UInt8], isEmpty: Bool) {
            try await context.read { engine, caller in
                try Self.answer(from: engine, as: caller, types, after: anchor, limit: limit, zone)
            }
        }
        guard wait > 0 else { return Response(json: try await read().answer) }
        let checkSender = try await context.core.authenticator.repeatedCheck(of: request)
        @Sendable func readIfPermitted() async throws -> (answer: [UInt8], isEmpty: Bool) {
            let found = try await read()
            // After reading, which may have waited for a thread: what was saved after a revocation isn't answered.
            try await checkSender()
            return found
        }
        let lease = try context.core.streams.open(for: context.access.identity)
        defer { _ = lease }
        let signals = context.person.signals
        let box = try await context.read { engine, _ in signals.add(to: engine) }
        defer { signals.remove(box) }
        lease.onEnd { box.end() }
        let first = try await readIfPermitted()
        if !first.isEmpty { return Response(json: first.answer) }
        let timer = Task {
            try? await Task.sleep(for: .seconds(wait))
            box.end()
        }
        defer { timer.cancel() }
        return try await withGracefulShutdownHandler {
            while let signal = await box.next() {
                // Heartbeats notice a revocation without a change.
                try await checkSender()
                guard !signal.types.isEmpty || signal.settingsChanged else { continue }
                let found = try await readIfPermitted()
                if !found.isEmpty { return Response(json: found.answer) }
            }
            return Response(json: try await readIfPermitted().answer)
        } onGracefulShutdown: {
            box.end()
        }
    }

    static func answer(
        from engine: HealthEngine, as caller: Caller, _ named: [TypeDescription]?, after anchor: ChangeAnchor,
        limit: Int, _ timeZone: TimeZone
    ) throws -> (answer: [UInt8], isEmpty: Bool) {
        let types = try readableTypes(named, of: engine, as: caller)
        let result = try engine.changes(
            ChangesRequest(
                parts: types.map { SampleRequest.Part(type: $0) }, after: anchor.sequence, limit: limit,
                beginsAgain: true), as: caller)
        let last = try engine.lastSequence()
        let json = SampleJSONWriter.object("added", result.added, timeZone: timeZone) { json in
            json.array("deleted") { json in
                for deletion in result.deleted {
                    json.object { json in
                        json.member("uuid", text: deletion.uuid.uuidString)
                        json.member("type", text: result.added.dictionaries.type(deletion.type)?.identifier ?? "")
                    }
                }
            }
            json.member("anchor", text: anchor.moved(to: result.sequence).text)
            json.member("hasMore", flag: result.added.count + result.deleted.count >= limit && result.sequence < last)
        }
        return (json, result.added.count == 0 && result.deleted.isEmpty)
    }

    /// The types with samples that the caller may read.
    fileprivate static func readableTypes(
        _ named: [TypeDescription]?, of engine: HealthEngine, as caller: Caller
    ) throws -> Set<TypeCode> {
        let all = try named ?? TypeCatalog.all + engine.dictionaries().types
        return Set(try engine.readable(all.filter(\.hasSamples), as: caller).map(\.code))
    }

    // MARK: Events

    @Sendable private func events(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (names, _) = try context.parameters(of: request) { try $0.list("types") }
        let lastEvent = request.headers[.lastEventID]
        let checkSender = try await context.core.authenticator.repeatedCheck(of: request)
        let lease = try context.core.streams.open(for: context.access.identity)
        let signals = context.person.signals
        let box = try await context.read { engine, _ in signals.add(to: engine) }
        // It keeps the store open, and ends with its last user, also if the body is never written.
        let stream = ReleaseAction { [person = context.person] in
            withExtendedLifetime(lease) { person.signals.remove(box) }
        }
        lease.onEnd { box.end() }
        // A client that has gone would otherwise be noticed by the next event.
        context.channel?.closeFuture.whenComplete { _ in box.end() }
        // The session may have ended before it could end the stream.
        try await checkSender()
        let (engine, caller, pool) = (context.engine, context.caller, context.pool)
        let (first, named, readable) = try await context.read { engine, caller in
            let named = try engine.types(names, parameter: "types")
            let types = try Self.readableTypes(named, of: engine, as: caller)
            return (try Self.firstEvents(since: lastEvent, types, from: engine, as: caller), named, types)
        }
        let body = ResponseBody { writer in
            _ = stream
            // None while permissions have changed and can't be read, which is tried again with each signal, as is finding the
            // sender while too many requests wait.
            var readable: Set<TypeCode>? = readable
            var (untold, earliest, sequence): (Set<TypeCode>, Int64, Int64) = ([], .max, 0)
            var settingsChanged = false
            try await writer.write(ByteBuffer(string: first))
            await withGracefulShutdownHandler {
                while let signal = await box.next() {
                    untold.formUnion(signal.types)
                    earliest = min(earliest, signal.first)
                    sequence = max(sequence, signal.sequence)
                    settingsChanged = settingsChanged || signal.settingsChanged
                    do {
                        // A token can be revoked and a session end, which heartbeats notice.
                        try await checkSender()
                    } catch let problem as Problem where problem.code == .overloaded {
                        continue
                    } catch {
                        break
                    }
                    var text = ""
                    if settingsChanged {
                        // Permissions may be among the settings.
                        if caller.permission == .table { readable = nil }
                        text += "event: settings\ndata: {}\n\n"
                        settingsChanged = false
                    }
                    if readable == nil {
                        readable = try? await pool.run { try Self.readableTypes(named, of: engine, as: caller) }
                    }
                    if let known = readable {
                        let (found, before) = (untold.intersection(known), earliest - 1)
                        let types: Set<TypeCode>? =
                            found.isEmpty || caller.permission != .table
                            ? found : try? await pool.run { try Self.noticed(found, before, engine, caller) }
                        if let types {
                            (untold, earliest) = ([], .max)
                            if !types.isEmpty {
                                text += Self.event(
                                    types, ChangeAnchor(store: engine.identity().uuid, sequence: sequence), engine)
                            }
                        }
                    }
                    if text.isEmpty, signal.isHeartbeat { text = ": open\n\n" }
                    guard !text.isEmpty else { continue }
                    do { try await writer.write(ByteBuffer(string: text)) } catch { return }
                }
            } onGracefulShutdown: {
                box.end()
            }
            try await writer.finish(nil)
        }
        return .events(body)
    }

    /// The position, and what changed since the last event that the client has.
    private static func firstEvents(
        since lastEvent: String?, _ types: Set<TypeCode>, from engine: HealthEngine, as caller: Caller
    ) throws -> String {
        let anchor = try ChangeAnchor("now", of: engine)
        var json = JSONText()
        json.object { $0.member("anchor", text: anchor.text) }
        let ready = "event: ready\nid: \(anchor.text)\ndata: \(json.text)\n\n"
        guard let lastEvent else { return ready }
        // After another store took the place of this one, everything may have changed.
        let since = (try? ChangeAnchor(lastEvent, of: engine))?.sequence ?? 0
        guard since < anchor.sequence else { return ready }
        let changed = try types.filter { try hasChanged($0, since, engine, caller) }
        return ready + (changed.isEmpty ? "" : event(changed, anchor, engine))
    }

    /// Returns whether anything of a type that the caller may read was added or deleted after a sequence.
    private static func hasChanged(
        _ type: TypeCode, _ sequence: Int64, _ engine: HealthEngine, _ caller: Caller
    ) throws -> Bool {
        let found = try engine.changes(
            ChangesRequest(parts: [SampleRequest.Part(type: type)], after: sequence, limit: 1), as: caller)
        return found.added.count > 0 || !found.deleted.isEmpty
    }

    /// The types that have changed after a sequence as far as the caller may know: one that it reads in part, only if that
    /// part has.
    private static func noticed(
        _ types: Set<TypeCode>, _ sequence: Int64, _ engine: HealthEngine, _ caller: Caller
    ) throws -> Set<TypeCode> {
        try types.filter { type in
            try engine.checkRead(type, as: caller) == .everything || hasChanged(type, sequence, engine, caller)
        }
    }

    private static func event(_ types: Set<TypeCode>, _ anchor: ChangeAnchor, _ engine: HealthEngine) -> String {
        // A type that is not in the catalog is looked up; if that fails, the other types are reported nevertheless.
        let others = types.contains { TypeCatalog.description(for: $0) == nil } ? try? engine.dictionaries() : nil
        let names = types.compactMap { (TypeCatalog.description(for: $0) ?? others?.type($0))?.identifier }
        var json = JSONText()
        json.object { json in
            json.member("types", texts: names.sorted())
            json.member("anchor", text: anchor.text)
        }
        return "event: change\nid: \(anchor.text)\ndata: \(json.text)\n\n"
    }
}

/// A position in the changes of one store.
struct ChangeAnchor: Hashable, Sendable {
    var store: UUID
    /// The last sequence that is known; 0 before the first.
    var sequence: Int64

    private static let prefixLength = 12
    private var prefix: Substring {
        store.uuidString.lowercased().filter { $0 != "-" }.prefix(Self.prefixLength)
    }

    /// The text of the anchor.
    var text: String { "\(prefix)-\(sequence)" }

    /// The anchor of a later position.
    func moved(to sequence: Int64) -> ChangeAnchor { ChangeAnchor(store: store, sequence: sequence) }
}

extension ChangeAnchor {
    /// Reads an anchor: none for the beginning, or `now`.
    ///
    /// - Throws: ``Problem`` `invalidAnchor`, or `anchorExpired` for one of another store.
    init(_ text: String?, of engine: HealthEngine) throws {
        store = engine.identity().uuid
        switch text {
        case nil: sequence = 0
        case "now": sequence = try engine.lastSequence()
        case let text?:
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.count == Self.prefixLength, let number = Int64(parts[1]), number >= 0,
                parts[0].allSatisfy(\.isHexDigit)
            else {
                throw Problem(
                    .invalidAnchor, "The anchor is not one of this server. Use the anchor of an answer, or none.")
            }
            sequence = number
            guard parts[0] == prefix else {
                throw Problem(.anchorExpired, "The anchor is of another store. Start over without one.")
            }
        }
    }
}
