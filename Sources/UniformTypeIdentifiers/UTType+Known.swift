extension UTType {
    /// Any item: files, folders, links.
    public static let item = UTType(known: "public.item")
    /// Any content, such as documents.
    public static let content = UTType(known: "public.content")
    /// Content with embedded content, such as compound documents.
    public static let compositeContent = UTType(known: "public.composite-content")
    /// Any bytes.
    public static let data = UTType(known: "public.data")
    /// An archive of files.
    public static let archive = UTType(known: "public.archive")
    /// A zip archive.
    public static let zip = UTType(known: "public.zip-archive")
    /// A gzip file.
    public static let gzip = UTType(known: "org.gnu.gnu-zip-archive")

    /// Any text, with or without markup.
    public static let text = UTType(known: "public.text")
    /// Text without markup, in any encoding.
    public static let plainText = UTType(known: "public.plain-text")
    /// Plain text in UTF-8.
    public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
    /// Rich text.
    public static let rtf = UTType(known: "public.rtf")
    /// HTML.
    public static let html = UTType(known: "public.html")
    /// XML of any vocabulary.
    public static let xml = UTType(known: "public.xml")
    /// A JSON value.
    public static let json = UTType(known: "public.json")
    /// A table as text with any delimiter.
    public static let delimitedText = UTType(known: "public.delimited-values-text")
    /// A table as text with commas as delimiters.
    public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
    /// A table as text with tabs as delimiters.
    public static let tabSeparatedText = UTType(known: "public.tab-separated-values-text")
    /// A PDF document.
    public static let pdf = UTType(known: "com.adobe.pdf")

    /// Any image.
    public static let image = UTType(known: "public.image")
    /// A JPEG image.
    public static let jpeg = UTType(known: "public.jpeg")
    /// A PNG image.
    public static let png = UTType(known: "public.png")
    /// A GIF image.
    public static let gif = UTType(known: "com.compuserve.gif")
    /// A TIFF image.
    public static let tiff = UTType(known: "public.tiff")
    /// A Windows bitmap image.
    public static let bmp = UTType(known: "com.microsoft.bmp")
    /// An SVG image.
    public static let svg = UTType(known: "public.svg-image")
    /// A WebP image.
    public static let webP = UTType(known: "org.webmproject.webp")
    /// A HEIF image.
    public static let heif = UTType(known: "public.heif")
    /// A HEIF image with HEVC compression.
    public static let heic = UTType(known: "public.heic")

    /// Any audio or video.
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    /// A movie, with or without sound.
    public static let movie = UTType(known: "public.movie")
    /// An MPEG-4 movie.
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    /// A QuickTime movie.
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    /// Any audio.
    public static let audio = UTType(known: "public.audio")
    /// MP3 audio.
    public static let mp3 = UTType(known: "public.mp3")
    /// WAVE audio.
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
}
