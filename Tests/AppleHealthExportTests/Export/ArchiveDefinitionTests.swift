import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthStorage
import Testing

@testable import AppleHealthExport

@Suite struct ArchiveDefinitionTests {
    @Test func everyElementIsDeclaredOnce() {
        let names = ArchiveDefinition.elements.map(\.name)
        #expect(Set(names).count == names.count)
        for element in ArchiveDefinition.elements {
            let attributes = element.required + element.implied
            #expect(Set(attributes).count == attributes.count, "\(element.name)")
            // Every element in a content model is declared.
            for word in element.content.split(whereSeparator: { "()|*,".contains($0) }) where word != "EMPTY" {
                #expect(names.contains(String(word)), "\(word) in \(element.name)")
            }
        }
    }

    @Test(arguments: [1, 2])
    func exportsAreValid(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        var history = RandomHistory(seed: seed)
        try history.fill(engine, samples: 400)
        var bytes: [UInt8] = []
        let date = Date(timeIntervalSinceReferenceDate: 7.9e8)
        try ArchiveGenerator(options: .init(records: 1_000, seed: seed, exportDate: date)).writeXML { bytes += $0 }
        _ = try ArchiveImporter(engine: engine).run(path: folder.write(bytes, as: "original.xml"))
        let path = folder.path + "/out.xml"
        _ = try ArchiveExporter(engine: engine, options: .init(exportDate: date)).run(to: .xml(path: path))
        let run = try ExternalTool.xmllint.run(["--valid", "--noout", path])
        #expect(run.status == 0 && run.errors == "", "\(run.errors.prefix(1_000))")
    }
}
