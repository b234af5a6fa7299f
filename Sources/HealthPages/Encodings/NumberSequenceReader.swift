/// Reads what ``NumberSequenceWriter`` wrote.
enum NumberSequenceReader {
    /// Fills `target[0..<count]`. `scratch` has room for as many integers.
    static func read(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Double>,
        scratch: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        guard count > 0 else { return }
        let tag = try reader.byte(what)
        if tag == NumberEncoding.bitsTag {
            try IntegerSequenceReader.read(&reader, count: count, into: scratch, what)
            for index in 0..<count {
                target[index] = Double(bitPattern: UInt64(bitPattern: scratch[index]))
            }
            return
        }
        let exponent = Int(tag & 0x0F)
        guard tag < NumberEncoding.bitsTag, exponent <= DecimalScaling.greatestExponent else {
            throw reader.error(.inconsistent, what)
        }
        var exceptions = 0
        if tag & NumberEncoding.exceptionsFlag != 0 {
            exceptions = try reader.count(what, atMost: count)
        }
        try IntegerSequenceReader.read(&reader, count: count, into: scratch, what)
        if exponent == 0 {
            for index in 0..<count { target[index] = Double(scratch[index]) }
        } else {
            let power = DecimalScaling.power(exponent)
            for index in 0..<count { target[index] = Double(scratch[index]) / power }
        }
        var place = 0
        for _ in 0..<exceptions {
            place += try reader.count(what, atMost: count)
            guard place < count else { throw reader.error(.inconsistent, what) }
            target[place] = Double(bitPattern: try reader.fixed64(what))
        }
    }
}
