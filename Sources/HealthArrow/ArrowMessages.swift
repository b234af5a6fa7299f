/// Writes a table as a stream of Arrow's IPC format, in which it travels over a network: a message with the columns, then
/// one for each batch, after those with what is new in dictionaries.
package final class ArrowMessages: ArrowOutput {
    package static let mediaType = "application/vnd.apache.arrow.stream"

    private let send: (UnsafeRawBufferPointer) throws -> Void
    /// The texts of each dictionary that were sent last.
    private var sent: [ArrowData?] = []

    /// Writes a table to its end.
    ///
    /// - Parameters:
    ///   - send: Takes the parts of the stream.
    ///   - read: Reads the table.
    package static func write(
        to send: @escaping (UnsafeRawBufferPointer) throws -> Void, _ read: (any ArrowOutput) throws -> Void
    ) throws {
        let messages = ArrowMessages(send)
        try read(messages)
        try messages.end()
    }

    private init(_ send: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.send = send }

    package func begin(_ fields: [ArrowField]) throws {
        var dictionaries = 0
        let tables = fields.map { $0.table(&dictionaries) }
        sent = Array(repeating: nil, count: dictionaries)
        try write(.schema, FlatTable((1, .tables(tables))), body: [])
    }

    package func write(_ batch: ArrowBatch) throws {
        for (number, dictionary) in batch.data.dictionaries.enumerated() where sent[number] !== dictionary {
            sent[number] = dictionary
            let (table, body) = Self.table([dictionary], count: dictionary.count)
            try write(
                .dictionary, FlatTable((0, .long(Int64(number))), (1, .table(table)), (2, .bool(false))), body: body)
        }
        let (table, body) = Self.table(batch.data.children, count: batch.data.count)
        try write(.batch, table, body: body)
    }

    private func end() throws { try send([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]) }

    // MARK: Messages

    /// The kind of a message's header, as the format numbers it.
    private enum Header: UInt8 {
        case schema = 1
        case dictionary = 2
        case batch = 3
    }

    /// Writes a message: its description, and the values themselves.
    private func write(_ header: Header, _ table: FlatTable, body: [ArrowBuffer?]) throws {
        let size = body.reduce(0) { $0 + Self.paddedSize($1) }
        let metadata = FlatTable(
            // The fifth version of the metadata, which is that of Arrow 1.0 and later.
            (0, .short(4)), (1, .byte(header.rawValue)), (2, .table(table)), (3, .long(Int64(size)))
        ).bytes
        try send([0xFF, 0xFF, 0xFF, 0xFF] + withUnsafeBytes(of: Int32(metadata.count).littleEndian) { Array($0) })
        try send(metadata)
        for case let buffer? in body where buffer.count > 0 {
            try send(UnsafeRawBufferPointer(start: buffer.start, count: buffer.count))
            try send(Array(repeating: 0, count: Self.paddedSize(buffer) - buffer.count))
        }
    }

    private func send(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try send($0) } }

    private static func paddedSize(_ buffer: ArrowBuffer?) -> Int { ((buffer?.count ?? 0) + 7) / 8 * 8 }

    /// The description of columns' values, and the values.
    private static func table(_ columns: [ArrowData], count: Int) -> (FlatTable, body: [ArrowBuffer?]) {
        var (nodes, places): ([(Int64, Int64)], [(Int64, Int64)]) = ([], [])
        var (body, size): ([ArrowBuffer?], Int) = ([], 0)
        func add(_ data: ArrowData) {
            nodes.append((Int64(data.count), Int64(data.nullCount)))
            for buffer in data.buffers {
                places.append((Int64(size), Int64(buffer?.count ?? 0)))
                size += paddedSize(buffer)
                body.append(buffer)
            }
            for child in data.children { add(child) }
        }
        for column in columns { add(column) }
        return (FlatTable((0, .long(Int64(count))), (1, .pairs(nodes)), (2, .pairs(places))), body)
    }
}

extension ArrowData {
    /// The dictionaries of the columns and of what is in them.
    fileprivate var dictionaries: [ArrowData] {
        (dictionary.map { [$0] } ?? []) + children.flatMap(\.dictionaries)
    }
}

extension ArrowField {
    /// The description of the column.
    ///
    /// - Parameter dictionaries: The number of dictionaries so far, in the order of ``ArrowData/dictionaries``.
    fileprivate func table(_ dictionaries: inout Int) -> FlatTable {
        let entries = metadata.map { FlatTable((0, .text($0.key)), (1, .text($0.value))) }
        if type == .dictionary {
            defer { dictionaries += 1 }
            let numbers = FlatTable((0, .int(16)), (1, .bool(false)))
            let encoding = FlatTable((0, .long(Int64(dictionaries))), (1, .table(numbers)), (2, .bool(false)))
            return FlatTable(
                (0, .text(name)), (1, .bool(isNullable)), (2, .byte(type.number)), (3, .table(type.table)),
                (4, .table(encoding)), (5, .tables([])), (6, .tables(entries)))
        }
        let children = type.children.map { $0.table(&dictionaries) }
        return FlatTable(
            (0, .text(name)), (1, .bool(isNullable)), (2, .byte(type.number)), (3, .table(type.table)),
            (5, .tables(children)), (6, .tables(entries)))
    }
}

extension ArrowType {
    /// The type's additional description.
    fileprivate var table: FlatTable {
        switch self {
        case .int64: FlatTable((0, .int(64)), (1, .bool(true)))
        // Double precision.
        case .float64: FlatTable((0, .short(2)))
        // Days.
        case .date: FlatTable((0, .short(0)))
        // Microseconds.
        case .timestamp(let zone): FlatTable((0, .short(2)), (1, .text(zone)))
        case .uuid: FlatTable((0, .int(16)))
        case .map: FlatTable((0, .bool(false)))
        case .bytes, .text, .dictionary, .bool, .list, .structure: FlatTable()
        }
    }
}
