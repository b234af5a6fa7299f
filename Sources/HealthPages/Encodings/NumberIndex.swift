/// Up to ``IntegerDictionary/greatestCount`` distinct numbers and the order they were met in: a small
/// open-addressed table, since a general dictionary takes most of a page's encoding time.
struct NumberIndex {
    private(set) var met: [Int64] = []
    /// One more than a place in ``met``; 0 for an empty slot.
    private var slots: [UInt8]

    private static let slotBits: UInt64 = 9

    init() {
        slots = Array(repeating: 0, count: 1 << Int(Self.slotBits))
    }

    /// Returns false when there is no room for another number.
    mutating func insert(_ number: Int64) -> Bool {
        let slot = slot(of: number)
        guard slots[slot] == 0 else { return true }
        guard met.count < IntegerDictionary.greatestCount else { return false }
        met.append(number)
        slots[slot] = UInt8(met.count)
        return true
    }

    /// The place in ``met`` of a number that is there.
    func place(of number: Int64) -> Int {
        Int(slots[slot(of: number)]) - 1
    }

    /// The slot that holds `number`, or the empty one where it would go. A quarter of the slots are in use
    /// at most, so there is always an empty one.
    private func slot(of number: Int64) -> Int {
        let mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
        var slot = Int(mixed >> (64 - Self.slotBits))
        while slots[slot] != 0, met[Int(slots[slot]) - 1] != number {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}
