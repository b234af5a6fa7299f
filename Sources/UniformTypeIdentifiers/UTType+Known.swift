extension UTType {
    /// Anything: files, folders, links.
    public static let item = UTType(known: "public.item")
    /// Anything a person makes or reads, whatever holds it.
    public static let content = UTType(known: "public.content")
    /// Content with other content inside, as documents have.
    public static let compositeContent = UTType(known: "public.composite-content")
    /// Plain bytes.
    public static let data = UTType(known: "public.data")
    /// Files packed into one.
    public static let archive = UTType(known: "public.archive")
    /// A zip archive.
    public static let zip = UTType(known: "public.zip-archive")
    /// Bytes packed by gzip.
    public static let gzip = UTType(known: "org.gnu.gnu-zip-archive")

    /// Any text, plain or marked up.
    public static let text = UTType(known: "public.text")
    /// Text without markup, in whatever encoding.
    public static let plainText = UTType(known: "public.plain-text")
    /// Plain text in UTF-8.
    public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
    /// Rich text.
    public static let rtf = UTType(known: "public.rtf")
    /// A page of HTML.
    public static let html = UTType(known: "public.html")
    /// XML of any vocabulary.
    public static let xml = UTType(known: "public.xml")
    /// A JSON value.
    public static let json = UTType(known: "public.json")
    /// A table as text, whatever parts its cells.
    public static let delimitedText = UTType(known: "public.delimited-values-text")
    /// A table as text, cells parted by commas.
    public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
    /// A table as text, cells parted by tabulators.
    public static let tabSeparatedText = UTType(known: "public.tab-separated-values-text")
    /// A PDF document.
    public static let pdf = UTType(known: "com.adobe.pdf")

    /// Any picture.
    public static let image = UTType(known: "public.image")
    /// A JPEG picture.
    public static let jpeg = UTType(known: "public.jpeg")
    /// A PNG picture.
    public static let png = UTType(known: "public.png")
    /// A GIF picture.
    public static let gif = UTType(known: "com.compuserve.gif")
    /// A TIFF picture.
    public static let tiff = UTType(known: "public.tiff")
    /// A bitmap picture as Windows keeps it.
    public static let bmp = UTType(known: "com.microsoft.bmp")
    /// A drawing in SVG.
    public static let svg = UTType(known: "public.svg-image")
    /// A WebP picture.
    public static let webP = UTType(known: "org.webmproject.webp")
    /// A picture in the HEIF container.
    public static let heif = UTType(known: "public.heif")
    /// A HEIF picture packed by HEVC, as telephones take them.
    public static let heic = UTType(known: "public.heic")

    /// Anything to hear or to watch.
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    /// Pictures that move, with or without sound.
    public static let movie = UTType(known: "public.movie")
    /// A film in the MPEG-4 container.
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    /// A film in the QuickTime container.
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    /// Anything to hear.
    public static let audio = UTType(known: "public.audio")
    /// Sound packed by MPEG layer 3.
    public static let mp3 = UTType(known: "public.mp3")
    /// Sound in the WAVE container.
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
}
