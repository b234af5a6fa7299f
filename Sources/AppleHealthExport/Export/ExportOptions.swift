public import Foundation
public import HealthEngine

/// How an archive is written. The same store and options give the same bytes.
public struct ExportOptions: Sendable {
    /// What of the store goes out.
    public var selection: ContentsSelection
    /// The instant the archive says it was made at; time is not asked for anywhere else.
    public var exportDate: Date
    /// The zone whose offset at ``exportDate`` all dates of the archive are written with. Apple writes one
    /// offset as well, summer or winter: instants stay right, the clock of the other half of the year is an
    /// hour off.
    public var timeZone: TimeZone
    /// Whether what stands at the target may be replaced.
    public var replacesTarget: Bool
    /// Whether what the format cannot say is told in a file of its own, `supplement.ndjson`, beside the main
    /// file: exact instants, bundle identifiers and identities, objects the format has no place for. Other
    /// programs pass over it; there is none where it would say nothing, and none beside a bare main file.
    public var writesSupplement: Bool

    /// Asks for everything, in the process's time zone, at a target where nothing is yet, unless told otherwise.
    public init(
        selection: ContentsSelection = .init(), exportDate: Date, timeZone: TimeZone = .current,
        replacesTarget: Bool = false, writesSupplement: Bool = true
    ) {
        self.selection = selection
        self.exportDate = exportDate
        self.timeZone = timeZone
        self.replacesTarget = replacesTarget
        self.writesSupplement = writesSupplement
    }
}
