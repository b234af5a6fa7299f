import HealthFiles
import HealthTesting
import Testing

@testable import AppleHealthExport

@Suite struct MarkupTextTests {
    private func written(_ text: String) -> (text: String, replaced: Int) {
        let buffer = ByteBuffer(capacity: 1)
        let replaced = MarkupText.append(text, to: buffer)
        return (String(decoding: buffer.bytes, as: UTF8.self), replaced)
    }

    @Test func escapesMarkup() {
        #expect(written("a<b>&\"c\"'").text == "a&lt;b&gt;&amp;&quot;c&quot;'")
        #expect(written("\ta\nb\r").text == "&#9;a&#10;b&#13;")
        #expect(written("Jo’s Apple\u{A0}Watch 😀 кг·м").text == "Jo’s Apple\u{A0}Watch 😀 кг·м")
        #expect(written("").text == "")
    }

    @Test func replacesInvalidCharacters() {
        #expect(written("a\u{B}b\u{0}") == ("a\u{FFFD}b\u{FFFD}", 2))
        #expect(written("\u{FFFE}x\u{FFFF}y\u{FFFD}ﬁ") == ("\u{FFFD}x\u{FFFD}y\u{FFFD}ﬁ", 2))
    }

    @Test func agreesWithAttributeText() {
        var random = SplitMix64(seed: 5)
        let letters = Array("ab <>&\"'\t\n\rü€😀\u{A0}\u{FFFD}ﬁ·").map(String.init)
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in letters.randomElement(using: &random)! }
                .joined()
            #expect(written(text) == (AttributeText.encode(text), 0))
            let back = Array(written(text).text.utf8).withUnsafeBufferPointer { AttributeText.decode($0) }
            #expect(back == text)
        }
    }

    @Test func recognizesNames() {
        for name in ["a", "Record", "_x", "a-b.c", "ns:name", "größe", "名前", "a·b"] { #expect(MarkupText.isName(name)) }
        for name in ["", "1a", "-a", "a b", "a\"", "a>", "×", "a=b", "#text"] { #expect(!MarkupText.isName(name)) }
    }
}
