/// One piece of markup, from `<` to `>`. Names and values are offsets into the window.
struct ScannedTag {
    enum Kind: Equatable {
        /// `<name …>`
        case open
        /// `<name …/>`
        case empty
        /// `</name>`
        case close
        /// A comment, processing instruction, CDATA section or document type: stepped over.
        case aside
    }

    var kind: Kind
    var name: ByteRange
    /// Just past the `>`.
    var end: Int
}
