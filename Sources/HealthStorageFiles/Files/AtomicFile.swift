package import Foundation

/// Files that are replaced as a whole: after a crash, one has its previous or its new contents. Only the owner can read
/// them.
package enum AtomicFile {
    /// The failed step, and its reason.
    package struct Failure: Error, CustomStringConvertible {
        /// The file.
        package let path: String
        /// `created` or `written`.
        package let verb: String
        /// The system's code.
        package let code: Int32

        package var description: String { "\(path) could not be \(verb): \(String(cString: strerror(code)))" }
    }

    /// Replaces a file, or creates it.
    ///
    /// - Parameters:
    ///   - staging: The path at which the contents are written first; by default that of the file with `.new`. Writers
    ///     that don't wait for each other need different ones.
    ///   - isDurable: Whether the contents survive a power failure once this method has returned.
    package static func write(
        _ bytes: Data, to path: String, staging: String? = nil, isDurable: Bool = true
    ) throws(Failure) {
        let staging = staging ?? path + ".new"
        // One that a crash has left may have other permissions.
        unlink(staging)
        let file = open(staging, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(path: staging, verb: "created", code: errno) }
        var code = bytes.withUnsafeBytes { $0.write(to: file) } ?? 0
        if isDurable, code == 0, fsync(file) != 0, errno != EINVAL { code = errno }
        close(file)
        if code == 0, rename(staging, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(staging)
            throw Failure(path: path, verb: "written", code: code)
        }
        if isDurable { VFSFile.syncFolder(of: path) }
    }
}
