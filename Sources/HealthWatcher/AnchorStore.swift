public import Foundation
public import HealthKit
import Synchronization

/// Keeps the anchor of a watcher between runs.
public protocol AnchorStore: Sendable {
    /// The most recently saved anchor for exactly this set of type identifiers, or `nil` if there is none.
    ///
    /// - Throws: ``AnchorStoreError`` if an anchor exists but cannot be read. Returning `nil` instead would deliver
    ///   the whole history again.
    func load(types: Set<String>) throws -> HKQueryAnchor?

    /// Saves an anchor, replacing the previous one. The anchor is durable when this method returns. If it throws or
    /// the process ends before, either the previous or the new anchor remains intact.
    func save(_ anchor: HKQueryAnchor, types: Set<String>) throws
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps an anchor in a file, which is replaced atomically and durably.
///
/// The file consists of four bytes `OHKA`, a version byte, an eight-byte checksum of the rest (FNV-1a,
/// little-endian), and a binary property list. The checksum protects Foundation's unarchiver, which may crash on
/// damaged bytes instead of throwing an error.
public struct FileAnchorStore: AnchorStore {
    /// The contents of the file after the checksum.
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

    /// The saved anchor for exactly these types, or `nil` if there is no file or it is for other types. Throws
    /// ``AnchorStoreError`` if the file cannot be read, is damaged, or was written by a newer version.
    public func load(types: Set<String>) throws -> HKQueryAnchor? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try Array(Data(contentsOf: url))
        } catch {
            throw AnchorStoreError("The anchor in \(url.path) cannot be read.")
        }
        let payload = try checked(bytes)
        do {
            let entry = try PropertyListDecoder().decode(Entry.self, from: Data(payload))
            // An anchor for other types cannot be used for these.
            guard Set(entry.types) == types else { return nil }
            if let anchor = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: entry.anchor) {
                return anchor
            }
        } catch {}
        throw damaged
    }

    /// Saves the anchor durably, replacing the previous one. Throws ``AnchorStoreError`` if the file cannot be
    /// written; the previous file then remains.
    public func save(_ anchor: HKQueryAnchor, types: Set<String>) throws {
        let entry = Entry(
            types: types.sorted(),
            anchor: try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true))
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let payload = try encoder.encode(entry)
        var sum = Self.checksum(payload).littleEndian
        try replace(with: Data(Self.magic + [Self.version]) + withUnsafeBytes(of: &sum) { Data($0) } + payload)
    }

    private static let magic = Array("OHKA".utf8)
    private static let version: UInt8 = 1

    private var damaged: AnchorStoreError {
        AnchorStoreError("The anchor in \(url.path) is damaged.")
    }

    /// The bytes after magic, version and checksum, which are checked.
    private func checked(_ bytes: [UInt8]) throws -> ArraySlice<UInt8> {
        guard bytes.count > 13, Array(bytes[..<4]) == Self.magic else { throw damaged }
        guard bytes[4] == Self.version else {
            throw AnchorStoreError("The anchor in \(url.path) was written by a newer version.")
        }
        let kept = bytes[5..<13].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard kept == Self.checksum(bytes[13...]) else { throw damaged }
        return bytes[13...]
    }

    /// 64-bit FNV-1a.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private func replace(with data: Data) throws {
        let aside = url.path + ".new"
        let descriptor = open(aside, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw failure("opened", aside) }
        let written = data.withUnsafeBytes { bytes -> Bool in
            var rest = bytes
            while !rest.isEmpty {
                let count = write(descriptor, rest.baseAddress, rest.count)
                if count < 0 { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return fsync(descriptor) == 0
        }
        close(descriptor)
        guard written else { throw failure("written", aside) }
        guard rename(aside, url.path) == 0 else { throw failure("renamed", aside) }
        // The new name is durable only after the folder has been synced.
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func failure(_ verb: String, _ path: String) -> AnchorStoreError {
        AnchorStoreError("\(path) could not be \(verb): \(String(cString: strerror(errno)))")
    }
}

/// Keeps an anchor in memory, for tests and for watching only future changes.
public final class MemoryAnchorStore: AnchorStore {
    private let kept = Mutex<(types: Set<String>, anchor: HKQueryAnchor)?>(nil)

    /// Creates a store without an anchor.
    public init() {}

    /// The saved anchor, if it was saved for exactly these types.
    public func load(types: Set<String>) throws -> HKQueryAnchor? {
        kept.withLock { $0?.types == types ? $0?.anchor : nil }
    }

    /// Saves the anchor, replacing the previous one, which may have been for other types.
    public func save(_ anchor: HKQueryAnchor, types: Set<String>) throws {
        kept.withLock { $0 = (types, anchor) }
    }
}

/// An error that describes why an anchor could not be saved or read.
public struct AnchorStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was read or written, and what went wrong.
    public var description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
