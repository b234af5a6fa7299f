@testable import HealthFiles
import ArchiveTestSupport
import HealthTesting
import Testing

@Suite struct TagScannerTests {
    /// The outcome at `start` of `text`, in the terms of the reference implementation.
    private func scan(_ bytes: [UInt8], at start: Int = 0) -> NaiveScanner.Outcome {
        // Zeros behind the end, as in a window.
        let padded = bytes + [UInt8](repeating: 0, count: ScanWindow.padding)
        return padded.withUnsafeBufferPointer { buffer in
            let base = buffer.baseAddress!
            var attributes = TagAttributes()
            switch TagScanner.scan(base, at: start, end: bytes.count, into: &attributes) {
            case .needsMore: return .needsMore
            case .malformed(let resume): return .malformed(resume: resume)
            case .tag(let tag):
                let kind: NaiveScanner.Kind =
                    switch tag.kind {
                    case .open: .open
                    case .empty: .empty
                    case .close: .close
                    case .aside: .aside
                    }
                var list: [NaiveScanner.Attribute] = []
                for index in 0..<attributes.count {
                    list.append(
                        .init(
                            name: Array(attributes[index].name.bytes(in: base)),
                            value: Array(attributes[index].value.bytes(in: base))))
                }
                return .tag(
                    kind: kind, name: tag.name.exists ? Array(tag.name.bytes(in: base)) : [], attributes: list,
                    end: tag.end)
            }
        }
    }

    private func attributes(_ text: String) -> [String]? {
        guard case .tag(_, _, let attributes, _) = scan(Array(text.utf8)) else { return nil }
        return attributes.map {
            String(decoding: $0.name, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self)
        }
    }

    @Test func readsAttributesInAnyOrderAndQuote() {
        #expect(attributes(#"<A b="1" c='2'  d = "3"/>"#) == ["b=1", "c=2", "d=3"])
        #expect(attributes("<A\n b=\"x > y\"\tc='\"'>") == ["b=x > y", "c=\""])
        #expect(attributes("<A>") == [])
    }

    @Test func acceptsAttributeNamesWithSpaces() {
        #expect(
            attributes(#"<Record Health Mate App Version="2.6.0" x="1"/>"#) == ["Health Mate App Version=2.6.0", "x=1"])
    }

    @Test(arguments: [
        ("<!-- a <b> -- c -->x", 19), ("<![CDATA[ <a>]] ]]>x", 19), ("<?xml version=\"1.0\"?>x", 21),
        ("<!DOCTYPE HealthData [ <!ELEMENT x (y)> <!-- > --> ]>x", 53), ("<!DOCTYPE HealthData>x", 21),
    ])
    func stepsOver(_ text: String, _ end: Int) {
        #expect(scan(Array(text.utf8)) == .tag(kind: .aside, name: [], attributes: [], end: end))
    }

    @Test(arguments: [
        ("<a b=\"1<c/>", 7), ("<a b=\"1 <c d=\"2\"/>", 8), ("< a>", 1), ("<a b>", 4), ("<a b c=>", 7),
        ("<a =\"1\">", 3),
        ("<a / >", 3), ("</>", 2), ("</a b>", 4), ("<!x y z yy>", 1),
    ])
    func refuses(_ text: String, _ resume: Int) {
        #expect(scan(Array(text.utf8)) == .malformed(resume: resume))
    }

    @Test func needsMoreAtEveryCut() {
        let text = Array(#"<Record type="a" unit='b' value="&lt;1"/>"#.utf8)
        for length in 1..<text.count {
            #expect(scan(Array(text[..<length])) == .needsMore, "cut at \(length)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func agreesWithTheReferenceScannerOnMutatedText(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let whole = Array(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE HealthData [
            <!-- HealthKit Export Version: 14 -->
            <!ELEMENT HealthData (ExportDate,Me,(Record)*)>
            ]>
            <HealthData locale="en_US">
             <ExportDate value="2026-01-15 09:12:33 +0100"/>
             <Record type="HKQuantityTypeIdentifierStepCount" device="&lt;&lt;HKDevice: 0x282e3a260&gt;, name:Apple Watch&gt;" value="72">
              <MetadataEntry key="a" value="b &amp; c"/>
             </Record>
             <!-- comment --><Workout a='1' b="2"><WorkoutEvent/></Workout>
             <![CDATA[ < > ]]><X
              y = "z"	></X>
            </HealthData>
            """#.utf8)
        for _ in 0..<400 {
            let bytes = Mutation.apply(to: whole, from: 0, count: Int.random(in: 1...4, using: &random), using: &random)
            let twin = NaiveScanner(bytes: bytes)
            for start in bytes.indices where bytes[start] == UInt8(ascii: "<") {
                let (fast, slow) = (scan(bytes, at: start), twin.scan(at: start))
                #expect(fast == slow, "seed \(seed), offset \(start) of \(String(decoding: bytes, as: UTF8.self))")
                if fast != slow { return }
            }
        }
    }
}
