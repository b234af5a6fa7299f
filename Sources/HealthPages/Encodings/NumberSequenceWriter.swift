/// Writes a run of doubles, bit for bit, in whichever form is smallest. Twin of ``NumberSequenceReader``.
enum NumberSequenceWriter {
    @discardableResult
    static func write(
        _ values: UnsafeBufferPointer<Double>, to writer: inout ByteWriter
    ) -> NumberEncoding {
        guard !values.isEmpty else { return .bits(.constant) }
        let integers = UnsafeMutableBufferPointer<Int64>.allocate(capacity: values.count)
        integers.initialize(repeating: 0)
        defer { integers.deallocate() }

        var best: (bytes: [UInt8], encoding: NumberEncoding)?
        var candidates = likelyExponents(values)
        var next = 0
        while next < candidates.count {
            let exponent = candidates[next]
            next += 1
            let exceptions = scale(values, exponent: exponent, into: integers)
            if exceptions.count * 2 <= values.count {
                var attempt = ByteWriter()
                let encoding = decimals(
                    values, integers, exponent: exponent, exceptions: exceptions, to: &attempt)
                if attempt.count < best?.bytes.count ?? .max { best = (attempt.bytes, encoding) }
            }
            if next == candidates.count, let finer = finest(values, exceptions), finer > exponent,
                !candidates.contains(finer)
            {
                candidates.append(finer)
            }
        }
        if case .decimal(_, exceptions: 0, _) = best?.encoding {
            // Bit patterns are never shorter than exact decimals of a page.
        } else {
            for index in values.indices { integers[index] = Int64(bitPattern: values[index].bitPattern) }
            var attempt = ByteWriter()
            attempt.byte(NumberEncoding.bitsTag)
            let encoding = IntegerSequenceWriter.write(UnsafeBufferPointer(integers), to: &attempt)
            if attempt.count < best?.bytes.count ?? .max { best = (attempt.bytes, .bits(encoding)) }
        }
        guard let best else { return .bits(.constant) }
        writer.raw(best.bytes)
        return best.encoding
    }

    /// Exponents worth trying, by a look at a few values: the one that fits nine in ten, and the one
    /// that fits all.
    private static func likelyExponents(_ values: UnsafeBufferPointer<Double>) -> [Int] {
        let step = max(1, values.count / 48)
        var seen = Array(repeating: 0, count: DecimalScaling.greatestExponent + 1)
        var total = 0
        for index in stride(from: 0, to: values.count, by: step) {
            if let exponent = DecimalScaling.exponent(of: values[index]) {
                seen[exponent] += 1
                total += 1
            }
        }
        guard let finest = seen.lastIndex(where: { $0 > 0 }) else { return [] }
        var covered = 0
        for exponent in 0...finest {
            covered += seen[exponent]
            if covered * 10 >= total * 9 { return exponent == finest ? [finest] : [finest, exponent] }
        }
        return [finest]
    }

    /// The exponent that would fit the exceptions too, as far as decimals fit them.
    private static func finest(_ values: UnsafeBufferPointer<Double>, _ exceptions: [Int]) -> Int? {
        exceptions.prefix(64).compactMap { DecimalScaling.exponent(of: values[$0]) }.max()
    }

    /// Fills `integers` and returns the rows without a decimal form of this exponent.
    private static func scale(
        _ values: UnsafeBufferPointer<Double>, exponent: Int,
        into integers: UnsafeMutableBufferPointer<Int64>
    ) -> [Int] {
        let power = DecimalScaling.power(exponent)
        var exceptions: [Int] = []
        // An exception takes its neighbour's integer, so that it does not widen the run.
        var last: Int64?
        for index in values.indices {
            let (exact, integer) = DecimalScaling.scale(values[index], power)
            if exact {
                integers[index] = integer
                if last == nil {
                    for earlier in 0..<index { integers[earlier] = integer }
                }
                last = integer
            } else {
                integers[index] = last ?? 0
                exceptions.append(index)
            }
        }
        return exceptions
    }

    private static func decimals(
        _ values: UnsafeBufferPointer<Double>, _ integers: UnsafeMutableBufferPointer<Int64>,
        exponent: Int, exceptions: [Int], to writer: inout ByteWriter
    ) -> NumberEncoding {
        if exceptions.isEmpty {
            writer.byte(UInt8(exponent))
        } else {
            writer.byte(UInt8(exponent) | NumberEncoding.exceptionsFlag)
            writer.unsigned(exceptions.count)
        }
        let encoding = IntegerSequenceWriter.write(UnsafeBufferPointer(integers), to: &writer)
        var last = 0
        for index in exceptions {
            writer.unsigned(index - last)
            writer.fixed64(values[index].bitPattern)
            last = index
        }
        return .decimal(exponent: exponent, exceptions: exceptions.count, encoding)
    }
}
