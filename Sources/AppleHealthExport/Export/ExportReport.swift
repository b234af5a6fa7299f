import Foundation
import HealthFormats
import HealthModel
import HealthStorageFiles

/// The result of an export. It contains no health values.
public struct ExportReport: Hashable, Sendable {
    /// Samples and objects written, by type identifier. A correlation's members are counted once, as samples.
    public var written: [String: Int] = [:]
    /// Samples and objects that the format cannot hold and that are not in the archive, by type identifier.
    public var leftOut: [String: Int] = [:]
    /// Samples and objects that only the supplement holds, by type identifier.
    public var supplemented: [String: Int] = [:]
    /// Samples and objects in the main file that the supplement completes, by type identifier: with UUID, exact
    /// instants, source and device, types of metadata, and members.
    public var completed: [String: Int] = [:]
    /// Whether a supplement was written.
    public var hasSupplement = false
    /// Counts of what could not be written exactly, by description.
    public var irregularities: [String: Int] = [:]
    /// The number of files written beside the main file.
    public var auxiliaryFiles = 0
    /// The length of the main file in bytes.
    public var xmlBytes = 0
    /// The total number of bytes written: the length of the zip file, or of all files together.
    public var bytes = 0
    /// The duration of the export in seconds.
    public var seconds = 0.0

    /// Creates an empty report.
    public init() {}

    /// The total of ``written``.
    public var writtenCount: Int { written.values.reduce(0, +) }
    /// The total of ``supplemented``.
    public var supplementedCount: Int { supplemented.values.reduce(0, +) }
    /// The total of ``completed``.
    public var completedCount: Int { completed.values.reduce(0, +) }
    /// The total of ``leftOut``.
    public var leftOutCount: Int { leftOut.values.reduce(0, +) }
}

/// The progress of an export.
public struct ExportProgress: Hashable, Sendable {
    /// The number of samples and objects written so far.
    public var written: Int
    /// The approximate number of samples and objects to write; a selection by time may exclude some of them.
    public var total: Int
    /// The number of bytes of the main file so far.
    public var bytes: Int
}

/// An error that ended an export. The description is one sentence and contains no health values.
public struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Kind: Hashable, Sendable {
        /// The target already exists, and isn't an earlier export or may not be replaced.
        case targetExists
        /// The target cannot be written.
        case unwritable
    }

    /// The kind of error.
    public var kind: Kind
    public var description: String

    /// Creates an error.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    init(_ error: TargetError) {
        self.init(error.isTaken ? .targetExists : .unwritable, error.description)
    }

    static func writing(_ path: String, errno code: Int32) -> ExportError {
        ExportError(TargetError.writing(path, errno: code))
    }
}

/// The counts of a part of an export.
struct ExportTally {
    /// Samples and objects written, by type.
    var written: [TypeCode: Int] = [:]
    /// Samples and objects left out because the format cannot hold them, by type.
    var leftOut: [TypeCode: Int] = [:]
    /// Samples and objects that only the supplement holds, by type.
    var supplemented: [TypeCode: Int] = [:]
    /// Samples and objects in the main file that the supplement completes, by type.
    var completed: [TypeCode: Int] = [:]
    /// Counts of what could not be written exactly, by description.
    var irregularities: [String: Int] = [:]

    mutating func report(_ text: String, count: Int = 1) {
        if count > 0 { irregularities[text, default: 0] += count }
    }

    mutating func add(_ other: ExportTally) {
        written.merge(other.written, uniquingKeysWith: +)
        leftOut.merge(other.leftOut, uniquingKeysWith: +)
        supplemented.merge(other.supplemented, uniquingKeysWith: +)
        completed.merge(other.completed, uniquingKeysWith: +)
        irregularities.merge(other.irregularities, uniquingKeysWith: +)
    }
}
