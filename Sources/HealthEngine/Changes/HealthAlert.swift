import Foundation

/// A request of the person for something to be reported through the webhook of an application.
package struct AlertRequest: Hashable, Sendable, Codable {
    /// The condition under which an alert is reported.
    package enum Condition: String, Hashable, Sendable, Codable, CaseIterable {
        /// A sample of a type is above a limit, after one that wasn't.
        case above
        /// A sample of a type is below a limit, after one that wasn't.
        case below
        /// A measure stands out that didn't before.
        case highlight
        /// A source has had no sample for a number of hours.
        case silence
    }

    /// The name, which identifies the alert among those of its application.
    package var alert: String
    /// The condition.
    package var condition: Condition
    /// The type that has a limit.
    package var type: String?
    /// The limit, in ``unit``.
    package var limit: Double?
    /// The unit of ``limit``.
    package var unit: String?
    /// The bundle identifier of the source that may not be silent.
    package var source: String?
    /// The hours that it may not be silent.
    package var hours: Double?

    /// Creates a request, which nothing has checked.
    package init(
        alert: String, condition: Condition, type: String? = nil, limit: Double? = nil, unit: String? = nil,
        source: String? = nil, hours: Double? = nil
    ) {
        (self.alert, self.condition, self.type) = (alert, condition, type)
        (self.limit, self.unit, self.source, self.hours) = (limit, unit, source, hours)
    }
}

/// An alert, and what has been looked at so far.
package struct HealthAlert: Hashable, Sendable, Codable {
    /// The person's request, with the identifier of the type and HealthKit's unit.
    package let request: AlertRequest
    /// When it was made, in seconds since 2001: samples that begin before are not told.
    package let created: Double
    /// The start of the newest sample looked at, or the latest end of one of the source, in seconds since 2001.
    package var latest: Double
    /// The last sequence number looked at.
    package var position: Int64
    /// Whether the limit is crossed or the source silent, so that it isn't reported again.
    package var isRaised = false
    /// The measures that stand out; `nil` before they were looked at.
    package var standing: Set<String>?

    /// Creates an alert that has looked at nothing.
    package init(_ request: AlertRequest, created: Double, position: Int64) {
        (self.request, self.created, latest, self.position) = (request, created, created, position)
    }
}

/// An event that an alert reports, once.
package struct AlertEvent: Hashable, Sendable, Codable {
    /// The alert's name.
    package let alert: String
    /// The type of the value, or of the measure that stands out.
    package let type: String?
    /// When the sample began, in seconds since 2001.
    package let date: Double?
    /// The value, in the unit of the alert.
    package let value: Double?
    /// Whether a measure is `higher` or `lower` than usual.
    package let direction: String?

    /// Creates an event.
    package init(
        alert: String, type: String? = nil, date: Double? = nil, value: Double? = nil, direction: String? = nil
    ) {
        (self.alert, self.type, self.date, self.value, self.direction) = (alert, type, date, value, direction)
    }
}

extension BackgroundApplication {
    /// Removes an alert; what it hasn't told ends.
    mutating func removeAlert(_ name: String) {
        alerts.removeAll { $0.request.alert == name }
        deliveries.removeAll { $0.alert?.alert == name }
    }
}

extension BackgroundDeliveryStore {
    /// Adds an alert of an application, or replaces the one of its name.
    package func setAlert(_ alert: HealthAlert, of bundleIdentifier: String) throws {
        try update(bundleIdentifier) { application, _ in
            application.removeAlert(alert.request.alert)
            application.alerts.append(alert)
        }
    }

    /// Removes an alert.
    ///
    /// - Returns: Whether there was one.
    package func removeAlert(_ name: String, of bundleIdentifier: String) throws -> Bool {
        guard try application(bundleIdentifier)?.alerts.contains(where: { $0.request.alert == name }) == true else {
            return false
        }
        try update(bundleIdentifier) { application, _ in application.removeAlert(name) }
        return true
    }

    /// Records what an alert has looked at, and begins deliveries of what it tells; without effect if it was changed
    /// meanwhile.
    package func tell(
        _ events: [AlertEvent], _ alert: HealthAlert, instead before: HealthAlert, of bundleIdentifier: String
    ) throws {
        let now = engine.configuration.now()
        try change(bundleIdentifier) { application, _ in
            guard let index = application.alerts.firstIndex(of: before) else { return }
            application.alerts[index] = alert
            application.deliveries += events.map {
                .init(id: UUID(), types: [:], nextAttempt: now, timeLimit: 0, alert: $0)
            }
        }
    }
}
