package import AppleHealthExport
package import HealthEngine

/// Imports whatever `hk import`, the server and the page are given, which is recognized by its content.
package enum FileImport {
    /// Imports files of devices, else an archive of Apple's Health app, into a store that is opened when they were found.
    ///
    /// - Throws: ``ImportError``; ``InterruptedImport``; errors of the engine.
    package static func run(
        path: String, options: ImportOptions, isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil, opening: () throws -> HealthEngine
    ) throws -> ImportReport {
        try DeviceImporter.run(
            path: path, options: options, isInterrupted: isInterrupted, progress: progress, opening: opening)
            ?? ArchiveImporter.run(
                path: path, options: options, isInterrupted: isInterrupted, progress: progress, opening: opening)
    }
}
