package import Foundation

/// The background deliveries of one application: the types it registered for, the position up to which it acknowledged
/// each, and the deliveries that are on their way.
///
/// A state machine over stored values, without a clock or I/O of its own: instants are passed in, in seconds since
/// 2001. Storing the value after every step makes a restart between any two steps harmless.
package struct BackgroundApplication: Hashable, Sendable, Codable {
    /// The registration for one type.
    package struct Registration: Hashable, Sendable, Codable {
        /// How often the type is delivered at most.
        package var frequency: DeliveryFrequency
        /// The last sequence number that the application acknowledged.
        package var acknowledged: Int64
        /// When the latest delivery of the type began; `nil` if there was none. Retries don't count.
        package var lastDelivered: Double?
        /// Whether the type isn't delivered until it is resumed or registered again.
        package var isSuspended = false
        /// The last sequence number of the store when the type was registered: what was delivered up to there was for a
        /// previous registration.
        var since: Int64?
    }

    /// A delivery that hasn't been acknowledged. Its retries have the same types and positions.
    package struct Delivery: Hashable, Sendable, Codable {
        /// Identifies the delivery, in all of its attempts.
        package var id: UUID
        /// The types that are not acknowledged, by identifier, each with the sequence number it is delivered up to.
        package var types: [String: Int64]
        /// The number of attempts that failed.
        package var misses = 0
        /// When the attempt in flight fails unless it is acknowledged; `nil` between attempts.
        package var deadline: Double?
        /// The earliest time of the next attempt; `nil` during an attempt.
        package var nextAttempt: Double?
        /// The time limit of the latest attempt, in seconds.
        package var timeLimit: Double
        /// The event of an alert; a delivery of one has no types.
        package var alert: AlertEvent?

        /// The number of the attempt in flight, or of the next one, from 1.
        package var attempt: Int { misses &+ 1 }
    }

    /// Registrations by type identifier.
    package internal(set) var registrations: [String: Registration] = [:]
    /// The deliveries that haven't been acknowledged; one at most is in flight.
    package internal(set) var deliveries: [Delivery] = []
    /// How the application is reached while it doesn't run; `nil` if it isn't.
    package internal(set) var target: DeliveryTarget?
    /// The last attempts, the newest last.
    private var log: [LoggedAttempt]?
    /// `nil` if there are none, so that they take no room in the stored document.
    private var storedAlerts: [HealthAlert]?
    private var holdsAlerts: Bool?

    /// The alerts that the person wants reported through the webhook.
    package internal(set) var alerts: [HealthAlert] {
        get { storedAlerts ?? [] }
        set { storedAlerts = newValue.isEmpty ? nil : newValue }
    }

    /// Whether alerts are not told until all types are resumed.
    package var areAlertsSuspended: Bool { holdsAlerts ?? false }

    /// An attempt that has ended. It contains nothing about data, not even types.
    package struct LoggedAttempt: Hashable, Sendable, Codable {
        /// The delivery; of a test event, its own identifier.
        package var delivery: UUID
        /// The number of the attempt; 0 for a test event.
        package var attempt: Int
        /// When it ended.
        package var date: Double
        package var isAcknowledged: Bool
        /// Why it failed, a sentence without a period.
        package var reason: String?

        /// Creates an entry.
        package init(delivery: UUID, attempt: Int, date: Double, isAcknowledged: Bool, reason: String?) {
            (self.delivery, self.attempt, self.date) = (delivery, attempt, date)
            (self.isAcknowledged, self.reason) = (isAcknowledged, reason)
        }
    }

    /// The attempts that are kept.
    private static let longestLog = 100

    /// The last attempts, the oldest first.
    package var attempts: [LoggedAttempt] { log ?? [] }

    mutating func record(_ attempt: LoggedAttempt) { log = attempts.suffix(Self.longestLog - 1) + [attempt] }

    /// Records the end of an attempt of a delivery, if it is known.
    mutating func record(_ id: UUID, now: Double, isAcknowledged: Bool, reason: String?) {
        guard let delivery = deliveries.first(where: { $0.id == id && $0.deadline != nil }) else { return }
        record(
            LoggedAttempt(
                delivery: id, attempt: delivery.attempt, date: now, isAcknowledged: isAcknowledged, reason: reason))
    }

    init() {}

    var isEmpty: Bool { registrations.isEmpty && target == nil }

    /// The delivery in flight.
    package var inFlight: Delivery? { deliveries.first { $0.deadline != nil } }

    /// The state of a delivery that began.
    package enum DeliveryState: Hashable, Sendable {
        /// It is in flight or will be attempted again.
        case open
        /// The application has handled all of it.
        case acknowledged
        /// Its types were suspended or unregistered before that.
        case withdrawn
    }

    /// Returns the state of a delivery, given as it was when an attempt began.
    package func state(of delivery: Delivery) -> DeliveryState {
        if deliveries.contains(where: { $0.id == delivery.id }) { return .open }
        if let event = delivery.alert {
            return alerts.contains { $0.request.alert == event.alert } ? .acknowledged : .withdrawn
        }
        let isAcknowledged = delivery.types.allSatisfy { type, position in
            registrations[type].map { $0.acknowledged >= position && $0.since ?? .min < position } ?? false
        }
        return isAcknowledged ? .acknowledged : .withdrawn
    }

    /// The delivery that contains a type.
    package func delivery(of identifier: String) -> Delivery? {
        deliveries.first { $0.types[identifier] != nil }
    }

    /// The time before which a change of a type doesn't begin a delivery, because of its frequency; `nil` if there is
    /// none.
    package func earliestDelivery(of identifier: String) -> Double? {
        registrations[identifier].flatMap { registration in
            registration.lastDelivered.map { $0 + registration.frequency.interval }
        }
    }

    // MARK: Registration

    /// Registers a type, or changes its frequency; in either case a suspension ends. Changes up to `position` are not
    /// delivered for a new registration.
    mutating func register(_ identifier: String, _ frequency: DeliveryFrequency, position: Int64) {
        var registration =
            registrations[identifier] ?? Registration(frequency: frequency, acknowledged: position, since: position)
        registration.frequency = frequency
        registration.isSuspended = false
        registrations[identifier] = registration
    }

    /// Removes the registration for a type; its deliveries end.
    mutating func unregister(_ identifier: String) {
        registrations[identifier] = nil
        settle { type, _ in type == identifier }
    }

    /// Suspends or resumes alerts; what they find later is reported after that.
    mutating func setAlertsSuspended(_ isSuspended: Bool) { holdsAlerts = isSuspended ? true : nil }

    /// Suspends or resumes types; what was on its way is delivered again when they are resumed.
    mutating func setSuspended(_ isSuspended: Bool, of identifiers: some Sequence<String>) {
        for identifier in identifiers where registrations[identifier] != nil {
            registrations[identifier]?.isSuspended = isSuspended
            if isSuspended { settle { type, _ in type == identifier } }
        }
    }

    // MARK: Delivery

    /// Begins what is due: the retry of a delivery, or a new one of all types that are due together.
    ///
    /// A type is due if it changed after the acknowledged position, isn't suspended or on its way, and its interval has
    /// passed since its last delivery. There is one attempt at a time; one whose time has run out fails first. A type
    /// that could have been in a new delivery and hasn't changed has nothing to acknowledge up to `position`, so that
    /// changes need not be looked for again.
    ///
    /// - Parameters:
    ///   - position: The last sequence number of the store, up to which a new delivery goes.
    ///   - isHeldBack: Whether a type isn't to be delivered now, nor a delivery that contains it.
    ///   - advances: Whether the positions of types that haven't changed move even if nothing is due, asked after
    ///     `hasChanged`.
    ///   - hasChanged: Whether a type changed after a sequence number; `nil` if the application must not know.
    /// - Returns: the delivery whose attempt begins, if any, and the one whose attempt failed, if any.
    mutating func step(
        now: Double, position: Int64, timeLimit: Double, makeID: () -> UUID = { UUID() },
        isHeldBack: (String) -> Bool = { _ in false }, advances: () -> Bool = { false },
        hasChanged: (String, Int64) throws -> Bool?
    ) rethrows -> (begun: Delivery?, expired: Delivery?) {
        adoptClock(now)
        // A store that was replaced by an older copy of itself numbers its next changes again.
        for (identifier, registration) in registrations where registration.acknowledged > position {
            registrations[identifier]?.acknowledged = position
            registrations[identifier]?.since = nil
        }
        var expired: Delivery?
        if let flying = inFlight {
            guard let deadline = flying.deadline, deadline <= now else { return (nil, nil) }
            expired = flying
            record(flying.id, now: now, isAcknowledged: false, reason: "It wasn’t acknowledged in time")
            miss(flying.id, now: now)
        }
        guard target != nil else { return (nil, expired) }
        let due = deliveries.indices.filter { index in
            (deliveries[index].nextAttempt ?? .infinity) <= now
                && !deliveries[index].types.keys.contains(where: isHeldBack)
                && !(deliveries[index].alert != nil && areAlertsSuspended)
        }
        if let index = due.min(by: { (deliveries[$0].nextAttempt ?? 0) < (deliveries[$1].nextAttempt ?? 0) }) {
            deliveries[index].nextAttempt = nil
            deliveries[index].timeLimit = timeLimit
            deliveries[index].deadline = now + timeLimit
            return (deliveries[index], expired)
        }
        var types: [String: Int64] = [:]
        var unchanged: [String] = []
        for (identifier, registration) in registrations
        where isOpen(identifier, registration, now: now) && !isHeldBack(identifier) {
            switch try hasChanged(identifier, registration.acknowledged) {
            case true?: types[identifier] = position
            case false?: unchanged.append(identifier)
            case nil: break
            }
        }
        if !types.isEmpty || advances() {
            for identifier in unchanged { registrations[identifier]?.acknowledged = position }
        }
        guard !types.isEmpty else { return (nil, expired) }
        for identifier in types.keys { registrations[identifier]?.lastDelivered = now }
        let delivery = Delivery(id: makeID(), types: types, deadline: now + timeLimit, timeLimit: timeLimit)
        deliveries.append(delivery)
        return (delivery, expired)
    }

    /// Whether a change of the type would begin a delivery now.
    private func isOpen(_ identifier: String, _ registration: Registration, now: Double) -> Bool {
        guard !registration.isSuspended, delivery(of: identifier) == nil else { return false }
        return now >= earliestDelivery(of: identifier) ?? now
    }

    /// Records that the application has handled changes of types up to a sequence number each.
    mutating func acknowledge(_ positions: [String: Int64]) {
        for (identifier, position) in positions {
            guard let known = registrations[identifier]?.acknowledged, known < position else { continue }
            registrations[identifier]?.acknowledged = position
        }
        settle { type, through in (positions[type] ?? .min) >= through }
    }

    /// Records that a delivery was acknowledged as a whole. Without effect if it is unknown.
    mutating func acknowledge(_ id: UUID) {
        guard let delivery = deliveries.first(where: { $0.id == id }) else { return }
        deliveries.removeAll { $0.id == id && $0.alert != nil }
        acknowledge(delivery.types)
    }

    /// Records that the attempt in flight failed: it is retried later or, after the third time, its types or the alerts
    /// are suspended. Without effect if the delivery isn't in flight.
    mutating func miss(_ id: UUID, now: Double) {
        guard let index = deliveries.firstIndex(where: { $0.id == id && $0.deadline != nil }) else { return }
        deliveries[index].misses &+= 1
        deliveries[index].deadline = nil
        guard let delay = Self.retryDelay(after: deliveries[index].misses) else {
            let types = Array(deliveries[index].types.keys)
            // Nothing was delivered, so that a type that is resumed is due at once.
            for identifier in types { registrations[identifier]?.lastDelivered = nil }
            if deliveries[index].alert != nil {
                (deliveries[index].misses, deliveries[index].nextAttempt) = (0, now)
                setAlertsSuspended(true)
            }
            setSuspended(true, of: types)
            return
        }
        deliveries[index].nextAttempt = now + delay
    }

    /// Ends the attempt in flight without counting it, as when the process that made it ended. It is due again
    /// immediately.
    mutating func interrupt(_ id: UUID, now: Double) {
        guard let index = deliveries.firstIndex(where: { $0.id == id && $0.deadline != nil }) else { return }
        deliveries[index].deadline = nil
        deliveries[index].nextAttempt = now
    }

    /// Seconds between a failed attempt and the next one; `nil` after the last. Apple documents three attempts with
    /// growing delays, but not the delays.
    static func retryDelay(after misses: Int) -> Double? {
        switch misses {
        case ..<1: 0
        case 1: 60
        case 2: 1_800
        default: nil
        }
    }

    /// The next instant at which time alone can make something due; `nil` if only a change can.
    func nextInstant(after now: Double) -> Double? {
        guard target != nil else { return nil }
        if let deadline = inFlight?.deadline { return deadline }
        let intervals = registrations.compactMap { identifier, registration -> Double? in
            guard !registration.isSuspended, delivery(of: identifier) == nil else { return nil }
            return earliestDelivery(of: identifier)
        }
        // What is due already and was held back isn't made due by time.
        return (intervals + deliveries.compactMap(\.nextAttempt)).filter { $0 > now }.min()
    }

    /// Removes types from deliveries, and deliveries that nothing is left of.
    private mutating func settle(_ isSettled: (String, Int64) -> Bool) {
        for index in deliveries.indices {
            deliveries[index].types = deliveries[index].types.filter { !isSettled($0.key, $0.value) }
        }
        deliveries.removeAll { $0.types.isEmpty && $0.alert == nil }
    }

    /// If the clock was set back, moves instants that can't be reached in time: nothing waits longer than it would have
    /// from now on.
    private mutating func adoptClock(_ now: Double) {
        for (identifier, registration) in registrations where (registration.lastDelivered ?? now) > now {
            registrations[identifier]?.lastDelivered = now
        }
        for index in deliveries.indices {
            let delivery = deliveries[index]
            if let deadline = delivery.deadline { deliveries[index].deadline = min(deadline, now + delivery.timeLimit) }
            if let next = delivery.nextAttempt {
                deliveries[index].nextAttempt = min(next, now + (Self.retryDelay(after: delivery.misses) ?? 0))
            }
        }
    }
}

