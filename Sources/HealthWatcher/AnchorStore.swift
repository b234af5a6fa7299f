public import Foundation
public import HealthKit
import HealthModel
import HealthStorageFiles
import Synchronization

/// Keeps the anchors of a watcher between runs, one for each type.
///
/// To let each change take effect exactly once, keep the anchors with your results: store
/// ``HealthChange/anchors`` in the same transaction as the result of handling a change, return them from ``load()``,
/// and let ``save(_:)`` do nothing. A watcher that skips the history of a type then begins with a change without
/// samples and deletions, whose anchors are the place where it begins: store them like those of any other change.
public protocol AnchorStore: Sendable {
    /// The most recently saved anchors by type identifier; empty if there are none.
    ///
    /// - Throws: ``AnchorStoreError`` if anchors exist but cannot be read. Returning none instead would deliver
    ///   the whole history again.
    func load() throws -> [String: HKQueryAnchor]

    /// Saves anchors, replacing all previous ones. The anchors are durable when this method returns. If it throws or
    /// the process ends before, either the previous or the new anchors remain intact.
    func save(_ anchors: [String: HKQueryAnchor]) throws
}

/// Keeps anchors in a file, which is replaced atomically and durably.
///
/// The file consists of four bytes `OHKA`, a version byte, an eight-byte checksum of the rest (FNV-1a,
/// little-endian), and a binary property list.
public struct FileAnchorStore: AnchorStore {
    /// Types that have the same anchor, as nearly always all have.
    private struct Entry: Codable {
        var types: [String]
        var anchor: Data
    }

    /// The file.
    public let url: URL

    /// - Parameter url: The file. Its folder must exist.
    public init(url: URL) {
        self.url = url
    }

    /// The saved anchors; none if there is no file. Throws ``AnchorStoreError`` if the file cannot be read, is damaged,
    /// or was written by a newer version.
    public func load() throws -> [String: HKQueryAnchor] {
        removeDrafts()
        guard FileManager.default.fileExists(atPath: url.path) else { return [:] }
        let bytes: [UInt8]
        do {
            bytes = try Array(Data(contentsOf: url))
        } catch {
            throw AnchorStoreError("The anchor in \(url.path) cannot be read.")
        }
        let payload = try checked(bytes)
        do {
            let decoder = PropertyListDecoder()
            let entries = try decoder.decode([Entry].self, from: Data(payload))
            var anchors: [String: HKQueryAnchor] = [:]
            for entry in entries {
                guard let anchor = RecordBytesCoder.object(HKQueryAnchor.self, in: entry.anchor) else { throw damaged }
                for type in entry.types { anchors[type] = anchor }
            }
            return anchors
        } catch {}
        throw damaged
    }

    /// Saves the anchors durably, replacing the previous ones. Throws ``AnchorStoreError`` if the file cannot be
    /// written; the previous file then remains.
    public func save(_ anchors: [String: HKQueryAnchor]) throws {
        let groups = Dictionary(grouping: anchors.keys.sorted()) { anchors[$0] }
        let entries = groups.values.sorted { ($0.first ?? "") < ($1.first ?? "") }.compactMap { types -> Entry? in
            guard let anchor = types.first.flatMap({ anchors[$0] }) else { return nil }
            return Entry(types: types, anchor: RecordBytesCoder.bytes(of: anchor))
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let payload = try encoder.encode(entries)
        var sum = FNV1a.hash(payload).littleEndian
        try replace(with: Data(Self.magic + [Self.version]) + withUnsafeBytes(of: &sum) { Data($0) } + payload)
    }

    private static let magic = Array("OHKA".utf8)
    private static let version: UInt8 = 1

    private var damaged: AnchorStoreError {
        AnchorStoreError("The anchor in \(url.path) is damaged.")
    }

    /// The bytes after magic, version and checksum, which are checked.
    private func checked(_ bytes: [UInt8]) throws -> ArraySlice<UInt8> {
        guard bytes.count > 13, Array(bytes[..<4]) == Self.magic, bytes[4] > 0 else { throw damaged }
        guard bytes[4] <= Self.version else {
            throw AnchorStoreError("The anchor in \(url.path) was written by a newer version.")
        }
        let stored = bytes[5..<13].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard stored == FNV1a.hash(bytes[13...]) else { throw damaged }
        return bytes[13...]
    }

    private func replace(with data: Data) throws {
        do {
            // Two programs or tasks with one file don't write to one staging file.
            try AtomicFile.write(data, to: url.path, staging: "\(url.path).\(UUID().uuidString).new")
        } catch {
            throw AnchorStoreError("\(error)")
        }
    }

    /// Removes what killed programs have left. A staging file exists for milliseconds.
    private func removeDrafts() {
        let (folder, name) = (url.deletingLastPathComponent().path, url.lastPathComponent)
        for other in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            var status = stat()
            guard other.hasPrefix(name + "."), other.hasSuffix(".new"), stat("\(folder)/\(other)", &status) == 0,
                time(nil) - status.st_mtim.tv_sec > 3_600
            else { continue }
            unlink("\(folder)/\(other)")
        }
    }
}

/// Keeps anchors in memory, for tests and for watching only future changes.
public final class MemoryAnchorStore: AnchorStore {
    private let kept = Mutex<[String: HKQueryAnchor]>([:])

    /// Creates a store without anchors.
    public init() {}

    /// The saved anchors.
    public func load() throws -> [String: HKQueryAnchor] {
        kept.withLock { $0 }
    }

    /// Saves the anchors, replacing the previous ones.
    public func save(_ anchors: [String: HKQueryAnchor]) throws {
        kept.withLock { $0 = anchors }
    }
}

/// An error that describes why an anchor could not be saved or read.
public struct AnchorStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the file that was read or written, and of the error.
    public var description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
