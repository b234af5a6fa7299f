import Crypto
package import Foundation
package import HealthEngine

/// The programs and webhooks that this user lets a store reach from this machine.
///
/// A store names them, and so does each copy and backup of it, wherever it comes from. A daemon reaches only what is also
/// confirmed here, outside of stores and backups: the same words, for the same application of the same store.
package struct ConfirmedTargets: Sendable {
    private let folder: String

    /// - Parameters:
    ///   - folder: The user's folder for all stores, which is created when something is confirmed.
    ///   - store: The identity of the store.
    package init(folder: String, store: UUID) {
        self.folder = "\(folder)/\(store.uuidString)"
    }

    /// Whether an application may be reached in this way.
    package func contains(_ target: DeliveryTarget, of bundleIdentifier: String) -> Bool {
        access(file(target, bundleIdentifier), F_OK) == 0
    }

    /// Whether the time for which an application may be reached in this way is over.
    ///
    /// - Parameter now: In seconds since 2001.
    package func hasEnded(_ target: DeliveryTarget, of bundleIdentifier: String, at now: Double) -> Bool {
        end(of: file(target, bundleIdentifier)).map { $0 <= now } ?? false
    }

    /// Lets an application be reached in this way.
    ///
    /// - Parameter end: Until when, in seconds since 2001; `nil` for no end.
    /// - Throws: ``DaemonError`` if that can't be written down.
    package func confirm(_ target: DeliveryTarget, of bundleIdentifier: String, until end: Double? = nil) throws {
        let path = file(target, bundleIdentifier)
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            // As a whole: an empty file has no end.
            try Data((end.map { "\($0)" } ?? "").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw DaemonError("The file \(path) can’t be written")
        }
    }

    /// Changes until when an application may be reached in this way, unless that has no end, not even an infinite one.
    ///
    /// - Throws: ``DaemonError`` if that can't be written down.
    package func change(_ target: DeliveryTarget, of bundleIdentifier: String, until end: Double) throws {
        guard self.end(of: file(target, bundleIdentifier)) != nil else { return }
        try confirm(target, of: bundleIdentifier, until: end)
    }

    /// Forgets that an application may be reached in this way, unless another one that is given is the same.
    package func remove(_ target: DeliveryTarget, of bundleIdentifier: String, unless other: DeliveryTarget? = nil) {
        let path = file(target, bundleIdentifier)
        if other.map({ file($0, bundleIdentifier) }) != path { unlink(path) }
    }

    /// The end that a file has; `nil` for none.
    private func end(of path: String) -> Double? {
        FileManager.default.contents(atPath: path).flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    }

    /// A file that is empty or has the end: its name says everything to those who know the words, and nothing to others.
    private func file(_ target: DeliveryTarget, _ bundleIdentifier: String) -> String {
        let words =
            switch target {
            case .program(let path, let arguments): ["program", path] + arguments
            case .webhook(let url, let secretFile, let options):
                // Where a call may go was confirmed with it.
                ["webhook", url, secretFile] + (options?.allowsPrivateAddresses == true ? ["private"] : [])
            }
        return named([bundleIdentifier] + words)
    }

    private func named(_ words: [String]) -> String {
        // None can contain the separator.
        let digest = SHA256.hash(data: Data(words.joined(separator: "\0").utf8))
        return folder + "/" + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The file with the key of an application's webhook that a server registers.
    package func secretFile(of bundleIdentifier: String) -> String { named([bundleIdentifier]) + ".key" }
}
