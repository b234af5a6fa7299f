import Testing
import UniformTypeIdentifiers

struct UTTypeTests {
    @Test(arguments: [
        ("pdf", "com.adobe.pdf"), ("PDF", "com.adobe.pdf"), ("jpg", "public.jpeg"), ("jpeg", "public.jpeg"),
        ("heic", "public.heic"), ("txt", "public.plain-text"), ("csv", "public.comma-separated-values-text"),
    ])
    func extensions(_ name: String, _ identifier: String) {
        #expect(UTType(filenameExtension: name)?.identifier == identifier)
    }

    @Test(arguments: [
        ("application/pdf", "com.adobe.pdf"), ("text/plain; charset=utf-8", "public.plain-text"),
        ("IMAGE/PNG", "public.png"),
    ])
    func mimeTypes(_ name: String, _ identifier: String) {
        #expect(UTType(mimeType: name)?.identifier == identifier)
    }

    @Test(arguments: ["", "pdf", "/", "a/", "/b", "a/b/c"])
    func rejectsInvalidMIMETypes(_ name: String) {
        #expect(UTType(mimeType: name) == nil)
    }

    @Test func conformance() {
        #expect(UTType.jpeg.conforms(to: .image))
        #expect(UTType.jpeg.conforms(to: .item))
        #expect(UTType.jpeg.conforms(to: .jpeg))
        #expect(!UTType.pdf.conforms(to: .image))
        #expect(UTType.image.isSupertype(of: .png))
        #expect(!UTType.png.isSubtype(of: .png))
        #expect(UTType(filenameExtension: "pdf", conformingTo: .image) == nil)
        #expect(UTType(filenameExtension: "") == nil)
    }

    @Test func unknownTagsGiveDynamicTypes() throws {
        let type = try #require(UTType(filenameExtension: "edf"))
        #expect(type.isDynamic)
        #expect(!type.isDeclared)
        #expect(type.preferredFilenameExtension == "edf")
        #expect(type.preferredMIMEType == nil)
        #expect(type.conforms(to: .data))
        #expect(UTType(type.identifier) == type)
        #expect(UTType("no.such.type") == nil)
    }

    @Test func everyKnownTypeIsInTheTable() {
        let known: [UTType] = [
            .item, .content, .compositeContent, .data, .archive, .zip, .gzip, .text, .plainText, .utf8PlainText, .rtf,
            .html, .xml, .json, .delimitedText, .commaSeparatedText, .tabSeparatedText, .pdf, .image, .jpeg, .png, .gif,
            .tiff, .bmp, .svg, .webP, .heif, .heic, .audiovisualContent, .movie, .mpeg4Movie, .quickTimeMovie, .audio,
            .mp3, .wav,
        ]
        for type in known { #expect(type.isDeclared, "\(type)") }
        #expect(UTType.heic.preferredMIMEType == "image/heic")
    }
}
