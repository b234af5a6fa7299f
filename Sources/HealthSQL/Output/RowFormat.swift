/// The spellings a statement's answer can be written in.
public enum RowFormat: String, CaseIterable, Sendable {
    /// RFC 4180: a line of names, then a line a row, ended by CR and LF.
    case csv
    /// One JSON array of objects.
    case json
    /// One JSON object a line.
    case ndjson
}
