package import AppleHealthExport
package import HealthDevices
package import HealthEngine
package import HealthFiles

/// Imports whatever `hk import`, the server and the page are given, which is recognized by its content.
package enum FileImport {
    /// Every reader of files. One is added here or to ``FileRegistry/devices(columns:)``.
    ///
    /// - Throws: ``ImportError`` for a mapping that can't be used.
    package static func readers(archive: ArchiveOptions = .init(), columns: [UInt8]? = nil) throws -> [any FileReader] {
        [AppleArchiveReader(archive)] + (try FileRegistry.devices(columns: columns))
            + [AutoExportReader(), ShortcutsFileReader()]
    }

    /// A mapping that is proposed for the columns of the CSV file at a path.
    ///
    /// - Parameter name: The file's own name; by default the last part of the path.
    /// - Throws: ``ImportError``.
    package static func proposal(path: String, name: String? = nil) throws -> ColumnProposal {
        do {
            return try ColumnProposal(InputFile(path: path, name: name))
        } catch let error as FileReadingError {
            throw ImportError(.unreadable, "“\(name ?? path)” has no table: \(error.reason).")
        }
    }

    /// Imports the files at a path, or a file or archive on standard input, into a store that is opened when they were
    /// found. Adds the import to the store's history, also one that fails or is interrupted after it has added
    /// something, which can be undone like others.
    ///
    /// - Parameters:
    ///   - name: The file's own name, by which some files are recognized; by default the last part of the path.
    ///   - columns: The JSON of a column mapping, which says what the columns of CSV files are.
    ///   - failure: Returns the reason that the history has for an error other than an interruption. It is called if
    ///     the import is added to the history, only.
    /// - Throws: ``ImportError``; ``InterruptedImport``; errors of the engine.
    package static func run(
        path: String, name: String? = nil, options: ImportOptions, archive: ArchiveOptions = .init(),
        columns: [UInt8]? = nil,
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil,
        failure: (any Error) -> String = { ($0 as? ImportError)?.statement ?? "\($0)" },
        opening: () throws -> HealthEngine
    ) throws -> ImportReport {
        var opened: HealthEngine?
        func open() throws -> HealthEngine {
            let engine = try opening()
            opened = engine
            return engine
        }
        let registry = FileRegistry(try readers(archive: archive, columns: columns))
        func files(_ path: String, _ name: String?) throws -> ImportReport? {
            try FileImporter.run(
                path: path, name: name, options: options, registry: registry, isInterrupted: isInterrupted,
                progress: progress, opening: open)
        }
        func standardInput(_ path: String) throws -> ImportReport? {
            do {
                var report = try files(path, StandardInput.name)
                report?.file = StandardInput.name
                return report
            } catch let error as ImportError {
                throw ImportError(error.kind, error.description.replacing(path, with: StandardInput.name))
            }
        }
        let recorder = CommitRecorder()
        let file = name ?? ImportRecord.name(ofPath: path)
        do {
            let report = try CommitRecorder.$current.withValue(recorder) {
                // What no reader knows may be damaged or unfinished. The importer of archives says so.
                try files(path, name)
                    ?? ArchiveImporter.run(
                        path: path, options: options, archive: archive, isInterrupted: isInterrupted,
                        progress: progress, otherwise: standardInput, opening: open)
            }
            if let opened {
                try opened.imports.add(
                    ImportRecord(date: opened.configuration.now(), file: file, report: report),
                    added: recorder.sequences)
            }
            return report
        } catch {
            if let opened, !recorder.sequences.isEmpty {
                let reason = error is InterruptedImport ? "The import was interrupted." : failure(error)
                // A store that can't be written has no history of this, and the reason is still thrown.
                try? opened.imports.add(
                    ImportRecord(date: opened.configuration.now(), file: file, failure: reason),
                    added: recorder.sequences)
            }
            throw error
        }
    }
}
