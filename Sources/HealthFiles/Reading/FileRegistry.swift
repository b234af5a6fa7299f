/// The readers of an import, in the order in which they are asked about a file. Each is made with its own options.
package struct FileRegistry {
    package let readers: [any FileReader]

    package init(_ readers: [any FileReader]) {
        self.readers = readers
    }

    /// The table of the formats, in Markdown.
    package var table: String {
        "| you have | give it |\n|---|---|\n"
            + readers.map { type(of: $0).format }.map { "| \($0.title) | \($0.files) |\n" }.joined()
    }
}
