/// One kind of the table.
struct UTTypeEntry {
    var identifier: String
    /// Names of the kinds right above it.
    var parents: [String]
    /// File extensions in lower case, the usual one first.
    var extensions: [String] = []
    /// MIME types in lower case, the usual one first.
    var mimeTypes: [String] = []
}
