/// Look-ups in ascending arrays.
extension Array where Element: Comparable {
    /// The first index whose element is at or above `value`.
    func lowerBound(of value: Element) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func containsSorted(_ value: Element) -> Bool {
        let index = lowerBound(of: value)
        return index < count && self[index] == value
    }
}
