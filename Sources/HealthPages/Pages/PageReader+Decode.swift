extension PageReader {
    /// Decodes columns straight into memory of the caller, each with room for ``PageHeader/count`` entries;
    /// `nil` leaves a column out. The memory need not be initialized.
    public func decode(
        starts: UnsafeMutablePointer<Double>? = nil, ends: UnsafeMutablePointer<Double>? = nil,
        values: UnsafeMutablePointer<Double>? = nil, units: UnsafeMutablePointer<UInt32>? = nil,
        revisions: UnsafeMutablePointer<UInt32>? = nil, devices: UnsafeMutablePointer<UInt32>? = nil,
        sequences: UnsafeMutablePointer<Int64>? = nil, creations: UnsafeMutablePointer<Double>? = nil
    ) throws(PageError) {
        if starts != nil || ends != nil || creations != nil {
            try decodeTimes(starts: starts, ends: ends, creations: creations)
        }
        if values != nil || units != nil || revisions != nil || devices != nil {
            let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: header.count)
            defer { scratch.deallocate() }
            if let values {
                var reader = reader(.values)
                try NumberSequenceReader.read(
                    &reader, count: header.count, into: values, scratch: scratch, "value column")
                try reader.finish("value column")
            }
            if let units {
                try decode(.units, header.units, into: units, scratch, "unit column")
            }
            if let revisions {
                try decode(.revisions, header.revisions, into: revisions, scratch, "revision column")
            }
            if let devices {
                try decode(.devices, header.devices, into: devices, scratch, "device column")
            }
        }
        if let sequences {
            var reader = reader(.sequences)
            try IntegerSequenceReader.read(&reader, count: header.count, into: sequences, "sequence column")
            try reader.finish("sequence column")
        }
    }

    private func decodeTimes(
        starts: UnsafeMutablePointer<Double>?, ends: UnsafeMutablePointer<Double>?,
        creations: UnsafeMutablePointer<Double>?
    ) throws(PageError) {
        var times = TimeColumnsReader(count: header.count)
        defer { times.deallocate() }
        var startReader = reader(.starts)
        try times.starts(&startReader, into: starts)
        guard ends != nil || creations != nil else { return }
        var endReader = reader(.ends)
        try times.ends(&endReader, into: ends)
        guard let creations else { return }
        guard !isAbsent(.creations) else {
            creations.update(repeating: .nan, count: header.count)
            return
        }
        var creationReader = reader(.creations)
        try times.creations(&creationReader, into: creations)
    }

    /// A column of places in one of the header's lists.
    private func decode(
        _ column: PageBody.Column, _ list: [UInt32], into target: UnsafeMutablePointer<UInt32>,
        _ scratch: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        let count = header.count
        var reader = reader(column)
        guard list.count > 1 else {
            try reader.finish(what)
            target.update(repeating: list.first ?? 0, count: count)
            return
        }
        try IntegerSequenceReader.read(&reader, count: count, into: scratch, what)
        try reader.finish(what)
        var greatest: UInt64 = 0
        for row in 0..<count { greatest = max(greatest, UInt64(bitPattern: scratch[row])) }
        guard greatest < UInt64(list.count) else { throw reader.error(.inconsistent, what) }
        list.withUnsafeBufferPointer { list in
            for row in 0..<count { target[row] = list[Int(scratch[row])] }
        }
    }
}
