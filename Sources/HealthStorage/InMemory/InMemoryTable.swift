import HealthModel

/// A sorted table in chunks. Copies share chunks and a change copies only the affected one, so that it is cheap to keep
/// an old version while making a new one.
struct InMemoryTable<Key: Comparable & Sendable, Row: Sendable>: Sendable {
    struct Chunk: Sendable {
        var keys: ContiguousArray<Key>
        var rows: ContiguousArray<Row>
    }

    /// The position of a row; valid until the next change.
    struct Position: Equatable {
        var chunk: Int
        var slot: Int
    }

    /// The size beyond which a chunk is split in half.
    static var largestChunk: Int { 256 }

    /// The chunks, none of which is empty.
    private(set) var chunks: ContiguousArray<Chunk> = []

    /// The row with a key. Setting `nil` removes it.
    subscript(key: Key) -> Row? {
        get {
            let position = firstPosition(atOrAbove: key)
            guard position.chunk < chunks.count, chunks[position.chunk].keys[position.slot] == key else { return nil }
            return chunks[position.chunk].rows[position.slot]
        }
        set {
            if let newValue {
                put(key, newValue)
            } else {
                remove(key)
            }
        }
    }

    /// The position of the first row with a key at or above this one, or the end.
    func firstPosition(atOrAbove key: Key) -> Position {
        let index = chunks.partitionPoint { $0.keys[$0.keys.count - 1] < key }
        guard index < chunks.count else { return Position(chunk: index, slot: 0) }
        return Position(chunk: index, slot: chunks[index].keys.lowerBound(of: key))
    }

    /// The row at a position, or `nil` at the end.
    func row(at position: Position) -> (key: Key, row: Row)? {
        guard position.chunk < chunks.count else { return nil }
        return (chunks[position.chunk].keys[position.slot], chunks[position.chunk].rows[position.slot])
    }

    /// The position before this one, or `nil` at the beginning.
    func position(before position: Position) -> Position? {
        if position.slot > 0 { return Position(chunk: position.chunk, slot: position.slot - 1) }
        guard position.chunk > 0 else { return nil }
        return Position(chunk: position.chunk - 1, slot: chunks[position.chunk - 1].keys.count - 1)
    }

    /// Visits rows in key order, starting at `first`, until `visit` returns `false`.
    func visit(from first: Key, _ visit: (Key, Row) throws -> Bool) rethrows {
        var position = firstPosition(atOrAbove: first)
        while position.chunk < chunks.count {
            let chunk = chunks[position.chunk]
            for slot in position.slot..<chunk.keys.count {
                guard try visit(chunk.keys[slot], chunk.rows[slot]) else { return }
            }
            position = Position(chunk: position.chunk + 1, slot: 0)
        }
    }

    private mutating func put(_ key: Key, _ row: Row) {
        guard !chunks.isEmpty else {
            chunks.append(Chunk(keys: [key], rows: [row]))
            return
        }
        var position = firstPosition(atOrAbove: key)
        if position.chunk == chunks.count {
            position = Position(chunk: chunks.count - 1, slot: chunks[chunks.count - 1].keys.count)
        } else if chunks[position.chunk].keys[position.slot] == key {
            chunks[position.chunk].rows[position.slot] = row
            return
        }
        chunks[position.chunk].keys.insert(key, at: position.slot)
        chunks[position.chunk].rows.insert(row, at: position.slot)
        if chunks[position.chunk].keys.count > Self.largestChunk {
            split(position.chunk)
        }
    }

    private mutating func split(_ index: Int) {
        let whole = chunks[index]
        let half = whole.keys.count / 2
        chunks[index] = Chunk(keys: ContiguousArray(whole.keys[..<half]), rows: ContiguousArray(whole.rows[..<half]))
        chunks.insert(
            Chunk(keys: ContiguousArray(whole.keys[half...]), rows: ContiguousArray(whole.rows[half...])),
            at: index + 1)
    }

    private mutating func remove(_ key: Key) {
        let position = firstPosition(atOrAbove: key)
        guard position.chunk < chunks.count, chunks[position.chunk].keys[position.slot] == key else { return }
        chunks[position.chunk].keys.remove(at: position.slot)
        chunks[position.chunk].rows.remove(at: position.slot)
        if chunks[position.chunk].keys.isEmpty {
            chunks.remove(at: position.chunk)
        }
    }
}
