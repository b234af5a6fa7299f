/// Binary search in ascending arrays.
extension Array where Element: Comparable {
    /// Returns the first index whose element is at or above `value`.
    func lowerBound(of value: Element) -> Int {
        partitionPoint { $0 < value }
    }

    /// Returns the first index whose element is above `value`.
    func upperBound(of value: Element) -> Int {
        partitionPoint { $0 <= value }
    }

    /// Returns whether `value` is an element.
    func containsSorted(_ value: Element) -> Bool {
        let index = lowerBound(of: value)
        return index < count && self[index] == value
    }

    @inline(__always)
    private func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
