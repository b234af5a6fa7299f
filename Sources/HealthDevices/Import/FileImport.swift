package import AppleHealthExport
package import HealthEngine

/// Imports whatever `hk import`, the server and the page are given, which is recognized by its content.
package enum FileImport {
    /// Imports files of devices and services, else an archive of Apple's Health app, into a store that is opened when they
    /// were found. Adds the import to the store's history.
    ///
    /// - Parameter name: The file's own name, by which some files are recognized; by default the last part of the path.
    /// - Throws: ``ImportError``; ``InterruptedImport``; errors of the engine.
    package static func run(
        path: String, name: String? = nil, options: ImportOptions,
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil, opening: () throws -> HealthEngine
    ) throws -> ImportReport {
        var opened: HealthEngine?
        func open() throws -> HealthEngine {
            let engine = try opening()
            opened = engine
            return engine
        }
        let report =
            try DeviceImporter.run(
                path: path, name: name, options: options, isInterrupted: isInterrupted, progress: progress,
                opening: open)
            ?? ArchiveImporter.run(
                path: path, options: options, isInterrupted: isInterrupted, progress: progress, opening: open)
        if let opened {
            try opened.imports.add(
                ImportRecord(
                    date: opened.configuration.now(), file: name ?? ImportRecord.name(ofPath: path), report: report))
        }
        return report
    }
}
