public import Foundation
public import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import HealthImport
import HealthStorageFiles

/// Writes the contents of a store as an Apple Health archive, in the layout of an iPhone's export: the counterpart
/// of ``ArchiveImporter``. Importing the archive into an empty store gives the same samples and objects.
///
/// The archive is a snapshot: writes to the store during an export are not in it and do not wait for it. It is
/// written under a temporary name beside the target and renamed when it is complete. Memory use does not depend on
/// the size of the store; pages are read and formatted on all cores. You can use an exporter from any thread, and
/// several at once.
///
/// A supplement beside the main file holds what Apple's format cannot: fractions of a second, bundle identifiers, the
/// product and system of sources, UUIDs, the samples of a workout, and objects of many classes; see
/// ``ExportOptions/writesSupplement``. Without it, fractions are truncated and the rest is left out.
public struct ArchiveExporter: Sendable {
    private let engine: HealthEngine
    private let options: ExportOptions

    /// Creates an exporter for the engine's store.
    public init(engine: HealthEngine, options: ExportOptions) {
        self.engine = engine
        self.options = options
    }

    /// Writes the archive and returns when it is on disk under its final name.
    ///
    /// - Parameter progress: Called on the calling thread, about once per megabyte.
    /// - Throws: ``ExportError`` if the target exists or cannot be written, the engine's errors if the store cannot be
    ///   read. The target is then unchanged.
    public func run(
        to target: ExportTarget, progress: (@Sendable (ExportProgress) -> Void)? = nil
    ) throws -> ExportReport {
        let began = ContinuousClock.now
        var output: (any ArchiveOutput)?
        var report: ExportReport
        do {
            let opened = try target.open(options)
            output = opened
            report = try engine.readContents { contents in
                let run = try ExportRun(contents: contents, options: options, output: opened, progress: progress)
                try run.write()
                return run.report
            }
            report.bytes = try opened.finish()
        } catch {
            output?.abandon()
            switch error {
            case let error as TargetError: throw ExportError(error)
            // These name the temporary path.
            case is ZipError, is ExportError:
                let kind = (error as? ExportError)?.kind ?? .unwritable
                throw ExportError(kind, output?.named("\(error)") ?? "\(error)")
            default: throw error
            }
        }
        let seconds = (ContinuousClock.now - began).components
        report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return report
    }
}

/// The location and form of an archive to write.
public enum ExportTarget: Hashable, Sendable {
    /// A zip file like an iPhone's: `apple_health_export/export.xml` first, then the other files.
    case zip(path: String)
    /// A folder that contains `apple_health_export` with the same files as a zip file.
    case folder(path: String)
    /// The main file alone.
    case xml(path: String)
    /// The main file alone, to standard output.
    case standardOutput

    /// Creates the target for a path: `-` is standard output, a name ending in `.zip` or `.xml` is a file, any other
    /// path a folder.
    public init(path: String) {
        let name = path.lowercased()
        if path == "-" {
            self = .standardOutput
        } else if name.hasSuffix(".zip") {
            self = .zip(path: path)
        } else if name.hasSuffix(".xml") {
            self = .xml(path: path)
        } else {
            self = .folder(path: path)
        }
    }

    /// The path; `-` for standard output.
    public var path: String {
        switch self {
        case .zip(let path), .folder(let path), .xml(let path): path
        case .standardOutput: "-"
        }
    }
}

/// Options for writing an archive. The same store and options give the same bytes.
public struct ExportOptions: Sendable {
    /// The samples and objects to write.
    public var selection: ContentsSelection
    /// The export date in the archive. The current time is not used anywhere.
    public var exportDate: Date
    /// The time zone whose offset at ``exportDate`` is used for all dates in the archive. Apple also writes a single
    /// offset, so that the clock time of the other half of the year differs by an hour while instants are exact.
    public var timeZone: TimeZone
    /// Whether an earlier export at the target is replaced. Nothing else is ever replaced.
    public var replacesTarget: Bool
    /// Whether a file `supplement.ndjson` beside the main file holds what Apple's format cannot: exact instants, bundle
    /// identifiers, UUIDs, and further objects. Other programs ignore it. It is not written if it would be empty, or if
    /// the target is a single XML file.
    public var writesSupplement: Bool

    /// Creates options; by default everything is written, in the current time zone, without replacing the target.
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
