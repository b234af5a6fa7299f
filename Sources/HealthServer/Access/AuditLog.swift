import Foundation
import Logging
import Synchronization

/// Who did what: one line of JSON for each request to health data, with the route's template instead of its path, and
/// without the query. It never contains a health value, a date of a sample or metadata.
final class AuditLog: Sendable {
    /// One request.
    struct Entry: Hashable, Sendable {
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
    }

    private struct State {
        var pending: [UInt8] = []
        /// The beginning of the lines of one second, which takes longer to write than the rest.
        var second = Int.min
        var beginning: [UInt8] = []
        /// The last entry and its line: windows of a page ask for much the same again and again.
        var last: (entry: Entry, line: [UInt8])?
    }

    private let path: String
    private let now: @Sendable () -> Date
    private let state = Mutex(State())
    /// Held while the file is written or replaced.
    private let file = Mutex(())

    /// A log with more bytes is renamed to `audit.log.1`, which replaces an earlier one up to `audit.log.4`.
    private static let maximumBytes = 16 << 20
    private static let kept = 4
    /// The number of bytes that are written at once, without waiting for the next flush.
    private static let pendingBytes = 256 << 10
    private static let maximumPendingBytes = 8 << 20

    /// - Throws: ``ServerError`` if the folder can't be created.
    init(path: String, now: @escaping @Sendable () -> Date) throws {
        self.path = path
        self.now = now
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServerError("The folder “\(folder)” can’t be created.")
        }
    }

    /// Adds an entry. It is written to the file by the next ``flush()``.
    func add(_ entry: Entry) {
        let date = now()
        let second = Int(date.timeIntervalSinceReferenceDate.rounded(.down))
        let isFull = state.withLock { state in
            // On a full disk, entries are lost rather than memory.
            guard state.pending.count < Self.maximumPendingBytes else { return false }
            if state.second != second {
                (state.second, state.beginning) = (second, Array("{\"time\":\"\(date.formatted(.iso8601))\"".utf8))
            }
            if state.last?.entry != entry { state.last = (entry, Self.line(entry)) }
            state.pending += state.beginning
            state.pending += state.last?.line ?? []
            return state.pending.count >= Self.pendingBytes
        }
        if isFull { DispatchQueue.global(qos: .utility).async { try? self.flush() } }
    }

    /// Writes the entries that aren't in the file yet.
    ///
    /// - Throws: ``ServerError``; the entries are kept.
    func flush() throws {
        try file.withLock { _ in
            let bytes = state.withLock { state in
                defer { state.pending = [] }
                return state.pending
            }
            guard !bytes.isEmpty else { return }
            do {
                try append(bytes)
            } catch {
                state.withLock { $0.pending = bytes + $0.pending }
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
            throw ServerError("The audit log “\(path)” can’t be written.")
        }
        defer { try? handle.close() }
        do {
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw ServerError("The audit log “\(path)” can’t be written.")
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

    /// The line after the time.
    private static func line(_ entry: Entry) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        if let identity = entry.identity {
            add("\(identity.kind)", identity.id, to: &line)
            add("name", identity.name, to: &line)
        }
        if let person = entry.person { add("person", person, to: &line) }
        add("method", entry.method, to: &line)
        add("route", entry.route, to: &line)
        line += ",\"status\":\(entry.status)".utf8
        add("address", entry.address, to: &line)
        line += "}\n".utf8
        return line
    }

    private static func add(_ name: String, _ value: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: ","))
        quote(name, to: &line)
        line.append(UInt8(ascii: ":"))
        quote(value, to: &line)
    }

    private static func quote(_ text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                line += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\""))
    }
}
