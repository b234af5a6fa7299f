public import Foundation

extension NSNotification.Name {
    /// Posted by each store when the person's preferred units change; the object is the store.
    public static let HKUserPreferencesDidChange: NSNotification.Name = NSNotification.Name(
        "HKUserPreferencesDidChangeNotification")
}

extension HKHealthStore {
    /// The typed form of the notification `HKUserPreferencesDidChange`: the person's preferred units changed.
    ///
    /// It is delivered on the main actor. The subject is the store that posts it.
    ///
    /// ```swift
    /// let token = NotificationCenter.default.addObserver(of: store, for: .userPreferencesDidChange) { _ in
    ///     reloadUnits()
    /// }
    /// ```
    ///
    /// Foundation on Linux doesn't convert notifications to messages, so a store posts both.
    public struct HKUserPreferencesDidChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        /// The type that observers observe.
        public typealias Subject = HKHealthStore

        /// The name of the notification.
        public static var name: Notification.Name { .HKUserPreferencesDidChange }

        /// Creates the message.
        public init() {}

        /// Returns the message of a notification; `nil` for a notification of another name.
        @MainActor public static func makeMessage(_ notification: Notification) -> HKUserPreferencesDidChangeMessage? {
            notification.name == name ? HKUserPreferencesDidChangeMessage() : nil
        }

        /// Returns the notification of a message.
        @MainActor public static func makeNotification(_ message: HKUserPreferencesDidChangeMessage) -> Notification {
            Notification(name: name)
        }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<HKHealthStore.HKUserPreferencesDidChangeMessage> {
    /// The person's preferred units changed.
    public static var userPreferencesDidChange:
        NotificationCenter.BaseMessageIdentifier<HKHealthStore.HKUserPreferencesDidChangeMessage>
    { .init() }
}
