import Foundation
import HTTPTypes
import HealthAccess
import HealthAnswers
import HealthDaemon
import HealthEngine
import HealthModel
import HealthStorage
import Hummingbird
import Logging

/// Webhooks that applications register for changes of the types that they may read, and the person's alerts, which are
/// reported through them. The server or `hk daemon` calls them; see ``WebhookDelivery``.
///
/// An application has one, and sees its own only; who acts as the person sees all, and makes alerts. A browser that shows
/// alerts is registered as one.
struct WebhooksResource: PersonResource {
    let core: ServerCore

    private struct NewWebhook: Decodable {
        var url: String
        var types: [String]?
        var frequency: String?
        var includesSamples: Bool?
        /// Whether the URL may lead to an address of the server's machine or network, as the server's owner decides.
        var allowsPrivateAddresses: Bool?
        /// For who acts as the person: the application's bundle identifier.
        var application: String?
        /// The keys of a browser, whose URL is that of its push service.
        var keys: Keys?

        /// As a browser writes them: base64 for URLs.
        struct Keys: Decodable {
            var p256dh: String
            var auth: String
        }
    }

    private struct Answer: Encodable {
        struct Registration: Encodable {
            var type: String
            var frequency: String
            var isSuspended: Bool
        }

        var application: String
        var url: String
        var includesSamples: Bool
        var allowsPrivateAddresses: Bool
        var types: [Registration]
        var alerts: [AlertRequest]
        var areAlertsSuspended: Bool
        /// Whether it is a browser, which shows alerts.
        var isBrowser: Bool
        /// The key that signs calls; only in the answer that makes it.
        var secret: String?
    }

    private struct List: Encodable {
        var webhooks: [Answer]
        /// Whether the server or a daemon makes the calls; `nil` if that isn't known, as of a database.
        var isDelivering: Bool?
        /// The key by which browsers subscribe, for who acts as the person.
        var browserKey: String?
    }

    private struct Attempt: Encodable {
        var id: String
        var attempt: Int
        var date: Date
        var isAcknowledged: Bool
        var reason: String?
    }

