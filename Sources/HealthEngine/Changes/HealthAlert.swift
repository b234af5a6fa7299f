import Foundation

/// A request of the person to be told of something through the webhook of an application, and what has been told so
/// far.
package struct HealthAlert: Hashable, Sendable, Codable {
    /// The kind of an alert.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A sample of a type is above a limit, after one that wasn't.
        case above
        /// A sample of a type is below a limit, after one that wasn't.
        case below
        /// A measure stands out that didn't before.
        case highlight
        /// A source has had no sample for a number of hours.
        case silence
    }

    /// Identifies the alert among those of its application.
    package var name: String
    /// The kind.
    package var kind: Kind
    /// The identifier of the type of ``Kind/above`` and ``Kind/below``.
    package var type: String?
    /// The limit, in ``unit``.
    package var limit: Double?
    /// The unit of ``limit``, as HealthKit writes it.
    package var unit: String?
    /// The bundle identifier of the source of ``Kind/silence``.
    package var source: String?
    /// The hours of ``Kind/silence``.
    package var hours: Double?

    /// When it was made, in seconds since 2001: samples that begin before are not told.
    package var created = 0.0
    /// The start of the newest sample looked at, or the latest end of one of the source, in seconds since 2001.
    package var latest = 0.0
    /// The last sequence number looked at.
    package var position: Int64 = 0
    /// Whether the limit is crossed or the source silent, so that it isn't told again.
    package var isRaised = false
    /// What stands out; `nil` before it was looked at.
    package var standing: Set<String>?

    /// Creates an alert that hasn't looked at anything.
    package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// Whether a value, in ``unit``, is beyond the limit.
    package func isBeyond(_ value: Double) -> Bool {
        limit.map { kind == .above ? value > $0 : value < $0 } ?? false
    }
}

/// Something that an alert tells, once.
package struct AlertEvent: Hashable, Sendable, Codable {
    /// The name of the alert.
    package var alert: String
    /// The type of the value, or of the measure that stands out.
    package var type: String?
    /// When the sample began, in seconds since 2001.
    package var date: Double?
    /// The value, in the unit of the alert.
    package var value: Double?
    /// Whether a measure is `higher` or `lower` than usual.
    package var direction: String?

    /// Creates an event.
    package init(
        alert: String, type: String? = nil, date: Double? = nil, value: Double? = nil, direction: String? = nil
    ) {
        (self.alert, self.type, self.date, self.value, self.direction) = (alert, type, date, value, direction)
    }
}

extension BackgroundApplication {
    /// Adds an alert, or replaces the one of its name.
    mutating func setAlert(_ alert: HealthAlert) {
        removeAlert(alert.name)
        alerts.append(alert)
    }

    /// Removes an alert; what it hasn't told ends.
    mutating func removeAlert(_ name: String) {
        alerts.removeAll { $0.name == name }
        deliveries.removeAll { $0.alert?.alert == name }
    }

    /// Records what an alert has looked at, unless it was changed meanwhile, and begins deliveries of what it tells.
    mutating func tell(_ events: [AlertEvent], _ alert: HealthAlert, instead before: HealthAlert, now: Double) {
        guard let index = alerts.firstIndex(of: before) else { return }
        alerts[index] = alert
        deliveries += events.map { Delivery(id: UUID(), types: [:], nextAttempt: now, timeLimit: 0, alert: $0) }
    }
}

extension BackgroundDeliveryStore {
    /// Adds an alert of an application, or replaces the one of its name.
    package func setAlert(_ alert: HealthAlert, of bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, _ in application.setAlert(alert) }
    }

    /// Removes an alert.
    package func removeAlert(_ name: String, of bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, _ in application.removeAlert(name) }
    }

    /// Records what an alert has looked at and is to tell; without effect if it was changed meanwhile.
    package func tell(
        _ events: [AlertEvent], _ alert: HealthAlert, instead before: HealthAlert, of bundleIdentifier: String
    ) throws {
        let now = engine.configuration.now()
        try change(bundleIdentifier) { application, _ in
            application.tell(events, alert, instead: before, now: now)
        }
    }
}
