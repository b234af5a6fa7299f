import Foundation
import HealthStorageFiles
import Synchronization

/// The path of an export, and the temporary path beside it that is written to until the export is complete.
///
/// Only what an earlier export wrote is ever replaced: a folder whose ``ExportManifest`` names everything in it, or a
/// file with an export's mark. The target is unchanged until ``commit()``.
package struct TargetPath: Sendable {
    package enum Form: Sendable {
        case file
        case folder
    }

    /// The target, without symbolic links.
    package let final: String
    package let temporary: String
    /// The folder that is removed with everything in it: ``temporary``, or what it is in. No file can be created in a
    /// removed folder, so an export that is just being ended by a signal leaves nothing.
    private let folder: String
    private let form: Form
    private let replaces: Bool

    /// The folders of exports that are being written; `nil` once the process is being ended.
    private static let unfinished = Mutex<Set<String>?>([])

    /// - Parameter replaces: Whether an earlier export is replaced.
    /// - Throws: ``TargetError`` if something is at the path that isn't replaced.
    package init(_ path: String, as form: Form, replaces: Bool) throws(TargetError) {
        final = try Self.destination(path)
        (self.form, self.replaces) = (form, replaces)
        let url = URL(fileURLWithPath: final, isDirectory: false)
        let name = ".\(url.lastPathComponent.prefix(60)).\(UUID().uuidString.prefix(8)).partial"
        let folder = url.deletingLastPathComponent().appendingPathComponent(name).path
        self.folder = folder
        temporary = form == .folder ? folder : "\(folder)/\(url.lastPathComponent)"
        try check()
        let failure: Int32 = Self.unfinished.withLock { folders in
            guard folders != nil else { return EINTR }
            guard mkdir(folder, 0o700) == 0 else { return errno }
            folders?.insert(folder)
            return 0
        }
        guard failure == 0 else { throw .writing(path, errno: failure) }
    }

    /// Puts the complete file or folder in its place.
    package func commit() throws(TargetError) {
        if case .folder = form { try ExportManifest(of: temporary).write(to: temporary) }
        try check()
        // A folder can't replace one with contents by renaming. The previous one is removed when the new one is there.
        let previous = Self.kind(of: final) == S_IFDIR ? temporary + ".previous" : nil
        if let previous {
            guard rename(final, previous) == 0 else { throw .writing(final, errno: errno) }
            // Something may have been put into it meanwhile.
            if !ExportManifest.foreignContents(of: previous).isEmpty {
                rename(previous, final)
                try check()
            }
        }
        guard rename(temporary, final) == 0 else {
            let code = errno
            if let previous { rename(previous, final) }
            throw .writing(final, errno: code)
        }
        if case .file = form { rmdir(folder) }
        forget()
        if let previous { try? FileManager.default.removeItem(atPath: previous) }
        VFSFile.syncFolder(of: final)
    }

    /// Removes what was written.
    package func remove() {
        try? FileManager.default.removeItem(atPath: folder)
        forget()
    }

    /// Removes what unfinished exports of this process have written, before it is ended by a signal. None is begun after.
    package static func removeUnfinished() {
        let folders = unfinished.withLock { folders in
            defer { folders = nil }
            return folders ?? []
        }
        for folder in folders {
            // Again, if a file was created while others were removed.
            for _ in 0..<100 where kind(of: folder) != nil { try? FileManager.default.removeItem(atPath: folder) }
        }
    }

    /// A message in which the target has the name that the user gave it.
    package func named(_ message: String) -> String {
        message.replacingOccurrences(of: temporary, with: final)
    }

    private func forget() {
        Self.unfinished.withLock { _ = $0?.remove(folder) }
    }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Whether the path leads to a device or a pipe, such as `/dev/stdout`, where nothing is replaced.
    package static func isStream(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// The path that a symbolic link leads to.
    private static func destination(_ path: String) throws(TargetError) -> String {
        guard kind(of: path) == S_IFLNK else { return path }
        guard let resolved = realpath(path, nil) else { throw .foreign("“\(path)” is a link to nothing") }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Throws if what is at the path must stay.
    private func check() throws(TargetError) {
        guard let kind = Self.kind(of: final) else { return }
        switch (form, kind) {
        case (.file, S_IFREG):
            guard ExportMarker.isIn(final) else {
                throw .foreign("“\(final)” wasn’t written by an export, or was changed since")
            }
        case (.folder, S_IFDIR):
            let foreign = ExportManifest.foreignContents(of: final)
            guard foreign.isEmpty else {
                let names = foreign.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
                let more = foreign.count > 3 ? " and \(foreign.count - 3) more" : ""
                throw .foreign("“\(final)” contains \(names)\(more), which no export wrote")
            }
            if ExportManifest.isEmpty(final) { return }
        case (.file, S_IFDIR): throw .foreign("“\(final)” is a folder, and the export is a file")
        case (.folder, S_IFREG): throw .foreign("“\(final)” is a file, and the export is a folder")
        default: throw .foreign("“\(final)” is a device or a pipe")
        }
        if !replaces { throw .exists(final) }
    }
}

/// An export that can't be written to its target.
package struct TargetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether something is at the target that isn't replaced.
    package var isTaken: Bool
    package var description: String

    static func exists(_ path: String) -> TargetError {
        TargetError(isTaken: true, description: "“\(path)” already exists. Use --force to replace it.")
    }

    static func foreign(_ sentence: String) -> TargetError {
        TargetError(isTaken: true, description: sentence + ". Nothing was changed; choose another path.")
    }

    /// An error with the system's reason.
    package static func writing(_ path: String, errno code: Int32) -> TargetError {
        TargetError(isTaken: false, description: "“\(path)” cannot be written: \(String(cString: strerror(code))).")
    }
}
