/// The other half of look-ups in ascending arrays.
extension Array where Element: Comparable {
    /// The first index whose element is above `value`, in an ascending array.
    func upperBound(of value: Element) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
