import Crypto
package import Foundation

/// The key that signs calls, a text in a file that only its owner can read: `whsec_` and base64, as Standard Webhooks has
/// it, or another text, which is used as it is.
package enum WebhookSecret {
    /// The prefix of a key as base64.
    private static let prefix = "whsec_"
    /// The minimum number of bytes.
    static let minimumCount = 16
    /// The maximum number of bytes of the file.
    static let maximumCount = 4_096

    /// Reads a key: the contents of the file without spaces, tabs and line breaks at both ends.
    ///
    /// - Throws: ``DaemonError`` if the file can't be read, others can read it, or it is too short or too long.
    package static func load(_ path: String) throws -> Data {
        func failure(_ reason: String) -> DaemonError {
            DaemonError("The file \(path) with the webhook’s key \(reason)")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("can’t be read: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
            throw failure("must be readable by its owner only: use “chmod 600”")
        }
        guard let bytes = try? FileHandle(fileDescriptor: file).read(upToCount: maximumCount + 1) ?? Data() else {
            throw failure("can’t be read")
        }
        guard bytes.count <= maximumCount else { throw failure("must have \(maximumCount) bytes at most") }
        // White space as receivers remove it, such as `bytes.strip()` in Python.
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var secret = Data(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        if secret.starts(with: prefix.utf8) {
            guard let key = Data(base64Encoded: secret.dropFirst(prefix.utf8.count)) else {
                throw failure("has whsec_, but no base64 after it")
            }
            secret = key
        }
        guard secret.count >= minimumCount else { throw failure("must have \(minimumCount) bytes at least") }
        return secret
    }

    /// Creates a file with a new random key, and its folder if there is none, and returns the key's text.
    ///
    /// - Throws: ``DaemonError`` if there is such a file, or it can't be written.
    @discardableResult
    package static func create(_ path: String) throws -> String {
        let key = prefix + SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
        // A new system has no ~/.config/openhealthkit. If the folder can't be created, neither can the file.
        try? FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DaemonError("The file \(path) can’t be created: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let text = Array((key + "\n").utf8)
        guard write(file, text, text.count) == text.count, fsync(file) == 0 else {
            throw DaemonError("The file \(path) can’t be written: \(String(cString: strerror(errno)))")
        }
        return key
    }
}