    private struct Tested: Encodable {
        var isAcknowledged: Bool
        var reason: String?
        /// As in the list: the test's call is made at once, those of changes are not if nothing delivers.
        var isDelivering: Bool?
    }

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("webhooks", use: list)
        group.post("webhooks", use: register)
        group.delete("webhooks/{application}", use: remove)
        group.get("webhooks/{application}/attempts", use: attempts)
        group.post("webhooks/{application}/test", use: test)
        group.post("webhooks/{application}/suspend") { try await setSuspended(true, $1) }
        group.post("webhooks/{application}/resume") { try await setSuspended(false, $1) }
        group.post("webhooks/{application}/alerts", use: addAlert)
        group.delete("webhooks/{application}/alerts/{alert}", use: removeAlert)
    }

    // MARK: Registration

    @Sendable private func list(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let own = context.access.identity.application?.bundleIdentifier
        let found = try await context.read { engine, _ in
            try engine.backgroundDelivery.applications().filter { own == nil || $0.key == own }
                .sorted { $0.key < $1.key }.compactMap { Self.answer($0.key, $0.value) }
        }
        // Where no key can be written, browsers aren't notified; the list is there nevertheless.
        let canNotify = context.access.isOwner && context.person.person != DemoStores.person
        let file = core.configuration.webhookFolder.flatMap { canNotify ? BrowserMessage.keyFile(in: $0) : nil }
        return try .json(
            List(
                webhooks: found, isDelivering: try await isDelivering(context),
                browserKey: try await core.pool.run { file.flatMap { try? BrowserMessage.serverKey($0) } }))
    }

    /// Whether something delivers the changes of the person's store, which this server begins if nothing does.
    private func isDelivering(_ context: PersonRequestContext) async throws -> Bool? {
        let (core, store) = (core, context.person)
        return try await core.pool.run {
            core.webhooks.start(store)
            return core.webhooks.isDelivering(store.person)
        }
    }

    @Sendable private func register(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        guard context.person.person != DemoStores.person else {
            throw Problem(.forbidden, "A fictional person has no webhooks.")
        }
        let new = try await request.json(NewWebhook.self)
        guard let name = context.access.identity.application?.bundleIdentifier ?? new.application, !name.isEmpty,
            new.application ?? name == name, name.allSatisfy({ !$0.isNewline && $0 != "\0" })
        else {
            throw Problem(
                .validationFailed, "application: name the application that the webhook is for, or use its token.")
        }
        guard let frequency = Self.frequencies[new.frequency ?? "immediate"] else {
            throw Problem(.validationFailed, "frequency: use immediate, hourly, daily or weekly.")
        }
        let wantsPrivate = new.allowsPrivateAddresses ?? false
        guard !wantsPrivate || context.access.identity.isServerOwner || core.configuration.allowsPrivateWebhooks else {
            throw Problem(.forbidden, "allowsPrivateAddresses: only the owner of the server decides that.")
        }
        let browser = try Self.browser(new, context.access)
        let options = WebhookOptions(
            includesSamples: new.includesSamples ?? false,
            allowsPrivateAddresses: wantsPrivate || core.configuration.allowsPrivateWebhooks, browser: browser,
            person: browser == nil ? nil : context.person.person)
        let target = WebhookTarget(url: new.url, secretFile: "", options: options)
        do {
            try WebhookTarget.validate(new.url)
            if WebhookTarget.namesPrivateAddress(new.url), !options.allowsPrivateAddresses {
                throw DaemonError(
                    "The webhook’s host is on this machine or its network, which the owner hasn’t allowed")
            }
            if !options.allowsPrivateAddresses { try await target.requirePublicHost() }
        } catch let error as DaemonError {
            throw Problem(.validationFailed, "url: \(error.description).")
        }
        let (folder, isOwner) = (try folder(), context.access.isOwner)
        // What an application's token has registered ends with it.
        let isOwn = context.access.identity.application != nil
        let (registry, person, id) = (core.registry, context.person.person, context.access.identity.id)
        let answer = try await context.read { engine, caller in
            // It may have been revoked while the body came or the host was looked up.
            guard try !isOwn || registry.valid([id]).contains(id) else {
                throw Problem(
                    .unauthenticated, "The token is unknown, revoked or expired.", headers: Authenticator.challenge)
            }
            let end = try isOwn ? registry.lastExpiry(of: name, for: person) ?? -.infinity : nil
            let isBrowser = options.browser != nil
            let types =
                isBrowser
                ? [] : try Self.types(new.types, of: engine, as: caller, application: name, granting: isOwner)
            let targets = ConfirmedTargets(folder: folder, store: engine.identity().uuid)
            let deliveries = engine.backgroundDelivery
            let before = try deliveries.application(name)
            if case .program? = before?.target {
                throw Problem(.conflict, "The person has registered a program for the application.")
            }
            let file = isBrowser ? BrowserMessage.keyFile(in: folder) : targets.secretFile(of: name)
            do {
                // If something fails, the webhook before stays.
                let newFile = file + ".new"
                unlink(newFile)
                let secret = isBrowser ? nil : try WebhookSecret.create(newFile)
                if isBrowser { _ = try BrowserMessage.serverKey(file) }
                let wanted = DeliveryTarget.webhook(url: new.url, secretFile: file, options: options)
                try targets.confirm(wanted, of: name, until: end)
                try deliveries.setTarget(wanted, of: name)
                guard isBrowser || rename(newFile, file) == 0 else {
                    throw DaemonError("The file \(file) can’t be written")
                }
                if let last = before?.target { targets.remove(last, of: name, unless: wanted) }
                for type in before?.registrations.keys.filter({ !types.contains($0) }) ?? [] {
                    try deliveries.setFrequency(nil, of: type, for: name)
                }
                for type in types { try deliveries.setFrequency(frequency.rawValue, of: type, for: name) }
                // Revoked meanwhile, it was suspended before that ended the suspension.
                if try isOwn && !registry.valid([id]).contains(id) { try deliveries.setSuspended(true, for: name) }
                guard let application = try deliveries.application(name),
                    var answer = Self.answer(name, application)
                else { throw Problem(.notFound, "Webhook not found.") }
                answer.secret = secret
                return answer
            } catch let error as DaemonError {
                context.core.logger.error("A webhook can’t be registered: \(error.description)")
                throw Problem(.unavailable, "The key of the webhook can’t be written.")
            }
        }
        _ = try await isDelivering(context)
        return try .json(answer, status: .created)
    }

    @Sendable private func remove(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let name = try name(context)
        let folder = core.configuration.webhookFolder
        try await context.read { engine, _ in
            let target = try Self.target(of: name, in: engine)
            if let folder {
                let targets = ConfirmedTargets(folder: folder, store: engine.identity().uuid)
                targets.remove(target, of: name)
                try? FileManager.default.removeItem(atPath: targets.secretFile(of: name))
            }
            try engine.backgroundDelivery.remove(name)
        }
        return Response(status: .noContent)
    }

    // MARK: Attempts

    @Sendable private func attempts(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let name = try name(context)
        let log = try await context.read { engine, _ in
            _ = try Self.target(of: name, in: engine)
            return try engine.backgroundDelivery.application(name)?.attempts.reversed() ?? []
        }
        let attempts = log.map {
            Attempt(
                id: $0.delivery.uuidString, attempt: $0.attempt, date: Date(timeIntervalSinceReferenceDate: $0.date),
                isAcknowledged: $0.isAcknowledged, reason: $0.reason.map(Self.withoutPath))
        }
        return try .json(["attempts": attempts])
    }

    /// A reason for clients, who needn't know where the server keeps keys.
    private static func withoutPath(_ reason: String) -> String {
        reason.replacing(/(?s)^The file .+ with the webhook’s key/, with: "The file with the webhook’s key")
    }

    /// Calls a webhook without data, and answers how that went.
    @Sendable private func test(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let name = try name(context)
        let target = try await context.read { engine, _ in
            let target = try Self.target(of: name, in: engine)
            // A store from elsewhere names addresses that nobody here has chosen.
            guard ConfirmedTargets(folder: try folder(), store: engine.identity().uuid).contains(target, of: name)
            else {
                throw Problem(.conflict, "The webhook was registered elsewhere, and isn’t confirmed here.")
            }
            return target
        }
        guard case .webhook(let url, let file, let options) = target else {
            throw Problem(.notFound, "Webhook not found.")
        }
        let called = WebhookTarget(url: url, secretFile: file, options: options ?? WebhookOptions())
        let attempt = await called.test(as: name, now: core.now().timeIntervalSinceReferenceDate)
        let targets = ConfirmedTargets(folder: try folder(), store: context.person.engine.identity().uuid)
        try await context.read { engine, _ in
            try engine.backgroundDelivery.record(attempt, of: name)
            try engine.backgroundDelivery.remove(name, at: target, unsubscribed: attempt.reason, from: targets)
        }
        return try .json(
            Tested(
                isAcknowledged: attempt.isAcknowledged, reason: attempt.reason.map(Self.withoutPath),
                isDelivering: try await isDelivering(context)))
    }

    private func setSuspended(_ isSuspended: Bool, _ context: PersonRequestContext) async throws -> Response {
        let name = try name(context)
        let answer = try await context.read { engine, _ in
            _ = try Self.target(of: name, in: engine)
            try engine.backgroundDelivery.setSuspended(isSuspended, for: name)
            return try engine.backgroundDelivery.application(name).flatMap { Self.answer(name, $0) }
        }
        guard let answer else { throw Problem(.notFound, "Webhook not found.") }
        return try .json(answer)
    }

    // MARK: Alerts

    /// Adds an alert, or replaces the one of its name.
    @Sendable private func addAlert(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("make alerts")
        let name = try name(context)
        let new = try await request.json(AlertRequest.self)
        let made = try await context.read { engine, _ in
            _ = try Self.target(of: name, in: engine)
            do {
                let alert = try HealthAlert(new, of: name, in: engine)
                try engine.backgroundDelivery.setAlert(alert, of: name)
                return alert.request
            } catch let error as DaemonError {
                throw Problem(.validationFailed, "\(error.description).")
            }
        }
        return try .json(made, status: .created)
    }

    @Sendable private func removeAlert(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("remove alerts")
        let (name, alert) = (try name(context), try context.parameters.text("alert"))
        try await context.read { engine, _ in
            guard try engine.backgroundDelivery.removeAlert(alert, of: name) else {
                throw Problem(.notFound, "Alert not found.")
            }
        }
        return Response(status: .noContent)
    }

    // MARK: -

    /// Lets the webhooks of an application be called as long as its tokens for their person are valid.
    static func changeEnd(of token: Credential, _ core: ServerCore) throws {
        guard let folder = core.configuration.webhookFolder, let name = token.bundleIdentifier else { return }
        for person in token.people ?? [] where try core.directory.exists(person) {
            guard let end = try core.registry.lastExpiry(of: name, for: person) else { continue }
            try core.directory.using(person) { engine in
                guard let target = try engine.backgroundDelivery.application(name)?.target else { return }
                let targets = ConfirmedTargets(folder: folder, store: engine.identity().uuid)
                try targets.change(target, of: name, until: end)
            }
        }
    }

    private static let frequencies: [String: DeliveryFrequency] = Dictionary(
        uniqueKeysWithValues: DeliveryFrequency.allCases.map { ("\($0)", $0) })

    private func folder() throws -> String {
        guard let folder = core.configuration.webhookFolder else {
            throw Problem(.notImplemented, "This server has no folder for the keys of webhooks.")
        }
        return folder
    }

    /// The application in the path, if the sender may know it.
    private func name(_ context: PersonRequestContext) throws -> String {
        let name = try context.parameters.text("application")
        guard context.access.identity.application?.bundleIdentifier ?? name == name else {
            throw Problem(.notFound, "Webhook not found.")
        }
        return name
    }

    private static func target(of name: String, in engine: HealthEngine) throws -> DeliveryTarget {
        guard let target = try engine.backgroundDelivery.application(name)?.target, case .webhook = target else {
            throw Problem(.notFound, "Webhook not found.")
        }
        return target
    }

    /// The keys of a browser that is registered; `nil` for a webhook.
    private static func browser(_ new: NewWebhook, _ access: Access) throws -> BrowserKeys? {
        guard let given = new.keys else { return nil }
        try access.requireWritingOwner("have a browser notified")
        guard new.types == nil, new.includesSamples != true else {
            throw Problem(.validationFailed, "types: a browser shows alerts, and receives no changes.")
        }
        let keys = BrowserKeys(
            publicKey: BrowserMessage.bytes(given.p256dh) ?? Data(),
            secret: BrowserMessage.bytes(given.auth) ?? Data())
        guard BrowserMessage.isReachable(with: keys) else {
            throw Problem(.validationFailed, "keys: use those of the browser’s subscription.")
        }
        return keys
    }

    /// The types to deliver: those named, or all that the application may read.
    ///
    /// - Parameter granting: Whether the application may read the named ones from now on, unless that was decided before.
    private static func types(
        _ names: [String]?, of engine: HealthEngine, as caller: Caller, application: String, granting: Bool
    ) throws -> Set<String> {
        let reader = caller.permission == .table ? caller : Caller(application: application)
        let named = try engine.types(names, parameter: "types")
        let all = try named ?? TypeCatalog.all + engine.dictionaries().types
        let deliverable = all.filter { ![.characteristic, .correlation, .activitySummary].contains($0.kind) }
        if granting, named != nil { try grant(deliverable, to: application, in: engine) }
        let readable = try engine.readable(deliverable, as: reader)
        if let named, let refused = named.first(where: { type in !readable.contains { $0.code == type.code } }) {
            throw Problem(
                .forbidden,
                "types: “\(refused.shortName)” can’t be delivered to the application, or it may not read it.")
        }
        guard !readable.isEmpty else { throw Problem(.forbidden, "types: the application may not read any type.") }
        return Set(readable.map(\.identifier))
    }

    /// Lets an application read types about which nothing was decided.
    private static func grant(_ types: [TypeDescription], to application: String, in engine: HealthEngine) throws {
        var decisions = try engine.authorization.decisions(bundleIdentifier: application)
        for type in types where decisions[type.code, default: TypeAuthorization()].read == .notDetermined {
            decisions[type.code, default: TypeAuthorization()].read = .authorized
        }
        try engine.authorization.set(decisions, bundleIdentifier: application)
    }

    private static func answer(_ name: String, _ application: BackgroundApplication) -> Answer? {
        guard case .webhook(let url, _, let options)? = application.target else { return nil }
        return Answer(
            application: name, url: url, includesSamples: options?.includesSamples ?? false,
            allowsPrivateAddresses: options?.allowsPrivateAddresses ?? false,
            types: application.registrations.sorted { $0.key < $1.key }.map {
                Answer.Registration(
                    type: $0.key, frequency: "\($0.value.frequency)", isSuspended: $0.value.isSuspended)
            }, alerts: application.alerts.map(\.request), areAlertsSuspended: application.areAlertsSuspended,
            isBrowser: options?.browser != nil)
    }
}
