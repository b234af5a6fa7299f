/// The templates in use. A new one takes the place of the one that has been there longest.
struct TemplateTable: ~Copyable {
    static let capacity = 24

    private(set) var count = 0
    /// The template that matched last.
    var last = 0
    private let slots: UnsafeMutablePointer<RecordTemplate>
    private var next = 0

    init() {
        slots = .allocate(capacity: Self.capacity)
    }

    deinit {
        for index in 0..<count { slots[index].deallocate() }
        slots.deallocate()
    }

    /// The address of a template; valid until the next ``insert(_:)``.
    @inline(__always)
    subscript(index: Int) -> UnsafeMutablePointer<RecordTemplate> { slots + index }

    mutating func insert(_ template: RecordTemplate) {
        if count < Self.capacity {
            (slots + count).initialize(to: template)
            last = count
            count += 1
        } else {
            slots[next].deallocate()
            slots[next] = template
            last = next
            next = (next + 1) % Self.capacity
        }
    }
}
