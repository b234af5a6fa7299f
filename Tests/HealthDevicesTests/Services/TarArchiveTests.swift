import Foundation
import HealthCompression
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Archives in tar files, as Google hands them out, too")
struct TarArchiveTests {
    private static let rates = Array(
        #"[{"dateTime" : "05/01/24 07:00:07", "value" : {"bpm" : 60, "confidence" : 2}}]"#.utf8)
    private static let steps = Array(#"[{"dateTime" : "05/01/24 07:00:00", "value" : "25"}]"#.utf8)

    private static let files: [(name: String, bytes: [UInt8])] = [
        ("./Takeout/Fitbit/Global Export Data/heart_rate-2024-05-01.json", rates),
        ("./Takeout/Fitbit/Global Export Data/steps-2024-05-01.json", steps),
    ]

    /// A file of a tar archive as POSIX has it.
    private static func entry(_ name: String, _ bytes: [UInt8], kind: Character = "0", prefix: String = "") -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func set(_ text: String, at place: Int) {
            header.replaceSubrange(place..<(place + text.utf8.count), with: text.utf8)
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: digits - text.count) + text
        }
        set(name, at: 0)
        set("0000644", at: 100)
        set(octal(bytes.count, 11), at: 124)
        set(String(repeating: " ", count: 8), at: 148)
        set(String(kind), at: 156)
        set("ustar\0" + "00", at: 257)
        set(prefix, at: 345)
        set(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148)
        return header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
    }

    private static func archive(_ entries: [[UInt8]]) -> [UInt8] {
        entries.flatMap { $0 } + [UInt8](repeating: 0, count: 1_024)
    }

    private static let whole = archive([entry("./Takeout/", [], kind: "5")] + files.map { entry($0.name, $0.bytes) })

    @Test(
        "A tar file, one of gzip, and several in a folder are read",
        arguments: ["takeout.tar", "takeout.tgz", "any name"])
    func formats(name: String) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let bytes = name.hasSuffix(".tar") ? Self.whole : Deflater.deflated(Self.whole, format: .gzip)
        let report = try #require(try folder.importing(folder.write(bytes, "parts/\(name)")))
        #expect(report.addedCount == 2 && report.skips == [])
        #expect(
            try folder.samples("HeartRate").map(\.value) == [60] && folder.samples("StepCount").map(\.value) == [25])
        // The second part of a divided archive, with a file of the first one.
        let more = Self.archive([
            Self.entry("Takeout/distance-2024-05-01.json", Self.steps), Self.entry(Self.files[0].name, Self.rates),
        ])
        try folder.write(Deflater.deflated(more, format: .gzip), "parts/takeout-002.tar.gz")
        let both = try #require(try folder.importing(folder.url.path + "/parts"))
        #expect(both.added == ["HKQuantityTypeIdentifierDistanceWalkingRunning": 1] && both.skips == [])
        #expect(try folder.samples("HeartRate").count == 1)
    }

    @Test("Long names in each way in which they are written")
    func names() throws {
        let long = String(repeating: "x", count: 120) + "/steps-2024-05-01.json"
        let ctime = Array("23 ctime=1700000000.12\n".utf8)
        let path = " path=\(long)\n"
        let record = ctime + Array("\(path.utf8.count + 3)\(path)".utf8)
        let archives = [
            [Self.entry("././@LongLink", Array(long.utf8) + [0], kind: "L"), Self.entry("cut", Self.steps)],
            [Self.entry("PaxHeaders/cut", record, kind: "x"), Self.entry("cut", Self.steps)],
            [Self.entry("steps-2024-05-01.json", Self.steps, prefix: "Takeout/Fitbit")],
        ]
        for archive in archives {
            let folder = try ArchiveFolder()
            defer { folder.remove() }
            let report = try folder.importing(folder.write(Self.archive(archive), "a.tar"))
            #expect(report?.added == ["HKQuantityTypeIdentifierStepCount": 1])
        }
    }

    @Test("Of one that is cut off, what is before is read; one that unpacks to far more than it has is refused")
    func damages() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let cut = try #require(try folder.importing(folder.write(Array(Self.whole.dropLast(1_024 + 500)), "cut.tar")))
        #expect(cut.addedCount == 1 && cut.unread.map(\.count) == [1])
        var broken = Self.whole
        broken[512 + 1_024 + 3] ^= 1
        #expect(try folder.importing(folder.write(broken, "broken.tar"))?.unread.count == 1)
        let bomb = Self.entry("steps-2024-05-01.json", [UInt8](repeating: 0x20, count: 68 << 20))
        try folder.write(Deflater.deflated(bomb, format: .gzip), "bombs/bomb.tgz")
        #expect(throws: ImportError.self) { try folder.importing(folder.url.path + "/bombs") }
        #expect(TarDirectory.matches([UInt8](repeating: 0, count: 512)) == false)
        let other = Self.archive([Self.entry("apple_health_export/export.xml", Array("<HealthData/>".utf8))])
        let error = #expect(throws: ImportError.self) { try folder.importing(folder.write(other, "export.tar")) }
        #expect(error?.kind == .noExportInside)
    }
}
