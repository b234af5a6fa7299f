/// A text that stays at one place in memory.
struct PooledText {
    let bytes: UnsafePointer<CChar>
    let length: Int32
}

/// Keeps texts that SQLite may point to as long as the connection lives: names of types, units, sources,
/// devices. Each is kept once.
final class TextPool {
    private var texts: [String: PooledText] = [:]
    private var memory: [UnsafeMutablePointer<CChar>] = []

    deinit {
        for pointer in memory { pointer.deallocate() }
    }

    subscript(text: String) -> PooledText {
        if let known = texts[text] { return known }
        let bytes = Array(text.utf8)
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { pointer[index] = CChar(bitPattern: byte) }
        pointer[bytes.count] = 0
        memory.append(pointer)
        let pooled = PooledText(bytes: pointer, length: Int32(clamping: bytes.count))
        texts[text] = pooled
        return pooled
    }

    subscript(text: String?) -> PooledText? {
        text.map { self[$0] }
    }
}
