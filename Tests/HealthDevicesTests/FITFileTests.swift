import HealthFiles
import ArchiveTestSupport
import Testing

@testable import HealthDevices

@Suite("The container of FIT files")
struct FITFileTests {
    private static let records = FITMessageNumber.record

    @Test("Both byte orders, scales, offsets, invalid values and components")
    func fields() throws {
        let file = try #require(FITFile.files(in: FITFileWriter.run.file()).first)
        #expect(file.damages.isEmpty)
        let records = file.messages[Self.records]
        #expect(records.count == 100)
        #expect(records[3].number(FITField.Record.distance) == 9)
        #expect(records[3].number(FITField.Record.altitude) == 503)
        #expect(records[3].number(FITField.Record.enhancedAltitude) == 503)
        #expect(records[3].number(FITField.Record.enhancedSpeed) == 3.003)
        #expect(records[7].number(FITField.Record.heartRate) == nil)
    }

    @Test("Compressed headers continue the time, and compressed distances grow over their twelve bits")
    func compressed() throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .bytes(8, 3)])
        // A speed of 2.56 m/s and 4,000 sixteenths of a meter.
        writer.add(1, [FITFileWriter.start, 0x00, 0x01, 0xFA])
        writer.define(2, 20, [.bytes(8, 3)])
        let next = UInt8((FITFileWriter.start + 20) & 0x1F)
        writer.add(2, [0x00, 0x41, 0x06], timeOffset: next)
        let messages = try #require(FITFile.files(in: writer.file(hasShortHeader: true)).first).messages
        let records = messages[Self.records]
        #expect(records.map { $0.integer(FITField.timestamp) } == [FITFileWriter.start, FITFileWriter.start + 20])
        #expect(records[0].number(FITField.Record.speed) == 2.56)
        #expect(records[0].number(FITField.Record.enhancedSpeed) == 2.56)
        #expect(records.map { $0.number(FITField.Record.distance) } == [250, 262.25])
    }

    @Test("Chained files are read in order")
    func chain() {
        let files = FITFile.files(in: FITFileWriter.run.file() + FITFileWriter(type: 2).file())
        #expect(files.count == 2 && files.allSatisfy { $0.damages.isEmpty })
    }

    @Test("A file that is cut off is read up to there, and a wrong checksum is reported")
    func damage() throws {
        let whole = FITFileWriter.run.file()
        let cut = try #require(FITFile.files(in: Array(whole[..<1_500])).first)
        #expect(cut.damages.count == 1 && cut.messages[Self.records].count > 40)
        #expect(cut.damages.first.map { (1_400...1_500).contains($0.offset) } == true)
        var wrong = whole
        wrong[500] ^= 1
        let damages = try #require(FITFile.files(in: wrong).first).damages
        #expect(damages.contains { $0.isAnywhere && $0.offset == whole.count - 2 })
    }

    @Test("A header’s wrong checksum is reported, and doubtful only without the file’s; a second header is skipped")
    func headers() throws {
        let file = try #require(FITFile.files(in: FITFileWriter.run.file(headerChecksum: [1, 2])).first)
        #expect(file.damages.count == 1 && file.damages.allSatisfy { !$0.isAnywhere && $0.offset == 0 })
        let cut = FITFileWriter.run.file(headerChecksum: [1, 2]).dropLast(3)
        #expect(FITFile.files(in: Array(cut)).first?.damages.contains { $0.isAnywhere } == true)
        var writer = FITFileWriter(type: 4)
        writer.define(14, 20, [.uint32(253), .uint8(3)])
        writer.add(14, [FITFileWriter.start, 100])
        writer.append(Array(FITFileWriter(type: 4).file()[..<14]))
        writer.add(14, [FITFileWriter.start + 1, 101])
        let double = try #require(FITFile.files(in: writer.file()).first)
        #expect(double.damages.map(\.isAnywhere) == [false])
        let records = double.messages[20]
        #expect(records.map { $0.integer(FITField.Record.heartRate) } == [100, 101])
    }

    @Test("A developer’s field is a field of the profile in the profile’s unit, or none if its unit isn’t known")
    func developerFields() throws {
        var writer = FITFileWriter(type: 4)
        writer.describe(0, "Power", "Watts", native: 7)
        writer.describe(1, "Vertical Oscillation", "Centimeters", native: 39)
        writer.describe(2, "Stance", "furlongs", native: 41)
        let fields: [FITFileWriter.Field] = [.uint16(0), .uint16(1), .uint16(2)]
        writer.define(1, 20, [.uint32(253)], developer: fields)
        writer.add(1, [FITFileWriter.start, 250, 7, 240])
        let record = try #require(
            FITFile.files(in: writer.file()).first?.messages[Self.records].first)
        #expect(record.number(FITField.Record.power) == 250)
        #expect(record.number(FITField.Record.verticalOscillation) == 70)
        #expect(record.number(FITField.Record.stanceTime) == nil)
        #expect(record.developerFields.map(\.name) == ["Stance"])
    }

    @Test("No bytes trap")
    func anyBytes() {
        let whole = FITFileWriter.run.file()
        for place in whole.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var bytes = whole
                bytes[place] = value
                _ = FITReader.read(bytes, recoversDamaged: true)
            }
        }
        for count in 0..<whole.count { _ = FITReader.read(Array(whole[..<count]), recoversDamaged: true) }
    }
}
