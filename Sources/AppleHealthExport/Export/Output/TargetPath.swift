import Foundation

/// Where something is written, and the name beside it under which it grows until it is complete.
struct TargetPath {
    let final: String
    let temporary: String
    private let replaces: Bool

    /// Throws where something is there already that may not be replaced.
    init(_ path: String, replaces: Bool) throws {
        final = path
        self.replaces = replaces
        let url = URL(fileURLWithPath: path)
        let name = ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8)).partial"
        temporary = url.deletingLastPathComponent().appendingPathComponent(name).path
        try refuse()
    }

    /// Gives the complete file or folder its name.
    func put() throws {
        try refuse()
        var status = stat()
        if lstat(final, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            // A folder cannot be renamed over a full one.
            try FileManager.default.removeItem(atPath: final)
        }
        guard rename(temporary, final) == 0 else { throw ExportError.writing(final, errno: errno) }
    }

    /// Takes back what has been written.
    func remove() {
        try? FileManager.default.removeItem(atPath: temporary)
    }

    private func refuse() throws {
        var status = stat()
        if !replaces, lstat(final, &status) == 0 { throw ExportError.exists(final) }
    }
}
