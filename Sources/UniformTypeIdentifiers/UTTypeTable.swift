/// The kinds this module knows.
enum UTTypeTable {
    static func entry(of identifier: String) -> UTTypeEntry? { byIdentifier[identifier] }

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })

    static let all: [UTTypeEntry] = [
        UTTypeEntry(identifier: "public.item", parents: []),
        UTTypeEntry(identifier: "public.content", parents: []),
        UTTypeEntry(identifier: "public.data", parents: ["public.item"]),
        UTTypeEntry(identifier: "public.text", parents: ["public.data", "public.content"]),
        UTTypeEntry(identifier: "public.plain-text", parents: ["public.text"], extensions: ["txt", "text"], mimeTypes: ["text/plain"]),
        UTTypeEntry(identifier: "public.utf8-plain-text", parents: ["public.plain-text"]),
        UTTypeEntry(identifier: "public.rtf", parents: ["public.text"], extensions: ["rtf"], mimeTypes: ["text/rtf", "application/rtf"]),
        UTTypeEntry(identifier: "public.html", parents: ["public.text"], extensions: ["html", "htm"], mimeTypes: ["text/html"]),
        UTTypeEntry(identifier: "public.xml", parents: ["public.text"], extensions: ["xml"], mimeTypes: ["application/xml", "text/xml"]),
        UTTypeEntry(identifier: "public.json", parents: ["public.text"], extensions: ["json"], mimeTypes: ["application/json"]),
        UTTypeEntry(identifier: "public.delimited-values-text", parents: ["public.text"]),
        UTTypeEntry(identifier: "public.comma-separated-values-text", parents: ["public.delimited-values-text"], extensions: ["csv"], mimeTypes: ["text/csv"]),
        UTTypeEntry(identifier: "public.tab-separated-values-text", parents: ["public.delimited-values-text"], extensions: ["tsv"], mimeTypes: ["text/tab-separated-values"]),
        UTTypeEntry(identifier: "public.composite-content", parents: ["public.content"]),
        UTTypeEntry(identifier: "com.adobe.pdf", parents: ["public.data", "public.composite-content"], extensions: ["pdf"], mimeTypes: ["application/pdf"]),
        UTTypeEntry(identifier: "public.image", parents: ["public.data", "public.content"]),
        UTTypeEntry(identifier: "public.jpeg", parents: ["public.image"], extensions: ["jpeg", "jpg", "jpe"], mimeTypes: ["image/jpeg", "image/jpg"]),
        UTTypeEntry(identifier: "public.png", parents: ["public.image"], extensions: ["png"], mimeTypes: ["image/png"]),
        UTTypeEntry(identifier: "com.compuserve.gif", parents: ["public.image"], extensions: ["gif"], mimeTypes: ["image/gif"]),
        UTTypeEntry(identifier: "public.tiff", parents: ["public.image"], extensions: ["tiff", "tif"], mimeTypes: ["image/tiff"]),
        UTTypeEntry(identifier: "com.microsoft.bmp", parents: ["public.image"], extensions: ["bmp"], mimeTypes: ["image/bmp"]),
        UTTypeEntry(identifier: "public.svg-image", parents: ["public.image"], extensions: ["svg"], mimeTypes: ["image/svg+xml"]),
        UTTypeEntry(identifier: "org.webmproject.webp", parents: ["public.image"], extensions: ["webp"], mimeTypes: ["image/webp"]),
        UTTypeEntry(identifier: "public.heif", parents: ["public.image"], extensions: ["heif"], mimeTypes: ["image/heif"]),
        UTTypeEntry(identifier: "public.heic", parents: ["public.heif"], extensions: ["heic"], mimeTypes: ["image/heic"]),
        UTTypeEntry(identifier: "public.audiovisual-content", parents: ["public.data", "public.content"]),
        UTTypeEntry(identifier: "public.movie", parents: ["public.audiovisual-content"]),
        UTTypeEntry(identifier: "public.mpeg-4", parents: ["public.movie"], extensions: ["mp4"], mimeTypes: ["video/mp4"]),
        UTTypeEntry(identifier: "com.apple.quicktime-movie", parents: ["public.movie"], extensions: ["mov"], mimeTypes: ["video/quicktime"]),
        UTTypeEntry(identifier: "public.audio", parents: ["public.audiovisual-content"]),
        UTTypeEntry(identifier: "public.mp3", parents: ["public.audio"], extensions: ["mp3"], mimeTypes: ["audio/mpeg"]),
        UTTypeEntry(identifier: "com.microsoft.waveform-audio", parents: ["public.audio"], extensions: ["wav"], mimeTypes: ["audio/vnd.wave", "audio/wav"]),
        UTTypeEntry(identifier: "public.archive", parents: ["public.data"]),
        UTTypeEntry(identifier: "public.zip-archive", parents: ["public.archive"], extensions: ["zip"], mimeTypes: ["application/zip"]),
        UTTypeEntry(identifier: "org.gnu.gnu-zip-archive", parents: ["public.archive"], extensions: ["gz"], mimeTypes: ["application/gzip"]),
    ]
}
