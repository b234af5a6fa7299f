import AsyncHTTPClient
import Crypto
package import Foundation
package import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthStorage
import NIOCore
import NIOHTTP1

/// One call of a webhook, signed as the Standard Webhooks specification has it, or message to a browser.
package struct WebhookCall: Sendable {
    let target: WebhookTarget
    /// Identifies the event, in all attempts.
    package let id: String
    /// Seconds since 1970.
    let timestamp: Int
    let body: Data
    /// The name of the alert.
    private var alert: String?

    /// The most samples and deletions of a call.
    static let maximumChanges = 1_000

    /// The call of an attempt. Without samples, it has no data: the application reads the store or asks a server.
    package init(_ attempt: BackgroundDeliveryStore.Attempt, to target: WebhookTarget, of engine: HealthEngine) throws {
        let (id, now) = (attempt.delivery.id.uuidString, engine.configuration.now())
        if let event = attempt.delivery.alert {
            let caller = Caller(application: attempt.bundleIdentifier)
            let alert = try engine.backgroundDelivery.application(attempt.bundleIdentifier)?.alerts
                .first { $0.request.alert == event.alert }?.request
            let type = try event.type.flatMap { try engine.dictionaries().type(identifier: $0)?.code }
            // An alert looks at the samples of every source.
            let isReadable =
                try type.map { try Self.mayRead($0, except: .ownOnly, caller, in: engine) } ?? false
            self.init(id: id, type: "health.alert", to: target, now: now) { json in
                // A browser shows the name, and opens the page.
                guard target.options.browser == nil else {
                    json.member("alert", text: event.alert)
                    json.member("person", text: target.options.person)
                    return json.member("address", text: alert?.address ?? "#/today")
                }
                json.member("application", text: attempt.bundleIdentifier)
                json.member("attempt", integer: attempt.delivery.attempt)
                alert?.write(to: &json)
                // The rest is data of the type.
                if isReadable { event.write(to: &json, named: alert?.type == nil) }
            }
            self.alert = event.alert
            return
        }
        let changes = target.options.includesSamples ? try Self.changes(of: attempt, in: engine) : nil
        self.init(id: id, type: "health.changed", to: target, now: now) { json in
            json.member("application", text: attempt.bundleIdentifier)
            json.member("types", texts: attempt.delivery.types.keys.sorted())
            json.member("attempt", integer: attempt.delivery.attempt)
            if let changes { json.member("changes", raw: String(decoding: changes, as: UTF8.self)) }
        }
    }

    /// The call of a test, which says nothing else.
    package init(testing application: String, _ target: WebhookTarget, id: UUID, now: Double) {
        self.init(id: id.uuidString, type: "webhook.test", to: target, now: now) { json in
            json.member("application", text: application)
        }
    }

    private init(
        id: String, type: String, to target: WebhookTarget, now: Double, _ data: (inout JSONText) -> Void
    ) {
        let date = Date(timeIntervalSinceReferenceDate: now)
        (self.id, self.target, timestamp) = (id, target, Int(date.timeIntervalSince1970))
        var json = JSONText()
        json.object { json in
            json.member("type", text: type)
            json.member("timestamp", text: date.formatted(.iso8601))
            json.object("data", data)
        }
        body = Data(json.bytes)
    }

    /// The changes of each type since the application acknowledged it, as far as the application may read it.
    private static func changes(of attempt: BackgroundDeliveryStore.Attempt, in engine: HealthEngine) throws -> [UInt8]
    {
        let application = try engine.backgroundDelivery.application(attempt.bundleIdentifier)
        let caller = Caller(application: attempt.bundleIdentifier)
        let dictionaries = try engine.dictionaries()
        var (texts, left) = ([String](), maximumChanges)
        for identifier in attempt.delivery.types.keys.sorted() {
            guard let type = dictionaries.type(identifier: identifier)?.code,
                let since = application?.registrations[identifier]?.acknowledged,
                try mayRead(type, caller, in: engine)
            else { continue }
            // In a full call, a type is only named. Nothing is asked for then, because a limit of 0 means no limit.
            let parts = left > 0 ? [SampleRequest.Part(type: type)] : []
            let result = try engine.changes(ChangesRequest(parts: parts, after: since, limit: left), as: caller)
            let count = result.added.count + result.deleted.count
            let json = SampleJSONWriter.object("added", result.added, timeZone: .gmt) { json in
                json.member("deleted", texts: result.deleted.map(\.uuid.uuidString))
                json.member("type", text: identifier)
                // The rest is in the answers of `changes`, or in the store.
                json.member("hasMore", flag: count >= left)
            }
            texts.append(String(decoding: json, as: UTF8.self))
            left -= count
        }
        return Array("[\(texts.joined(separator: ","))]".utf8)
    }

    private static func mayRead(
        _ type: TypeCode, except scope: ReadScope = .nothing, _ caller: Caller, in engine: HealthEngine
    ) throws -> Bool {
        do {
            return ![.nothing, scope].contains(try engine.checkRead(type, as: caller))
        } catch EngineError.authorizationNotDetermined {
            return false
        }
    }

    /// The seconds for which a push service keeps a message for a browser that isn't connected: a day.
    private static let timeToLive = 86_400

    /// The fields and the body of the request.
    ///
    /// - Throws: ``DaemonError`` if the key can't be read.
    fileprivate func request() throws -> (headers: HTTPHeaders, body: Data) {
        guard let browser = target.options.browser else {
            return (
                [
                    "Content-Type": "application/json", "User-Agent": "OpenHealthKit", "webhook-id": id,
                    "webhook-timestamp": String(timestamp),
                    "webhook-signature": signature(secret: try WebhookSecret.load(target.secretFile)),
                ], body
            )
        }
        let authorization = try BrowserMessage.authorization(target.url, keyFile: target.secretFile, now: timestamp)
        var headers: HTTPHeaders = [
            "Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm", "TTL": "\(Self.timeToLive)",
            // A phone that saves power shows it at once (RFC 8030, 5.3).
            "Urgency": "high", "Authorization": authorization,
        ]
        if let alert { headers.add(name: "Topic", value: BrowserMessage.topic(alert, of: browser)) }
        return (headers, try BrowserMessage.encrypted(body, to: browser))
    }

    /// The signature: HMAC-SHA256 of identifier, time stamp and body.
    func signature(secret: Data) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(timestamp).".utf8) + body, using: SymmetricKey(data: secret))
        return "v1," + Data(code).base64EncodedString()
    }
}

