import Foundation

/// A file or folder that grows under a name of its own and gets its true one when it is complete.
struct Draft {
    let path: String
    /// Where to write.
    let temporary: String
    private let replaces: Bool

    /// - Throws: ``FormatError`` where something is there already that may not be replaced.
    init(_ path: String, replaces: Bool) throws {
        self.path = path
        self.replaces = replaces
        let url = URL(fileURLWithPath: path)
        temporary = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString.prefix(8)).partial").path
        try refuse()
    }

    /// Makes the folder to write into.
    func makeFolder() throws {
        guard mkdir(temporary, 0o777) == 0 else { throw FormatError.system(path) }
    }

    /// Sees that a file can be written, so that trouble is told of the path that was asked for.
    func tryFile() throws {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FormatError.system(path) }
        close(descriptor)
        unlink(temporary)
    }

    /// Runs the writing; gives the result its name, or takes away what there is of it.
    func write<Value>(_ work: (String) throws -> Value) throws -> Value {
        do {
            let value = try work(temporary)
            try put()
            return value
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    private func put() throws {
        try refuse()
        // A folder cannot be renamed over a full one, nor over a file, nor a file over a folder.
        if FileManager.default.fileExists(atPath: path), Self.isFolder(path) || Self.isFolder(temporary) {
            try FileManager.default.removeItem(atPath: path)
        }
        guard rename(temporary, path) == 0 else { throw FormatError.system(path) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private func refuse() throws {
        if !replaces, FileManager.default.fileExists(atPath: path) {
            throw FormatError("“\(path)” is there already")
        }
    }
}

extension FormatError {
    /// The system's own words about a path.
    static func system(_ path: String, _ code: Int32 = errno) -> FormatError {
        FormatError("“\(path)” cannot be written: \(String(cString: strerror(code)))")
    }
}
