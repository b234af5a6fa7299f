package import AppleHealthExport
package import HealthEngine

/// Imports whatever `hk import`, the server and the page are given, which is recognized by its content.
package enum FileImport {
    /// Imports files of devices and services, else an archive of Apple's Health app, into a store that is opened when they
    /// were found.
    ///
    /// - Throws: ``ImportError``; ``InterruptedImport``; errors of the engine.
    package static func run(
        path: String, options: ImportOptions, isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil, opening: () throws -> HealthEngine
    ) throws -> ImportReport {
        if let report = try DeviceImporter.run(
            path: path, options: options, isInterrupted: isInterrupted, progress: progress, opening: opening)
        {
            return report
        }
        do {
            return try ArchiveImporter.run(
                path: path, options: options, isInterrupted: isInterrupted, progress: progress, opening: opening)
        } catch let error as ImportError where error.kind == .notAnExport && path.lowercased().hasSuffix(".csv") {
            throw ImportError(
                .notAnExport,
                "“\(path)” is a CSV file whose columns are unknown. Say what they are in a mapping, with --columns.")
        }
    }
}
