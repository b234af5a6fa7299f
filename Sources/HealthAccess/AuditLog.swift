package import Foundation
import HealthJSON
import Synchronization

/// Who did what: one line of JSON for each request to health data, with the route's template instead of its path, and
/// without the query. It never contains a health value, a date of a sample or metadata.
package final class AuditLog: Sendable {
    /// One request.
    package struct Entry: Hashable, Sendable {
        /// The kind and identifier of the token or session; `nil` without one.
        var identity: Identity?
        /// The person whose store was used.
        var person: String?
        var method: String
        /// The template of the route, such as `/v1/people/{person}/samples`.
        var route: String
        var status: Int
        /// The address of the client.
        var address: String

        package init(
            identity: Identity?, person: String?, method: String, route: String, status: Int, address: String
        ) {
            (self.identity, self.person, self.method) = (identity, person, method)
            (self.route, self.status, self.address) = (route, status, address)
        }
    }

    private let path: String
    private let now: @Sendable () -> Date
    /// The lines that aren't in the file yet.
    private let pending = Mutex<[UInt8]>([])
    /// Held while the file is written or replaced.
    private let file = Mutex(())

    /// A log with more bytes is renamed to `audit.log.1`, which replaces an earlier one up to `audit.log.4`.
    private static let maximumBytes = 16 << 20
    private static let kept = 4
    /// The number of bytes that are written at once, without waiting for the next flush.
    private static let pendingBytes = 256 << 10
    private static let maximumPendingBytes = 8 << 20

    /// - Throws: ``AccessFileError`` if the folder can't be created.
    package init(path: String, now: @escaping @Sendable () -> Date) throws {
        self.path = path
        self.now = now
        try AccessFile.makeFolder(of: path)
    }

    /// Adds an entry. It is written to the file by the next ``flush()``.
    package func add(_ entry: Entry) {
        let line = Self.line(entry, at: now())
        let isFull = pending.withLock { pending in
            // On a full disk, entries are lost rather than memory.
            guard pending.count < Self.maximumPendingBytes else { return false }
            pending += line
            return pending.count >= Self.pendingBytes
        }
        if isFull { DispatchQueue.global(qos: .utility).async { try? self.flush() } }
    }

    /// Writes the entries that aren't in the file yet.
    ///
    /// - Throws: ``AccessFileError``; the entries are kept.
    package func flush() throws {
        try file.withLock { _ in
            let bytes = pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            guard !bytes.isEmpty else { return }
            do {
                try append(bytes)
            } catch {
                pending.withLock { $0 = bytes + $0 }
                throw error
            }
        }
    }

    private func append(_ bytes: [UInt8]) throws {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        if size > Self.maximumBytes { rotate() }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw AccessFileError("The audit log “\(path)” can’t be written.")
        }
        defer { try? handle.close() }
        do {
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw AccessFileError("The audit log “\(path)” can’t be written.")
        }
    }

    private func rotate() {
        let files = FileManager.default
        try? files.removeItem(atPath: "\(path).\(Self.kept)")
        for number in (1..<Self.kept).reversed() {
            try? files.moveItem(atPath: "\(path).\(number)", toPath: "\(path).\(number + 1)")
        }
        try? files.moveItem(atPath: path, toPath: "\(path).1")
    }

    private static func line(_ entry: Entry, at date: Date) -> [UInt8] {
        var json = JSONText(reserving: 256)
        json.object { json in
            json.member("time", text: date.formatted(.iso8601))
            if let identity = entry.identity {
                json.member("\(identity.kind)", text: identity.id)
                json.member("name", text: identity.name)
            }
            json.member("person", text: entry.person)
            json.member("method", text: entry.method)
            json.member("route", text: entry.route)
            json.member("status", integer: entry.status)
            json.member("address", text: entry.address)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
