/// A file that an import has found, with what readers recognize it by. Its bytes are read when they are asked for.
package final class CandidateFile {
    package let file: InputFile
    /// Whether it is the only file of the import, whose name may say nothing, as that of an upload.
    package let isAlone: Bool

    /// The number of bytes by which a file is recognized.
    package static let headLength = 4_096
    private static let longestHeader = 64 << 10
    /// The number of rows of a table among which the names of its columns are.
    private static let headerRows = 32

    package init(_ file: InputFile, isAlone: Bool = false) {
        (self.file, self.isAlone) = (file, isAlone)
    }

    /// The name with those of the folders and archives around it.
    package var name: String { file.name }
    /// The name in lowercase without an ending of gzip's.
    package private(set) lazy var plainName = file.plainName
    /// The last part of ``plainName``.
    package private(set) lazy var lastName = plainName.split(separator: "/").last.map(String.init) ?? ""
    /// The first bytes; none of a file that can't be read.
    package private(set) lazy var head: [UInt8] = file.head(Self.headLength) ?? []

    /// The first bytes, also of a file that gzip compressed.
    package private(set) lazy var plainHead: [UInt8] = {
        guard GzipHeader.begins(head), let next = try? file.pieces(), let bytes = try? next() else { return head }
        return Array(bytes.prefix(Self.headLength))
    }()

    /// The first bytes as text, without a byte order mark and white space before it.
    package private(set) lazy var text: Substring = String(decoding: plainHead, as: UTF8.self)
        .drop { $0.isWhitespace || $0 == "\u{FEFF}" }

    /// The first rows of a table; none of a file that has neither a table's ending nor stands alone.
    package private(set) lazy var rows: [CSVReader.Row] = {
        guard hasEnding(".csv", ".tsv") || isAlone && !["{", "[", "<"].contains(text.first),
            let source = try? file.pieces(), var reader = try? CSVReader(source)
        else { return [] }
        var (rows, size) = ([CSVReader.Row](), 0)
        while rows.count < Self.headerRows, let row = try? reader.next() {
            size += row.fields.reduce(0) { $0 + $1.utf8.count }
            // The first line of a file that isn’t a table can be all of it.
            guard size <= Self.longestHeader else { break }
            rows.append(row)
        }
        return rows
    }()

    /// The names in the first row of a table; none of a file that has neither a table's ending nor stands alone.
    package var header: [String] { header(line: 1) }

    /// The names in the row on a line, likewise.
    package func header(line: Int) -> [String] {
        if let known = headers[line] { return known }
        headers[line] = readHeader(line)
        return headers[line] ?? []
    }

    private var headers: [Int: [String]] = [:]

    private func readHeader(_ line: Int) -> [String] {
        guard hasEnding(".csv", ".tsv") || isAlone && !["{", "[", "<"].contains(text.first),
            let source = try? file.pieces(), var reader = try? CSVReader(headerLine: line, source)
        else { return [] }
        while let row = try? reader.next() {
            // The first line of a file that isn’t a table can be all of it.
            guard row.fields.reduce(0, { $0 + $1.utf8.count }) <= Self.longestHeader else { return [] }
            if row.line >= line { return row.fields }
        }
        return []
    }

    package func hasEnding(_ endings: String...) -> Bool { endings.contains(where: plainName.hasSuffix) }
}
