public import Foundation

extension NSNotification.Name {
    /// Posted by each store when the person's preferred units change; the object is the store.
    public static let HKUserPreferencesDidChange: NSNotification.Name = NSNotification.Name(
        "HKUserPreferencesDidChangeNotification")
}