/// How often a type is delivered in the background at most. Raw values are those of the original.
package enum DeliveryFrequency: Int, Hashable, Sendable, Codable, CaseIterable {
    /// After every change.
    case immediate = 1
    /// Once an hour.
    case hourly = 2
    /// Once a day.
    case daily = 3
    /// Once a week.
    case weekly = 4

    /// The minimum number of seconds between two deliveries.
    package var interval: Double {
        switch self {
        case .immediate: 0
        case .hourly: 3_600
        case .daily: 86_400
        case .weekly: 604_800
        }
    }
}

/// How an application is reached while it doesn't run.
package enum DeliveryTarget: Hashable, Sendable, Codable {
    /// A program to start: the path of its executable and its arguments.
    case program(path: String, arguments: [String])
    /// A URL to call. The key that signs calls is in a file, which the store doesn't contain.
    case webhook(url: String, secretFile: String, options: WebhookOptions? = nil)
}

/// How a webhook is called.
package struct WebhookOptions: Hashable, Sendable, Codable {
    /// Whether calls have the samples that changed.
    package var includesSamples: Bool
    /// Whether the owner allows an address of this machine or its own network.
    package var allowsPrivateAddresses: Bool
    /// The keys of a browser that shows alerts, at the URL of its push service; `nil` for a webhook.
    package var browser: BrowserKeys?
    /// The person of the server whom notifications are about, as several may share a browser; `nil` for a webhook.
    package var person: String?

    /// Creates options.
    package init(
        includesSamples: Bool = false, allowsPrivateAddresses: Bool = false, browser: BrowserKeys? = nil,
        person: String? = nil
    ) {
        self.includesSamples = includesSamples
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.browser = browser
        self.person = person
    }
}

/// The keys to which messages to a browser are encrypted.
package struct BrowserKeys: Hashable, Sendable, Codable {
    /// The browser's public key, a point of P-256 without compression: 65 bytes.
    package let publicKey: Data
    /// The secret of the browser and the server: 16 bytes.
    package let secret: Data

    /// Creates keys, which nothing has checked.
    package init(publicKey: Data, secret: Data) { (self.publicKey, self.secret) = (publicKey, secret) }
}
