/// The `limit` smallest keys met so far: says which rows can still be among the results.
struct BestKeys {
    private let limit: Int
    /// A heap with the greatest key on top.
    private var heap: [Double] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// The greatest of the kept keys once there are `limit` of them: a row with a greater key is no
    /// result any more; one with an equal key may be, by its place in the sequence.
    var worst: Double? {
        heap.count == limit ? heap[0] : nil
    }

    /// Takes a key in; false if it comes too late.
    mutating func admit(_ key: Double) -> Bool {
        if heap.count < limit {
            heap.append(key)
            var child = heap.count - 1
            while child > 0, heap[(child - 1) / 2] < heap[child] {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
            return true
        }
        guard key < heap[0] else { return key == heap[0] }
        heap[0] = key
        var parent = 0
        while true {
            var greatest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child] > heap[greatest] {
                greatest = child
            }
            guard greatest != parent else { return true }
            heap.swapAt(parent, greatest)
            parent = greatest
        }
    }
}
