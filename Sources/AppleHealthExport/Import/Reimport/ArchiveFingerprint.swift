import Foundation
import HealthEngine
import HealthFiles
import HealthModel

/// Identifies an archive with all its files: by the bytes of a zip file, or by the bytes of the main file and the
/// names, sizes and dates of the files beside it.
struct ArchiveFingerprint {
    private let archive: LocatedArchive
    private let path: String

    init(_ archive: LocatedArchive, path: String) {
        self.archive = archive
        self.path = path
    }

    /// The file whose bytes are digested; `nil` if the archive is not a file or cannot be opened again, in which case
    /// it is read again.
    private var file: FileByteSource? {
        switch archive.main {
        case let file as FileByteSource: file
        case is ZipEntryStream: try? FileByteSource(path: path)
        default: nil
        }
    }

    /// Whether the archive may have this fingerprint, judging by its size.
    func isPossible(_ fingerprint: String) -> Bool {
        guard let size = file?.byteCount else { return false }
        return fingerprint.hasPrefix("\(size)-")
    }

    /// Reads the whole file and returns the fingerprint; `nil` if the archive is not a file.
    func text() throws -> String? {
        guard let file else { return nil }
        return try text(digest: FileDigest.text(of: file))
    }

    /// Returns the fingerprint for a digest of the file computed before.
    func text(digest: String) -> String? {
        guard let size = file?.byteCount else { return nil }
        return "\(size)-\(digest)-\(beside)"
    }

    /// A digest of the names, sizes and modification dates of the auxiliary files and the supplement.
    private var beside: String {
        guard archive.main is FileByteSource else { return "zip" }
        let folder = URL(fileURLWithPath: archive.main.name).deletingLastPathComponent()
        let files = CountedAuxiliaryFiles.folders.flatMap { archive.auxiliaryFiles.paths(inFolder: $0) }
        let entries = (files + ["/" + SupplementLine.fileName]).map { file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + file)
            let size = (attributes?[.size] as? Int) ?? -1
            let time = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
            return "\(file)\n\(size)\n\(time)\n"
        }
        return Array(entries.joined().utf8).withUnsafeBytes { Checksum.text(of: $0) }
    }
}

extension ArchiveImporter {
    /// The version of the reader. Increment it when the same bytes would be read differently.
    static let reader = 1

    /// Whether the archive is the last one imported and everything in it is still in the store. If so, fills the
    /// report with the findings of that import.
    ///
    /// A mirroring import compares every stored sample anyway, so it always reads the archive.
    func isKnown(_ fingerprint: ArchiveFingerprint, _ report: inout ImportReport) throws -> Bool {
        guard archiveOptions.skipsKnownArchives, !archiveOptions.mirrors, let known = try engine.imports.knownArchive(),
            known.reader == Self.reader, fingerprint.isPossible(known.fingerprint),
            // If the summary cannot be decoded, the archive is read again.
            var before = try? JSONDecoder().decode(ImportReport.self, from: Data(known.summary.utf8)),
            try fingerprint.text() == known.fingerprint
        else { return false }
        before.file = report.file
        before.alreadyThere = known.counts
        before.skips = Array(before.skips.prefix(max(0, options.maximumReasons)))
        before.isKnown = true
        if let zone = options.timeZone { try engine.imports.setMetadata([ImportHistory.timeZoneKey: zone]) }
        // They are about the time zone of a person without one.
        if try engine.imports.metadata(ImportHistory.timeZoneKey) != nil { before.remarks = [] }
        report = before
        return true
    }

    /// Saves the fingerprint and report of the archive that has just been read to its end.
    func remember(_ fingerprint: String, _ report: ImportReport) throws {
        var summary = report
        (summary.added, summary.alreadyThere, summary.removed, summary.characteristicsAdded) = ([:], [:], [:], [])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try engine.imports.setKnownArchive(
            KnownArchive(
                fingerprint: fingerprint, reader: Self.reader,
                counts: report.added.merging(report.alreadyThere, uniquingKeysWith: +),
                summary: String(decoding: try encoder.encode(summary), as: UTF8.self)))
    }
}
