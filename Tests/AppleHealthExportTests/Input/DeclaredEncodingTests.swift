@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
@testable import HealthFiles
import HealthModel
import Testing

@Suite struct DeclaredEncodingTests {
    private func read(_ bytes: [UInt8], room: Int) throws -> [UInt8] {
        let source = DecodingByteSource(MemorySource(bytes))
        var all: [UInt8] = []
        while true {
            let part = try [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                filled = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if part.isEmpty { return all }
            all += part
        }
    }

    private func declared(_ encoding: String, _ text: [UInt8]) -> [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\(encoding)?>\n".utf8) + text
    }

    @Test(
        arguments: ["\"ISO-8859-1\"", "'iso-8859-1'", "\"Windows-1252\" standalone=\"yes\"", "\"latin1\""],
        [1, 7, 300, 4_096])
    func isDecoded(_ encoding: String, _ room: Int) throws {
        let bytes = declared(encoding, [0x80, 0x4A, 0xF6, 0xFF, 0x93] + Array(repeating: 0xE9, count: 600))
        let text = String(decoding: try read(bytes, room: room), as: UTF8.self)
        #expect(text.hasSuffix("?>\n€Jöÿ“" + String(repeating: "é", count: 600)))
    }

    @Test(arguments: ["\"UTF-8\"", "\"utf-8\"", "\"ISO-8859-15\"", "UTF-8"], [1, 7, 300, 4_096])
    func otherEncodingsAreUnchanged(_ encoding: String, _ room: Int) throws {
        let bytes = declared(encoding, Array("“Jö”".utf8) + Array(repeating: 0x20, count: 600))
        #expect(try read(bytes, room: room) == bytes)
        let bare = Array("<HealthData encoding=\"ISO-8859-1\">é</HealthData>".utf8)
        #expect(try read(bare, room: room) == bare)
        #expect(try read([], room: room) == [])
    }

    @Test func everyByteHasACharacter() {
        #expect(DeclaredEncoding.table.count == 128)
        for byte in 0xA0...0xFF {
            #expect(
                String(decoding: DeclaredEncoding.table[byte - 0x80], as: UTF8.self)
                    == String(Unicode.Scalar(UInt8(byte))))
        }
        #expect(Set(DeclaredEncoding.table).count == 128)
    }

    @Test func anArchiveInLatin1IsReadAsOneInUTF8() throws {
        let home = try TemporaryFolder()
        let text = ArchiveText.file([ArchiveText.record(source: "Jörgs Gerät")])
        let store = try ImportedStore()
        try store.run(home.write(text, as: "utf8.xml"))
        let latin = try #require(
            text.replacingOccurrences(of: "UTF-8", with: "ISO-8859-1").data(using: .isoLatin1))
        let report = try store.run(home.write(Array(latin), as: "latin.xml"))
        #expect(report.addedCount == 0 && report.alreadyThereCount == 1 && report.irregularities == [:])
        #expect(try store.samples("HKQuantityTypeIdentifierStepCount").first?.revision?.source.name == "Jörgs Gerät")
    }
}
