/// Cells of RFC 4180: in quotes where they have to be.
enum CSVText {
    static func append(_ text: UnsafeBufferPointer<UInt8>, to line: inout [UInt8]) {
        // An empty text is told from NULL by its quotes; blanks at the edges are safe in them.
        let wantsQuotes = text.isEmpty || text.first == 0x20 || text.last == 0x20
            || text.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard wantsQuotes else { return line.append(contentsOf: text) }
        line.append(0x22)
        for byte in text {
            if byte == 0x22 { line.append(0x22) }
            line.append(byte)
        }
        line.append(0x22)
    }
}
