/// The attributes of the tag scanned last, in the order they stand there. Reused from tag to tag.
struct TagAttributes: ~Copyable {
    struct Attribute {
        var name: ByteRange
        /// Between the quotes, entities and all.
        var value: ByteRange
    }

    private var storage: UnsafeMutablePointer<Attribute>
    private var capacity = 32
    private(set) var count = 0

    init() {
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    subscript(index: Int) -> Attribute { storage[index] }

    mutating func removeAll() {
        count = 0
    }

    mutating func append(_ attribute: Attribute) {
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
