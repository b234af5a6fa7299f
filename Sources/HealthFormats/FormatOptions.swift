public import Foundation
public import HealthEngine
package import HealthModel

/// The contents to export, and the time zone of dates.
public struct FormatOptions: Sendable {
    /// The samples and objects to export.
    public var selection: ContentsSelection
    /// The time zone of dates.
    public var timeZone: TimeZone
    /// Whether to replace an earlier export. Nothing else is ever replaced.
    public var replaces: Bool

    /// Creates options. By default, everything is exported in the system's time zone, and nothing is replaced.
    public init(selection: ContentsSelection = .init(), timeZone: TimeZone = .current, replaces: Bool = false) {
        self.selection = selection
        self.timeZone = timeZone
        self.replaces = replaces
    }
}

extension ContentsSelection {
    /// The condition for samples of the selected types.
    package var filter: SampleFilter {
        let bounds: [SampleFilter] = [
            since.map { .start(.greaterThanOrEqual, $0) }, until.map { .start(.lessThan, $0) },
        ].compactMap { $0 }
        return bounds.isEmpty ? .all : .and(bounds)
    }
}

/// The result of an export.
public struct FormatReport: Hashable, Sendable {
    /// The number of rows, lines or resources by kind.
    public package(set) var counts: [String: Int] = [:]
    /// The number of samples and objects by kind that the format can't represent.
    public package(set) var leftOut: [String: Int] = [:]
    /// The number of files.
    public package(set) var files = 0

    package init(files: Int = 0) { self.files = files }

    /// The total number of rows, lines or resources.
    public var total: Int { counts.values.reduce(0, +) }

    package mutating func add(_ kind: String, _ count: Int = 1) {
        counts[kind, default: 0] += count
    }

    package mutating func leaveOut(_ kind: String, _ count: Int) {
        if count > 0 { leftOut[kind, default: 0] += count }
    }
}

/// An error in writing the target of an export.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the error, with the path.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
