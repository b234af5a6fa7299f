@testable import HealthKit
import HealthTesting
import Testing

struct XMLScannerTests {
    private func tokens(_ text: String) throws -> [XMLScanner.Token] {
        var scanner = XMLScanner(Array(text.utf8))
        var found: [XMLScanner.Token] = []
        while let token = try scanner.next() { found.append(token) }
        return found
    }

    @Test func readsElementsTextAndReferences() throws {
        let text = """
            <?xml version="1.0"?><!-- a comment --><c:a x="1>2"><b/>one &amp; &#x41;&#66;<![CDATA[<raw>]]></c:a>
            """
        #expect(
            try tokens(text) == [
                .start("a"), .start("b"), .end, .text("one & AB"), .text("<raw>"), .end,
            ])
    }

    @Test(arguments: [
        "", " ", "text", "<a>", "<a></b>", "<a/><b/>", "<a", "<a x=\"1></a>", "<a>&unknown;</a>", "<a>&#xD800;</a>",
        "<a>&amp</a>", "<!-- no end", "<a><![CDATA[no end</a>", "</a>", "<a></a >x", "<a><</a>", "< a/>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>",
    ])
    func rejectsTextThatIsNotWellFormed(_ text: String) {
        #expect(throws: XMLScanError.self) { try self.tokens(text) }
    }

    @Test func refusesDepthAndInvalidUTF8() {
        let deep = String(repeating: "<a>", count: XMLScanner.maximumDepth + 1)
        #expect(throws: XMLScanError.tooDeep(offset: 3 * XMLScanner.maximumDepth)) { try tokens(deep) }
        var scanner = XMLScanner([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E])
        #expect(throws: XMLScanError.self) { while try scanner.next() != nil {} }
    }

    @Test func anyBytesScanOrThrow() {
        let whole = Array("<a b='c'><d>&lt;e</d><!--f--><![CDATA[g]]><h/></a>".utf8)
        for end in whole.indices {
            var scanner = XMLScanner(Array(whole[..<end]))
            while let token = try? scanner.next() { _ = token }
        }
        var random = SplitMix64(seed: 7)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var scanner = XMLScanner(bytes)
            while let token = try? scanner.next() { _ = token }
        }
    }
}
