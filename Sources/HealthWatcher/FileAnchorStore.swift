public import Foundation
public import HealthKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps an anchor in a file of its own: written aside, synced, and renamed into place.
///
/// The file is four bytes `OHKA`, a version byte, eight bytes of checksum (FNV-1a, little-endian) over the
/// rest, and the rest: a binary property list. The checksum comes first because Foundation's unarchiver
/// may end the process on damaged bytes instead of throwing.
public struct FileAnchorStore: AnchorStore {
    /// The file's content behind the checksum.
    private struct Entry: Codable {
        var types: [String]
        var anchor: Data
    }

    /// The file.
    public let url: URL

    /// - Parameter url: The file; its folder must be there.
    public init(url: URL) {
        self.url = url
    }

    /// The anchor kept for exactly these types, or `nil` where the file is not there or was kept for others.
    /// Throws ``AnchorStoreError`` for a file that cannot be read, is damaged, or was written by a newer
    /// version.
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
            // Another set of types means another question: its anchor says nothing about this one.
            guard Set(entry.types) == types else { return nil }
            if let anchor = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: entry.anchor) {
                return anchor
            }
        } catch {}
        throw damaged
    }

    /// Puts the anchor into the file, in place of the one before; durable when this returns.
    /// Throws ``AnchorStoreError`` when the file cannot be written; then the file before is still there.
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

    /// What stands behind magic, version and checksum, once all three are right.
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
        // The new name is durable only once its folder is.
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func failure(_ verb: String, _ path: String) -> AnchorStoreError {
        AnchorStoreError("\(path) could not be \(verb): \(String(cString: strerror(errno)))")
    }
}
