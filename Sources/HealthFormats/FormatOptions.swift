public import Foundation
public import HealthEngine

/// What of a store is written, and how dates are told.
public struct FormatOptions: Sendable {
    /// The samples and objects wanted.
    public var selection: ContentsSelection
    /// The zone dates are told in.
    public var timeZone: TimeZone
    /// Whether what is at the target may be replaced.
    public var replaces: Bool

    /// Makes options; everything, in this machine's zone, and nothing replaced unless told otherwise.
    public init(selection: ContentsSelection = .init(), timeZone: TimeZone = .current, replaces: Bool = false) {
        self.selection = selection
        self.timeZone = timeZone
        self.replaces = replaces
    }
}
