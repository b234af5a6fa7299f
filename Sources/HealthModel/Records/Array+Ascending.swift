/// Binary search.
extension RandomAccessCollection where Index == Int {
    /// Returns the first index whose element isn't before what is searched for. All elements that are before it come
    /// first.
    @inlinable
    package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Binary search among ascending elements.
extension RandomAccessCollection where Element: Comparable, Index == Int {
    /// Returns the first index whose element is at or above `value`.
    @inlinable
    package func lowerBound(of value: Element) -> Int {
        partitionPoint { $0 < value }
    }

    /// Returns the first index whose element is above `value`.
    @inlinable
    package func upperBound(of value: Element) -> Int {
        partitionPoint { $0 <= value }
    }

    /// Returns whether `value` is an element.
    @inlinable
    package func containsSorted(_ value: Element) -> Bool {
        let index = lowerBound(of: value)
        return index < endIndex && self[index] == value
    }
}

/// Ascending, disjoint ranges.
extension Array {
    /// Appends a range that begins at or after the beginning of all others, or extends the last one by it if the gap
    /// between them isn't longer than this.
    package mutating func join<Bound: Comparable & AdditiveArithmetic>(
        _ next: ClosedRange<Bound>, within gap: Bound
    ) where Element == ClosedRange<Bound> {
        if let last, next.lowerBound - last.upperBound <= gap {
            self[count - 1] = last.lowerBound...Swift.max(last.upperBound, next.upperBound)
        } else {
            append(next)
        }
    }

    /// Returns what these ranges of any order contain as ascending ranges with longer gaps between them.
    package func merged<Bound: Comparable & AdditiveArithmetic>(
        within gap: Bound = .zero
    ) -> [ClosedRange<Bound>] where Element == ClosedRange<Bound> {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { $0.join($1, within: gap) }
    }
}
