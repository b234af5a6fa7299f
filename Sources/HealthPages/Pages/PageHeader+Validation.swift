extension PageHeader {
    /// Throws where fields contradict each other. Runs on every decoded header before anything trusts it.
    public func validate() throws(PageError) {
        func check(_ holds: Bool, _ what: StaticString) throws(PageError) {
            guard holds else { throw PageError(.inconsistent, what.description, at: 0) }
        }
        guard formatVersion == Self.currentVersion else {
            throw PageError(.unsupportedVersion, "page header", at: 2)
        }
        try check((1...Self.greatestCount).contains(count), "count")
        try check(traits.isSubset(of: .known), "traits")
        try check(!traits.contains(.userEntered) || traits.contains(.metadata), "traits")
        // Comparisons with NaN are false, so these refuse it too.
        try check(firstStart <= lastStart, "first and last start")
        try check(latest.end == greatestEnd, "latest and greatest end")
        try check(latest.start >= firstStart && latest.start <= lastStart, "latest start")
        try check(leastSequence <= greatestSequence, "sequences")
        try check((leastSequence...greatestSequence).contains(firstSequence), "first sequence")
        try check((leastSequence...greatestSequence).contains(latest.sequence), "latest sequence")
        try check(minimum.isNaN == maximum.isNaN && !(minimum > maximum), "minimum and maximum")
        try check(!units.isEmpty && units.count <= count, "units")
        try check(!revisions.isEmpty && revisions.count <= count, "revisions")
        try check(!devices.isEmpty && devices.count <= count, "devices")
        try check(bodyLength >= PageBody.leastLength, "body length")
    }
}
