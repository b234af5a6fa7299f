package import Foundation
import HealthModel
import HealthStorage

/// The registrations of applications for background delivery, and their deliveries. Everything is stored, so it
/// outlives the process.
///
/// Deliveries are made by the process that calls ``begin(timeLimit:)``, one per store. They are acknowledged from any
/// process. Methods throw `StorageError`.
package struct BackgroundDeliveryStore: Sendable {
    let engine: HealthEngine

    // MARK: Registration

    /// Returns an application's frequencies by type identifier, numbered as in the original (immediate 1 … weekly 4).
    package func frequencies(of bundleIdentifier: String) throws -> [String: Int] {
        try application(bundleIdentifier)?.registrations.mapValues(\.frequency.rawValue) ?? [:]
    }

    /// Registers an application for a type or, with `nil`, removes the registration. Registering again ends a
    /// suspension. Changes made before the first registration aren't delivered.
    package func setFrequency(_ frequency: Int?, of typeIdentifier: String, for bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, transaction in
            if let frequency {
                application.register(
                    typeIdentifier, DeliveryFrequency(rawValue: frequency) ?? .immediate,
                    position: try transaction.lastSequence())
            } else {
                application.unregister(typeIdentifier)
            }
        }
    }

    /// Removes all registrations of an application. How it is reached stays known.
    package func removeAll(of bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, _ in
            for identifier in application.registrations.keys { application.unregister(identifier) }
        }
    }

    /// Sets how an application is reached while it doesn't run. A program has no alerts.
    package func setTarget(_ target: DeliveryTarget, of bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, _ in
            application.target = target
            guard case .program = target else { return }
            for alert in application.alerts { application.removeAlert(alert.request.alert) }
        }
    }

    /// Removes everything about an application.
    package func remove(_ bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, _ in application = BackgroundApplication() }
    }

    /// Suspends or resumes types of an application; `nil` for all, and its alerts.
    package func setSuspended(_ isSuspended: Bool, of types: Set<String>? = nil, for bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, _ in
            application.setSuspended(isSuspended, of: types.map(Array.init) ?? Array(application.registrations.keys))
            if types == nil { application.setAlertsSuspended(isSuspended) }
        }
    }

    /// Returns what is known about an application; `nil` if nothing is.
    package func application(_ bundleIdentifier: String) throws -> BackgroundApplication? {
        let found = try engine.storage.read { try Self.application(bundleIdentifier, in: $0) }
        return found.isEmpty ? nil : found
    }

    /// Returns all applications by bundle identifier.
    package func applications() throws -> [String: BackgroundApplication] {
        try engine.storage.read(Self.applications)
    }

    // MARK: Delivery

    /// An attempt to deliver that began.
    package struct Attempt: Hashable, Sendable {
        /// The application.
        package var bundleIdentifier: String
        /// How it is reached.
        package var target: DeliveryTarget
        /// The delivery that is due.
        package var delivery: BackgroundApplication.Delivery

        /// Creates an attempt, for example to continue one that is in flight.
        package init(bundleIdentifier: String, target: DeliveryTarget, delivery: BackgroundApplication.Delivery) {
            self.bundleIdentifier = bundleIdentifier
            self.target = target
            self.delivery = delivery
        }
    }

    /// The result of ``begin(timeLimit:)``.
    package struct Plan: Hashable, Sendable {
        /// The attempts that began.
        package var begun: [Attempt] = []
        /// The attempts whose time ran out, which have failed.
        package var expired: [Attempt] = []
        /// When to ask again even without a change, in seconds since 2001; `nil` if only a change makes something due.
        package var next: Double?

        /// Creates a plan without attempts.
        package init() {}
    }

    /// Begins all deliveries that are due, one per application, and ends those whose time has run out. Nothing is
    /// written if there are none, but the position that types without changes have once a thousand deletions of other
    /// types were looked through.
    ///
    /// A type that the application may not read is never due; see ``AuthorizationTable``.
    ///
    /// - Parameters:
    ///   - isHeldBack: Whether a type isn't to be delivered to an application now, nor a delivery that contains it.
    ///   - mayReach: Whether an application may be reached by its target.
    ///   - timeLimit: The seconds that a target has to acknowledge.
    package func begin(
        except isHeldBack: (_ bundleIdentifier: String, _ typeIdentifier: String) -> Bool = { _, _ in false },
        mayReach: (_ bundleIdentifier: String, _ target: DeliveryTarget) -> Bool = { _, _ in true },
        timeLimit: (DeliveryTarget) -> Double
    ) throws -> Plan {
        let now = engine.configuration.now()
        let (plan, isChanged) = try engine.storage.read { snapshot in
            let before = try Self.applications(in: snapshot)
            var after = before
            return (try step(&after, now, isHeldBack, mayReach, timeLimit, in: snapshot), after != before)
        }
        guard isChanged else { return plan }
        return try engine.commit { transaction, _ in
            let before = try Self.applications(in: transaction)
            var after = before
            let plan = try step(&after, now, isHeldBack, mayReach, timeLimit, in: transaction)
            for (bundleIdentifier, application) in after where before[bundleIdentifier] != application {
                try Self.write(application, bundleIdentifier, in: transaction)
            }
            return plan
        }
    }

    private func step(
        _ applications: inout [String: BackgroundApplication], _ now: Double, _ isHeldBack: (String, String) -> Bool,
        _ mayReach: (String, DeliveryTarget) -> Bool, _ timeLimit: (DeliveryTarget) -> Double,
        in snapshot: any StorageSnapshot
    ) throws -> Plan {
        var plan = Plan()
        let position = try snapshot.lastSequence()
        let dictionaries = try engine.dictionaries(in: snapshot)
        var deletions = LatestDeletions(before: position, dictionaries, in: snapshot)
        for bundleIdentifier in applications.keys.sorted() {
            guard var application = applications[bundleIdentifier], let target = application.target,
                mayReach(bundleIdentifier, target)
            else { continue }
            let (begun, expired) = try application.step(
                now: now, position: position, timeLimit: timeLimit(target),
                isHeldBack: { isHeldBack(bundleIdentifier, $0) }, advances: { deletions.count >= Self.manyDeletions }
            ) { identifier, sequence in
                guard sequence < position, let type = dictionaries.type(identifier: identifier)?.code else {
                    return false
                }
                // Asked first: the position of such a type doesn't move while more deletions follow it.
                guard try mayKnow(type, bundleIdentifier, in: snapshot) else { return nil }
                if try snapshot.hasAdditions(of: type, after: sequence) { return true }
                return try deletions.last(of: type, after: sequence) != nil
            }
            if let begun {
                plan.begun.append(Attempt(bundleIdentifier: bundleIdentifier, target: target, delivery: begun))
            }
            if let expired {
                plan.expired.append(Attempt(bundleIdentifier: bundleIdentifier, target: target, delivery: expired))
            }
            if let next = application.nextInstant(after: now) { plan.next = min(plan.next ?? next, next) }
            applications[bundleIdentifier] = application
        }
        return plan
    }

    /// How many deletions may be looked through again by each call, before the positions of other types move beyond
    /// them.
    private static let manyDeletions = 1_000

    /// Whether an application may know that a type changed. One that was never asked about may be granted everything by
    /// its environment, so it counts as allowed; only the person makes an application reachable.
    private func mayKnow(_ type: TypeCode, _ bundleIdentifier: String, in snapshot: any StorageSnapshot) throws -> Bool
    {
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: bundleIdentifier, name: "")),
            permission: .table)
        do {
            switch try engine.checkRead(type, as: caller, in: snapshot) {
            case .everything, .picked: return true
            case .ownOnly, .nothing: return false
            }
        } catch EngineError.authorizationNotDetermined {
            return true
        }
    }

    /// Returns the state of a delivery, given as it was when an attempt began.
    package func state(
        of delivery: BackgroundApplication.Delivery, for bundleIdentifier: String
    ) throws -> BackgroundApplication.DeliveryState {
        try application(bundleIdentifier)?.state(of: delivery) ?? .withdrawn
    }

    /// How an attempt ended.
    package enum Outcome: Hashable, Sendable {
        /// The target acknowledged everything.
        case acknowledged
        /// The target failed.
        case missed
        /// The process that made the attempt ended; it isn't counted.
        case interrupted
    }

    /// Ends an attempt. Without effect if its types have been acknowledged meanwhile.
    ///
    /// - Parameter reason: Why it failed, a sentence without a period and without health data.
    package func finish(
        _ delivery: UUID, of bundleIdentifier: String, _ outcome: Outcome, reason: String? = nil
    ) throws {
        let now = engine.configuration.now()
        try change(bundleIdentifier) { application, _ in
            if outcome != .interrupted {
                application.record(delivery, now: now, isAcknowledged: outcome == .acknowledged, reason: reason)
            }
            switch outcome {
            case .acknowledged: application.acknowledge(delivery)
            case .missed: application.miss(delivery, now: now)
            case .interrupted: application.interrupt(delivery, now: now)
            }
        }
    }

    /// Records an attempt that delivers nothing, such as a test.
    package func record(_ attempt: BackgroundApplication.LoggedAttempt, of bundleIdentifier: String) throws {
        try change(bundleIdentifier) { application, _ in
            if application.target != nil { application.record(attempt) }
        }
    }

    /// Records that an application has handled changes of types up to a sequence number each. Written only if the
    /// person made the application reachable.
    package func acknowledge(_ positions: [String: Int64], of bundleIdentifier: String) throws {
        try change(bundleIdentifier) { application, snapshot in
            guard application.target != nil else { return }
            try application.acknowledge(extend(positions, for: application, in: snapshot))
        }
    }

    /// A delivery goes up to the last number of the store, and an application acknowledges up to the last one that it
    /// has seen. If its type hasn't changed in between, that is all there is to acknowledge: the commits of other types
    /// don't call it again.
    private func extend(
        _ positions: [String: Int64], for application: BackgroundApplication, in snapshot: any StorageSnapshot
    ) throws -> [String: Int64] {
        let open = positions.filter { $0.value < application.delivery(of: $0.key)?.types[$0.key] ?? .min }
        guard !open.isEmpty else { return positions }
        let dictionaries = try engine.dictionaries(in: snapshot)
        var deletions = LatestDeletions(before: try snapshot.lastSequence(), dictionaries, in: snapshot)
        var extended = positions
        for (identifier, position) in open {
            guard let type = dictionaries.type(identifier: identifier)?.code,
                try !snapshot.hasAdditions(of: type, after: position),
                try deletions.last(of: type, after: position) == nil
            else { continue }
            extended[identifier] = application.delivery(of: identifier)?.types[identifier]
        }
        return extended
    }

    /// Changes an application, and writes it only if that makes a difference. Observers of settings aren't notified.
    func change(
        _ bundleIdentifier: String, _ body: (inout BackgroundApplication, any StorageSnapshot) throws -> Void
    ) throws {
        let isChanged = try engine.storage.read { snapshot in
            let before = try Self.application(bundleIdentifier, in: snapshot)
            var after = before
            try body(&after, snapshot)
            return after != before
        }
        guard isChanged else { return }
        try engine.commit { transaction, _ in
            var application = try Self.application(bundleIdentifier, in: transaction)
            try body(&application, transaction)
            try Self.write(application, bundleIdentifier, in: transaction)
        }
    }

    // MARK: Storage

    /// Changes the registrations of an application. Every process is notified of the settings.
    func update(
        _ bundleIdentifier: String, _ body: (inout BackgroundApplication, any StorageTransaction) throws -> Void
    ) throws {
        try engine.commit { transaction, pending in
            var application = try Self.application(bundleIdentifier, in: transaction)
            try body(&application, transaction)
            try Self.write(application, bundleIdentifier, in: transaction)
            pending.settingsChanged = true
        }
    }

    private static func write(
        _ application: BackgroundApplication, _ bundleIdentifier: String, in transaction: any StorageTransaction
    ) throws {
        try Settings.write(
            application.isEmpty ? nil : application, namespace: Settings.Namespace.backgroundDelivery,
            key: bundleIdentifier, in: transaction)
    }

    private static func applications(in snapshot: any StorageSnapshot) throws -> [String: BackgroundApplication] {
        try snapshot.values(namespace: Settings.Namespace.backgroundDelivery).mapValues {
            try Settings.decode(BackgroundApplication.self, from: $0, namespace: Settings.Namespace.backgroundDelivery)
        }
    }

    private static func application(
        _ bundleIdentifier: String, in snapshot: any StorageSnapshot
    ) throws -> BackgroundApplication {
        try Settings.read(
            BackgroundApplication.self, namespace: Settings.Namespace.backgroundDelivery, key: bundleIdentifier,
            in: snapshot) ?? BackgroundApplication()
    }
}

