import Foundation

/// Takes back what a disk without power may have lost: writes since a file was last synced, in whole, in part and in
/// any order.
///
/// disk.c has recorded what each write replaced. A sector of 512 bytes is written atomically; each sector of a
/// file gets one of the contents that it had since the last sync. So does the file's length, and a file's name since
/// its folder was last synced.
struct PowerCut {
    private static let sector = 512

    private struct Undo {
        var isTruncation: Bool
        var offset: Int
        var length: Int
        var previousSize: Int
        var previous: ArraySlice<UInt8>
    }

    /// A file of the store: what wasn't synced, and whether its name is on the disk.
    private struct File {
        var undos: [Undo] = []
        /// Whether the file was created since the folder was synced.
        var isNew = false
        /// The contents of a file that was removed since the folder was synced.
        var removed: ArraySlice<UInt8>?
    }

    private var files: [UInt32: File] = [:]

    /// Reads a journal.
    init(journal path: String) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        func word(_ offset: Int) -> Int {
            Int(bytes[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        func half(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        var place = 0
        while place + 40 <= bytes.count {
            let (operation, file, payload) = (half(place), half(place + 4), word(place + 32))
            guard place + 40 + payload <= bytes.count else { break }
            let previous = bytes[(place + 40)..<(place + 40 + payload)]
            switch operation {
            case 1, 2:
                files[file, default: File()].undos.append(
                    Undo(
                        isTruncation: operation == 2, offset: word(place + 8), length: word(place + 16),
                        previousSize: word(place + 24),
                        previous: previous))
            case 3: files[file, default: File()].undos = []
            case 4:
                for key in files.keys {
                    files[key]?.isNew = false
                    files[key]?.removed = nil
                }
            case 5: files[file, default: File()].isNew = files[file]?.removed == nil
            default: files[file] = File(removed: files[file]?.isNew == true ? nil : previous)
            }
            place += 40 + payload
        }
    }

    /// Applies the loss to the files of a store.
    func apply(to store: String, using random: inout TortureRandom) throws {
        unlink(store + "-shm")
        for (key, suffix) in [(UInt32(1), ""), (2, "-wal"), (3, "-journal")] {
            guard let file = files[key] else { continue }
            let path = store + suffix
            guard FileManager.default.fileExists(atPath: path) else {
                if let removed = file.removed, random.next(below: 2) == 0 {
                    try Data(removed).write(to: URL(fileURLWithPath: path))
                }
                continue
            }
            if file.isNew, random.next(below: 2) == 0 {
                unlink(path)
                continue
            }
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            let lost = Self.lose(file.undos, of: bytes, using: &random)
            if lost != bytes { try Data(lost).write(to: URL(fileURLWithPath: path)) }
        }
    }

    /// The bytes that may be left of a file.
    private static func lose(_ undos: [Undo], of final: [UInt8], using random: inout TortureRandom) -> [UInt8] {
        guard !undos.isEmpty else { return final }
        var bytes = final
        var sizes = [final.count]
        // The contents that each sector had, the newest first.
        var versions: [Int: [[UInt8]]] = [:]
        func sectors(_ undo: Undo) -> Range<Int> {
            let end = undo.offset + (undo.isTruncation ? undo.previous.count : undo.length)
            return undo.offset / sector..<max(undo.offset / sector, (end + sector - 1) / sector)
        }
        func content(_ index: Int) -> [UInt8] {
            let (start, end) = (index * sector, min((index + 1) * sector, bytes.count))
            return start < end ? Array(bytes[start..<end]) : []
        }
        for undo in undos {
            for index in sectors(undo) where versions[index] == nil { versions[index] = [content(index)] }
        }
        for undo in undos.reversed() {
            if bytes.count < undo.previousSize {
                bytes += [UInt8](repeating: 0, count: undo.previousSize - bytes.count)
            }
            bytes.replaceSubrange(
                undo.offset..<max(undo.offset, min(bytes.count, undo.offset + undo.previous.count)), with: undo.previous
            )
            bytes.removeLast(max(0, bytes.count - undo.previousSize))
            sizes.append(undo.previousSize)
            for index in sectors(undo) { versions[index]?.append(content(index)) }
        }
        // A third of the time everything is lost, or everything up to a moment is kept, which is most like a real disk.
        let choice = random.next(below: 3)
        if choice == 0 { return bytes }
        let size = sizes[random.next(below: sizes.count)]
        var lost = bytes + [UInt8](repeating: 0, count: max(0, size - bytes.count))
        let moment = random.next(below: undos.count + 1)
        for (index, found) in versions {
            let version = choice == 1 ? found[min(moment, found.count - 1)] : found[random.next(below: found.count)]
            for (offset, byte) in version.enumerated() where index * sector + offset < lost.count {
                lost[index * sector + offset] = byte
            }
        }
        lost.removeLast(lost.count - size)
        return lost
    }
}
