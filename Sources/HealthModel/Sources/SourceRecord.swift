/// Who wrote a sample: an application or a device, by bundle identifier and shown name.
public struct SourceRecord: Hashable, Sendable, Codable {
    /// What tells sources apart, such as `com.example.tracker`.
    public var bundleIdentifier: String
    /// The name a person sees; it may change while the bundle identifier stays.
    public var name: String

    /// Makes a source.
    public init(bundleIdentifier: String, name: String) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
    }
}
