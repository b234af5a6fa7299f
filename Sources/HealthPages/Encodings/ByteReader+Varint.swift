extension ByteReader {
    mutating func unsigned(_ what: StaticString) throws(PageError) -> UInt64 {
        let first = try byte(what)
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            let next = try byte(what)
            // The tenth byte has room for one bit.
            guard shift < 63 || next <= 1 else { throw error(.inconsistent, what) }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    mutating func signed(_ what: StaticString) throws(PageError) -> Int64 {
        Varint.unzigzag(try unsigned(what))
    }

    /// A number of things, at most `limit`.
    mutating func count(_ what: StaticString, atMost limit: Int) throws(PageError) -> Int {
        let value = try unsigned(what)
        guard value <= UInt64(limit) else { throw error(.inconsistent, what) }
        return Int(value)
    }
}
