@testable import HealthFiles
import Testing

@Suite struct ElementSkipperTests {
    /// Skips in pieces of `size` bytes; the offset after the element, or what went wrong.
    private func skip(_ text: String, size: Int = .max) -> ElementSkipper.Outcome {
        let bytes = Array(text.utf8)
        var skipper = ElementSkipper()
        var place = 0
        while place < bytes.count {
            let piece = Array(bytes[place..<min(bytes.count, place + min(size, bytes.count))])
            let outcome = piece.withUnsafeBufferPointer { skipper.skip($0.baseAddress!, from: 0, end: piece.count) }
            switch outcome {
            case .needsMore: place += piece.count
            case .done(let end): return .done(end: place + end)
            case .damaged(let at): return .damaged(at: place + at)
            }
        }
        return .needsMore
    }

    @Test(
        arguments: [
            "<a/>", "<a b='>' c=\"/\"/>", "<a></a>", "<a b=\"/\"></a>", "<a><a/><b><a></a></b></a>",
            "<a>text <![CDATA[ </a> ]] ]]> &lt; <!-- </a> - -- x --><?p </a> ?></a>", "<!-- <a> -->",
            "<?xml version='1.0'?>",
            "<!DOCTYPE a [ <!ELEMENT a (b)> <!ATTLIST a b CDATA #IMPLIED> ]>", "<!DOCTYPE a>", "<a\n\tb = \"1\"\n/>",
            "<a b=\"\u{b}é💧\"><c d='\"'/></a >",
        ])
    func skipsWholeElements(_ element: String) {
        for tail in ["", " ", "<b/>", "</a>"] {
            for size in [1, 2, 3, 7, 1_000] {
                #expect(skip(element + tail, size: size) == .done(end: element.utf8.count), "\(size)")
            }
        }
    }

    @Test(
        arguments: [
            ("<a b=\"1 <c/>", 8), ("<a b <c/>", 5), ("<a><b c='<'/></a>", 9), ("<<a/>", 1), ("<a></a <b/>", 7),
        ])
    func aTagWithinATagIsDamage(_ text: String, _ place: Int) {
        for size in [1, 2, 5, 1_000] { #expect(skip(text, size: size) == .damaged(at: place)) }
    }

    @Test func everyPrefixNeedsMore() {
        let element = "<a b='1'><c>x</c><!-- y --><![CDATA[z]]></a>"
        for length in 1..<element.utf8.count { #expect(skip(String(element.prefix(length))) == .needsMore) }
    }

    @Test func depthIsNotLimited() {
        let depth = 200_000
        let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        #expect(skip(text, size: 10_000) == .done(end: text.utf8.count))
    }
}
