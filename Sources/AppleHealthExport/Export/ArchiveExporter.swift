import Foundation
public import HealthEngine
import HealthModel

/// Writes what a store holds as an Apple Health archive, in the telephone's own layout: the twin of
/// ``ArchiveImporter``. An import of the archive into an empty store gives the same samples and objects.
///
/// The archive is of one moment: what is written to the store meanwhile is not in it, and does not wait.
/// It grows beside the target and takes its name when it is complete. Memory holds a few thousand records,
/// whatever the size; pages are read and printed on all cores. May be used from any thread, several at once.
///
/// What the format cannot say (fractions of a second, bundle identifiers, the products and systems of sources,
/// identities, which samples belong to a workout, and objects of many classes) is told in a supplement beside
/// the main file; see ``ExportOptions/writesSupplement``. Without it, fractions are cut off and the rest is not
/// there.
public struct ArchiveExporter: Sendable {
    private let engine: HealthEngine
    private let options: ExportOptions

    /// Makes an exporter of the engine's store.
    public init(engine: HealthEngine, options: ExportOptions) {
        self.engine = engine
        self.options = options
    }

    /// Writes the archive and returns when it is durable and in its place.
    ///
    /// - Parameter progress: Called on the calling thread, about once a megabyte.
    /// - Throws: ``ExportError`` for a target that cannot be written or is there already, the engine's errors
    ///   for a store that cannot be read. Nothing is left at the target then that was not there before.
    public func run(
        to target: ExportTarget, progress: (@Sendable (ExportProgress) -> Void)? = nil
    ) throws -> ExportReport {
        let began = ContinuousClock.now
        let output = try target.open(options)
        var report: ExportReport
        do {
            report = try engine.readContents { contents in
                let run = try ExportRun(contents: contents, options: options, output: output, progress: progress)
                try run.write()
                return run.report
            }
            report.bytes = try output.finish()
        } catch {
            output.abandon()
            throw error
        }
        let seconds = (ContinuousClock.now - began).components
        report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return report
    }
}