/// The last deletion of each type. Deletions are looked through as far back as someone asks, each once.
private struct LatestDeletions {
    /// The number of deletions that were visited.
    private(set) var count = 0
    private let snapshot: any StorageSnapshot
    private let dictionaries: StoreDictionaries
    /// The deletions after this sequence number were visited.
    private var start: Int64
    private var sequences: [TypeCode: Int64] = [:]

    /// - Parameter position: The last sequence number of the snapshot.
    init(before position: Int64, _ dictionaries: StoreDictionaries, in snapshot: any StorageSnapshot) {
        start = position
        self.dictionaries = dictionaries
        self.snapshot = snapshot
    }

    /// The sequence number of the last deletion of a type after a position; `nil` if there is none.
    mutating func last(of type: TypeCode, after position: Int64) throws -> Int64? {
        if position < start {
            let (end, dictionaries) = (start, dictionaries)
            var (found, visited) = (sequences, 0)
            try snapshot.visitTombstones(after: position, types: nil) { tombstone in
                guard tombstone.sequence <= end else { return false }
                visited += 1
                let type = dictionaries.catalogCode(of: tombstone.type)
                found[type] = max(found[type] ?? 0, tombstone.sequence)
                return true
            }
            (sequences, start) = (found, position)
            count += visited
        }
        return sequences[type].flatMap { $0 > position ? $0 : nil }
    }
}

extension HealthEngine {
    /// The registrations of applications for background delivery.
    package var backgroundDelivery: BackgroundDeliveryStore { BackgroundDeliveryStore(engine: self) }
}
