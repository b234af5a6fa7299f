/// Three numbers of an operating system's version.
public struct OperatingSystemVersionRecord: Hashable, Sendable, Codable {
    /// The first number: 17 in 17.4.1.
    public var major: Int
    /// The second number: 4 in 17.4.1.
    public var minor: Int
    /// The third number: 1 in 17.4.1.
    public var patch: Int

    /// Makes a version; 0.0.0 stands for an unknown one.
    public init(major: Int = 0, minor: Int = 0, patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }
}
