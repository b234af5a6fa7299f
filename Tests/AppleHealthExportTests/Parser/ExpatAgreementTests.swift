@testable import AppleHealthExport
import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthModel
import Testing

/// The scanner against expat, element by element, on well-formed files.
@Suite struct ExpatAgreementTests {
    /// Prints a line for every element expat finds: its name, then its attributes.
    private static let script = """
        import sys, xml.parsers.expat as expat
        def clean(text): return text.replace("\\n", "\\u2028")
        def start(name, attributes):
            out.append(name + "".join("\\u241e" + clean(attributes[i]) + "=" + clean(attributes[i + 1]) for i in range(0, len(attributes), 2)))
        out = []
        parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.StartElementHandler = start
        parser.ParseFile(open(sys.argv[1], "rb"))
        sys.stdout.buffer.write("\\n".join(out).encode())
        """

    private func byExpat(_ path: String) throws -> [String] {
        let run = try ExternalTool.python3.run(["-c", Self.script, path])
        #expect(run.status == 0)
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func byScanner(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        var attributes = TagAttributes()
        bytes.withUnsafeBufferPointer { buffer in
            let base = buffer.baseAddress!
            var position = 0
            while true {
                position = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: bytes.count)
                guard position < bytes.count,
                    case .tag(let tag) = TagScanner.scan(base, at: position, end: bytes.count, into: &attributes)
                else { return }
                position = tag.end
                guard tag.kind == .open || tag.kind == .empty else { continue }
                let element = ElementReader.element(base, tag, attributes)
                lines.append(
                    element.name
                        + element.attributes.map {
                            "\u{241E}" + $0.name + "=" + $0.value.replacingOccurrences(of: "\n", with: "\u{2028}")
                        }.joined())
            }
        }
        return lines
    }

    private func compare(_ text: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let expected = try byExpat(folder.write(text, as: "export.xml"))
        let found = byScanner(text)
        #expect(found.count == expected.count)
        #expect(zip(found, expected).first { $0 != $1 } == nil)
    }

    @Test func agreesOnAGeneratedArchive() throws {
        var bytes: [UInt8] = []
        let generator = ArchiveGenerator(
            options: .init(records: 4_000, exportDate: Date(timeIntervalSinceReferenceDate: 7e8)))
        try generator.writeXML { bytes += $0 }
        try compare(bytes)
    }

    /// iOS 8 wrote no XML once there was metadata, and iOS 16 did not always: torn document types and control
    /// characters.
    @Test(arguments: DialectArchive.versions.filter { !$0.hasPrefix("16") && $0 != "8" })
    func agreesOnEveryDialect(_ version: String) throws {
        try compare(DialectArchive.of(version).bytes())
    }

    @Test(arguments: ["16", "16.1", "16.2", "16.4"])
    func agreesOnWhatIsLeftWithoutDefects(_ version: String) throws {
        var options = DialectArchive.options(version)
        options.hasDefects = false
        var bytes: [UInt8] = []
        try ArchiveGenerator(options: options).writeXML { bytes += $0 }
        try compare(bytes)
    }

    /// The importer takes what expat, as its strictest peers, gives up on.
    @Test(arguments: ["8", "16", "16.1", "16.2", "16.4"])
    func resumesWhereExpatStops(_ version: String) throws {
        let archive = try DialectArchive.of(version)
        #expect(try ExternalTool.python3.run(["-c", Self.script, archive.xml]).status != 0)
        let bytes = try archive.bytes()
        let parsed = Parsed(bytes)
        #expect(
            parsed.error == nil && parsed.skipped == archive.missingFiles
                && parsed.samples.count == archive.plainContents.records)
    }

    @Test func agreesOnOddButWellFormedText() throws {
        try compare(
            Array(
                ArchiveText.file([
                    ArchiveText.record(
                        source: "Jo’s Apple\u{A0}Watch 😀 &lt;&amp;&#10;&#x1F600;&quot;", device: ArchiveText.device),
                    "<!-- <Record/> --><A\n\tb = 'x \"y\" > z'\r\n c=\"1\t2\r\n3\"\n></A><?pi <a> ?><![CDATA[<B/>]]><C/>",
                ]).utf8))
    }
}
