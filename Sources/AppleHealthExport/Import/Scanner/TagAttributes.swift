/// The attributes of the tag scanned last, in the order they stand there. Reused from tag to tag.
struct TagAttributes: ~Copyable {
    struct Attribute {
        var name: ByteRange
        /// Between the quotes, entities and all.
        var value: ByteRange
    }

    /// More attributes than this no element has.
    static let greatestCount = 4_096

    private var storage: UnsafeMutablePointer<Attribute>
    private var capacity = 32
    private(set) var count = 0
    /// Whether the tag has more attributes than are taken.
    private(set) var hasOverflowed = false

    init() {
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    subscript(index: Int) -> Attribute { storage[index] }

    mutating func removeAll() {
        count = 0
        hasOverflowed = false
    }

    mutating func append(_ attribute: Attribute) {
        guard count < Self.greatestCount else {
            hasOverflowed = true
            return
        }
        if count == capacity {
            let larger = UnsafeMutablePointer<Attribute>.allocate(capacity: capacity * 2)
            larger.update(from: storage, count: count)
            storage.deallocate()
            storage = larger
            capacity *= 2
        }
        storage[count] = attribute
        count += 1
    }
}
