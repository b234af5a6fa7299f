@testable import HealthFiles
import Testing

@Suite struct AttributeTextTests {
    private func decode(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer(AttributeText.decode)
    }

    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a &lt; b &gt; c &amp; d &quot; e &apos;", "a < b > c & d \" e '"),
        ("&#10;&#65;&#x41;&#x1F600;", "\nAA😀"), ("line\nfeed\r\nand\ttab", "line feed and tab"),
        ("mmol&lt;180.1558800000541&gt;/L", "mmol<180.1558800000541>/L"), ("kcal/hr·kg", "kcal/hr·kg"),
        ("Jo’s Apple\u{A0}Watch 😀", "Jo’s Apple\u{A0}Watch 😀"),
    ])
    func decodes(_ raw: String, _ text: String) {
        #expect(decode(raw) == text)
    }

    @Test(arguments: [
        "&foo;", "&", "a & b", "&#;", "&#x;", "&#xD800;", "&#1114112;", "&#-5;", "&#+5;", "&amp",
        "&toolongtobeanentity;",
    ])
    func keepsInvalidReferences(_ raw: String) {
        #expect(decode(raw) == raw)
    }

    @Test func keepsControlCharacters() {
        #expect(decode("a\u{0B}b\u{01}") == "a\u{0B}b\u{01}")
    }

    @Test func replacesInvalidUTF8() {
        #expect([0x61, 0xFF, 0x62].withUnsafeBufferPointer(AttributeText.decode) == "a\u{FFFD}b")
    }

    @Test(arguments: ["", "a<b>&\"'", "line\nfeed\ttab\rreturn", "Jo’s\u{A0}Watch"])
    func roundTrips(_ text: String) {
        #expect(decode(AttributeText.encode(text)) == text)
    }
}