extension Caller {
    /// An application, with what it may read.
    package init(application: String) {
        let source = SourceRecord(bundleIdentifier: application, name: application)
        self.init(revision: SourceRevisionRecord(source: source), permission: .table)
    }
}

extension AlertRequest {
    /// The address in the page that shows what it is about.
    fileprivate var address: String {
        switch condition {
        case .above, .below: "#/trends/type/\(type ?? "")/day"
        case .highlight: "#/today"
        case .silence: "#/data"
        }
    }

    /// Writes the members that it has.
    fileprivate func write(to json: inout JSONText) {
        json.member("alert", text: alert)
        json.member("condition", text: condition.rawValue)
        if let type { json.member("type", text: type) }
        if let limit { json.member("limit", number: limit) }
        if let unit { json.member("unit", text: unit) }
        if let source { json.member("source", text: source) }
        if let hours { json.member("hours", number: hours) }
    }
}

extension AlertEvent {
    /// - Parameter named: Whether the alert doesn't name the type.
    fileprivate func write(to json: inout JSONText, named: Bool) {
        if named, let type { json.member("type", text: type) }
        if let date { json.member("date", text: Date(timeIntervalSinceReferenceDate: date).formatted(.iso8601)) }
        if let value { json.member("value", number: value) }
        if let direction { json.member("direction", text: direction) }
    }
}

/// Calls webhooks. Redirects are failures, and answers aren't read.
package struct WebhookClient: Sendable {
    /// Why a message failed to a browser that isn't subscribed any more.
    package static let unsubscribed = "The browser isn’t subscribed any more"

    /// For calls that may go everywhere.
    private let client: HTTPClient

    package init() {
        client = Self.client()
    }

    /// - Parameter address: Where a host is, whatever its name is resolved to later.
    private static func client(_ address: (host: String, text: String)? = nil) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10)))
        configuration.httpVersion = .http1Only
        // Every application has one call at a time. One that waited for another's connection would use up its time.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 65_536
        if let address { configuration.dnsOverride = [address.host: address.text] }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Calls a webhook. Returns why it failed, a sentence without a period; `nil` if it answered with a status of
    /// success.
    package func send(_ call: WebhookCall, timeLimit: Double) async -> String? {
        guard !call.target.options.allowsPrivateAddresses else {
            return await send(call, timeLimit: timeLimit, with: client)
        }
        do {
            // The name is resolved once: another answer later can't lead into the own network.
            return await send(call, timeLimit: timeLimit, at: try await call.target.publicAddress())
        } catch let error as DaemonError {
            return error.description
        } catch {
            return "The call was canceled"
        }
    }

    /// Calls a webhook at an address of its host.
    func send(_ call: WebhookCall, timeLimit: Double, at address: String) async -> String? {
        let client = Self.client((call.target.host, address))
        let failure = await send(call, timeLimit: timeLimit, with: client)
        try? await client.shutdown()
        return failure
    }

    private func send(_ call: WebhookCall, timeLimit: Double, with client: HTTPClient) async -> String? {
        do {
            try call.target.validate()
            var request = HTTPClientRequest(url: call.target.url)
            request.method = .POST
            let (headers, body) = try call.request()
            request.headers = headers
            request.body = .bytes(ByteBuffer(bytes: body))
            let limit = min(timeLimit, DeliveryDaemon.Options.longestTime)
            let response = try await client.execute(request, timeout: .milliseconds(Int64(limit * 1_000)))
            let status = Int(response.status.code)
            if call.target.options.browser != nil, [404, 410].contains(status) { return Self.unsubscribed }
            return (200..<300).contains(status) ? nil : "The webhook answered with status \(status)"
        } catch let error as DaemonError {
            return error.description
        } catch is CancellationError {
            return "The call was canceled"
        } catch is HTTPParserError {
            return "The webhook’s answer isn’t HTTP"
        } catch {
            // The library's errors name neither the URL nor the body.
            return "The webhook can’t be reached: \(error)"
        }
    }

    package func shutdown() async throws {
        try await client.shutdown()
    }
}
