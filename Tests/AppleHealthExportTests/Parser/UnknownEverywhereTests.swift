@testable import AppleHealthExport
import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage
import Testing

/// Something unknown in every element of complete archives: it is exported again where it was, or the report
/// says on which line it was left out.
@Suite struct UnknownEverywhereTests {
    private static let exported = Date(timeIntervalSinceReferenceDate: 8e8)

    /// Imports into a separate store and exports it again, both with the files beside.
    private func pass(_ path: String, to target: String) throws -> (
        report: ImportReport, text: String, store: ImportedStore
    ) {
        let store = try ImportedStore()
        let report = try ArchiveImporter(engine: store.engine, options: .init(batchSize: 700, maximumReasons: 100_000))
            .run(path: path)
        let exported = try ArchiveExporter(
            engine: store.engine,
            options: ExportOptions(
                exportDate: Self.exported, timeZone: try #require(TimeZone(identifier: "America/New_York")),
                writesSupplement: false)
        ).run(to: .folder(path: target))
        #expect(exported.leftOut == [:])
        return (report, try String(contentsOfFile: target + "/apple_health_export/export.xml", encoding: .utf8), store)
    }

    /// Enough of a difference to see what it is.
    private static func few(_ lines: [String]) -> [String] { lines.prefix(4).map { String($0.prefix(900)) } }

    /// The elements of a text directly below its root, in their own order.
    private func elements(_ text: String) throws -> [String] {
        let root = try #require(text.range(of: "<HealthData "))
        return try #require(ElementText.parse(String(text[root.lowerBound...].dropLast()))).children
            .filter { $0.name != ElementReader.textName }
            .map { element in
                var element = element
                // Members come in the order of the store.
                if element.name == "Correlation" {
                    element.children.sort { ElementText.print($0) < ElementText.print($1) }
                }
                return ElementText.print(element)
            }.sorted()
    }

    /// A folder like the archive's, with another main file.
    private func folder(_ archive: DialectArchive, _ text: String, in home: TemporaryFolder) throws -> String {
        let folder = home.path + "/odd"
        try FileManager.default.copyItem(atPath: archive.folder, toPath: folder)
        let main = try #require(
            FileManager.default.subpathsOfDirectory(atPath: folder).first { $0.hasSuffix("export.xml") })
        try text.write(toFile: "\(folder)/\(main)", atomically: true, encoding: .utf8)
        return folder
    }

    /// Everything at once, and one element in three, which leaves most of its surroundings known.
    @Test(arguments: ["8", "9", "12", "14", "16.2", "26"], [1, 3])
    func isKeptOrCountedWithItsLine(_ version: String, _ share: Int) throws {
        let archive = try DialectArchive.of(version)
        let main = try #require(
            FileManager.default.subpathsOfDirectory(atPath: archive.folder).first { $0.hasSuffix("export.xml") })
        // Without the characters that XML does not allow, which come out as another one.
        let whole = try String(contentsOfFile: archive.folder + "/" + main, encoding: .utf8).replacingOccurrences(
            of: "\u{0B}", with: " ")
        let odd = OddArchive(whole) { name, number in
            share == 1 || number % share == 0 || ["HealthData", "ExportDate", "Me"].contains(name)
        }
        // The generator writes each element the version has; the report must name no other.
        #expect(
            odd.elements.isSuperset(
                of: ["HealthData", "ExportDate", "Me", "Record", "Correlation", "Workout"]
                    + (version == "8" ? [] : ["MetadataEntry"])))
        let home = try TemporaryFolder()
        let first = try pass(try folder(archive, odd.text, in: home), to: home.path + "/out")
        let found = OddArchive.marks(in: first.text)
        let skipped = Set(first.report.skips.map(\.line))
        for mark in odd.marks where found[mark.text] == nil {
            #expect(skipped.contains(mark.outerLine), "\(mark.text) in \(mark.element) on line \(mark.line)")
        }
        // Text directly in HealthData is all that has no place.
        let lost = odd.marks.filter { found[$0.text] == nil }
        #expect(
            lost.map(\.element) == ["HealthData", "HealthData"].prefix(lost.count).map(\.self), "\(lost.prefix(5))")
        #expect(first.report.skips.map(\.type) == ["HealthData"])
        // In its own place: a mark is in as many elements as it was put into, members of correlations in two at most.
        for mark in odd.marks { #expect(found[mark.text, default: 0] <= 2, "\(mark)") }
        // What is kept is noted, too, with the line where it was first met.
        #expect(first.report.irregularities["Record with attribute zz, preserved", default: 0] > 0)
        for note in first.report.irregularities.keys {
            #expect(first.report.irregularityLines[note] != nil || note.hasPrefix("control"), "\(note)")
        }

        let second = try pass(home.path + "/out", to: home.path + "/again")
        #expect(second.report.skips.map(\.reason) == [])
        let (one, two) = try (self.elements(first.text), self.elements(second.text))
        let elements = Self.few(Set(one).symmetricDifference(two).sorted())
        let (image, other) = try (StoreImage(first.store.engine), StoreImage(second.store.engine))
        // Characteristics that an archive has no word of come out as not set.
        let stored = Self.few(image.difference(from: other).filter { $0 != "importMetadata" })
        #expect(image.importMetadata.allSatisfy { other.importMetadata[$0.key] == $0.value })
        #expect(elements == [])
        #expect(one.count == two.count)
        #expect(stored == [])
        let again = try first.store.run(home.path + "/out")
        #expect(again.addedCount == 0, "\(again.added)")
    }

    @Test("Text in a CDATA section, text after the end, and a conflicting second header are counted with their lines")
    func corners() throws {
        let text =
            ArchiveText.file([
                "<![CDATA[a < b]]>", "<Me HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\"/>",
                "<Me HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexMale\" more=\"1\"/>",
                "<ExportDate value=\"2020-01-01 00:00:00 +0000\"/>",
                ArchiveText.record(children: ["<![CDATA[a &amp; b]]>"]),
            ]) + "words\n<!-- a comment -->"
        let parsed = Parsed(text)
        #expect(parsed.skips.map(\.line) == [8, 10, 11, 16])
        #expect(parsed.skips.map(\.type) == ["HealthData", "Me", "ExportDate", "HealthData"])
        #expect(parsed.header.characteristics.map(\.value) == ["HKBiologicalSexFemale", "1"])
        #expect(parsed.samples.first?.metadata["_archived.element"] == .string("a &amp;amp; b"))
        #expect(Parsed(text, chunkSize: 16, usesTemplates: false).skips == parsed.skips)
    }
}
