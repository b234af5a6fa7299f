import Foundation
import HealthFormats
import HealthStorageFiles
import Synchronization

/// A destination for the files of an archive: the counterpart of ``ByteSource``.
///
/// Files are written sequentially, each from pieces in order. The target does not exist until ``finish()`` has
/// returned; ``abandon()`` removes what was written.
protocol ArchiveOutput: AnyObject, Sendable {
    /// Whether there can be files beside the main file.
    var acceptsAuxiliaryFiles: Bool { get }
    /// Begins a file, whose path is relative to the export's folder, and completes the previous one.
    func begin(_ path: String) throws
    /// Converts a piece's text to what ``append(_:)`` writes. Called on any thread, for several pieces at once.
    func pack(_ piece: ExportPiece)
    /// Writes a packed piece after the previous one.
    func append(_ piece: ExportPiece) throws
    /// Moves what was written to the target and returns its length in bytes.
    func finish() throws -> Int
    /// Removes what was written.
    func abandon()
    /// A message in which the target has the name that the user gave it.
    func named(_ message: String) -> String
}

extension ExportTarget {
    /// Opens the target. Throws ``ExportError`` if it exists or cannot be written.
    func open(_ options: ExportOptions) throws -> any ArchiveOutput {
        switch self {
        case .zip(let path): try ZipOutput(path: path, options: options)
        case .folder(let path): try FolderOutput(path: path, replaces: options.replacesTarget)
        case .xml(let path): try FileOutput(path: path, replaces: options.replacesTarget)
        case .standardOutput: FileOutput()
        }
    }
}

/// A folder `apple_health_export` with all files, in the target folder.
final class FolderOutput: ArchiveOutput {
    private struct State {
        var file: FileDescriptor?
        var written = 0
    }

    let acceptsAuxiliaryFiles = true
    private let target: TargetPath
    /// The folder that was created for the target.
    private let created: String?
    private let state = Mutex(State())

    init(path: String, replaces: Bool) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        created = files.fileExists(atPath: path, isDirectory: &isFolder) ? nil : path
        guard created != nil || isFolder.boolValue else {
            throw ExportError(.targetExists, "“\(path)” isn’t a folder. Only a name with .zip or .xml makes a file.")
        }
        var status = stat()
        if created != nil, lstat(path, &status) == 0 {
            throw ExportError(
                .targetExists, "“\(path)” is a link to nothing. Nothing was changed; choose another path.")
        }
        let others = ((try? files.contentsOfDirectory(atPath: path)) ?? []).filter { $0 != ArchiveLayout.folder }
        guard others.isEmpty || replaces else {
            throw ExportError(.targetExists, "The folder “\(path)” isn’t empty. Use --force to write into it.")
        }
        do {
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError {
            throw Self.exportError(error, path)
        }
        do {
            target = try TargetPath(path + "/" + ArchiveLayout.folder, as: .folder, replaces: replaces)
        } catch {
            if let created { rmdir(created) }
            throw error
        }
    }

    func begin(_ path: String) throws {
        try state.withLock { state in
            try state.file?.finish()
            state.file = nil
            let url = URL(fileURLWithPath: target.temporary).appendingPathComponent(path)
            let folder = url.deletingLastPathComponent().path
            // Not with the folders above, which are gone if a signal ends the export.
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw ExportError.writing(folder, errno: errno) }
            state.file = try FileDescriptor.create(url.path)
        }
    }

    func pack(_ piece: ExportPiece) {}

    func append(_ piece: ExportPiece) throws {
        try state.withLock { state in
            try state.file?.write(piece.text.bytes)
            state.written += piece.text.count
        }
    }

    func finish() throws -> Int {
        try state.withLock { state in
            try state.file?.finish()
            state.file = nil
            try target.commit()
            return state.written
        }
    }

    func abandon() {
        state.withLock { $0.file?.close() }
        target.remove()
        // Fails if something else was put into it.
        if let created { rmdir(created) }
    }

    func named(_ message: String) -> String { target.named(message) }

    private static func exportError(_ error: CocoaError, _ path: String) -> ExportError {
        ExportError.writing(path, errno: Int32((error.underlying as NSError?)?.code ?? Int(EIO)))
    }
}

/// A single XML file, or standard output.
final class FileOutput: ArchiveOutput {
    let acceptsAuxiliaryFiles = false
    /// `nil` for standard output.
    private let target: TargetPath?
    private let file: FileDescriptor
    private let written = Mutex(0)

    init(path: String, replaces: Bool) throws {
        let target = try TargetPath(path, as: .file, replaces: replaces)
        file = try FileDescriptor.create(target.temporary)
        self.target = target
    }

    /// Creates standard output.
    init() {
        target = nil
        file = FileDescriptor(number: STDOUT_FILENO, path: "standard output")
    }

    func begin(_ path: String) throws {}

    func pack(_ piece: ExportPiece) {}

    func append(_ piece: ExportPiece) throws {
        try file.write(piece.text.bytes)
        written.withLock { $0 += piece.text.count }
    }

    func finish() throws -> Int {
        if let target {
            try file.finish()
            try target.commit()
        }
        return written.withLock { $0 }
    }

    func abandon() {
        guard let target else { return }
        file.close()
        target.remove()
    }

    func named(_ message: String) -> String { target?.named(message) ?? message }
}
