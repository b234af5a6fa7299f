import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthCompression
import HealthDevices
import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import HealthStorage
import Testing

@Suite("Importing files of devices")
struct DeviceImporterTests {
    private let engine: HealthEngine
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("devices-\(UUID().uuidString)")

    init() throws {
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file.path
    }

    private func importing(_ path: String, _ options: ImportOptions = .init()) throws -> ImportReport? {
        try FileImporter.run(path: path, options: options) { engine }
    }

    @Test("The same file again, compressed or in a folder, adds nothing")
    func again() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = FITFileWriter.run.file()
        let first = try #require(try importing(write(bytes, "run.bin")))
        #expect(first.added["HKWorkoutTypeIdentifier"] == 1)
        #expect(first.added["HKWorkoutRouteTypeIdentifier"] == 1)
        #expect(first.added["HKQuantityTypeIdentifierHeartRate"] == 99)
        let packed = try write(Deflater.deflated(bytes, format: .gzip), "run.fit.gz")
        for path in [packed, folder.path] {
            let report = try #require(try importing(path))
            #expect(report.added == [:], "\(path)")
            #expect(report.alreadyThereCount > 0)
            #expect(report.skips.map(\.reason) == [])
        }
    }

    /// The places and heart rates of ``FITFileWriter/run``, as a service writes them.
    private func gpx(eastward shift: Double = 0) -> [UInt8] {
        let points = (0..<100).map { second in
            let time = Double(FITFileWriter.start) - 347_241_600 + Double(second + (second >= 50 ? 10 : 0))
            let latitude = Double(573_845_000 + second * 100) * 180 / 0x1p31
            let longitude = Double(137_200_000 + second * 100) * 180 / 0x1p31 + shift
            return "<trkpt lat=\"\(String(format: "%.6f", latitude))\" lon=\"\(String(format: "%.6f", longitude))\">"
                + "<time>\(Date(timeIntervalSinceReferenceDate: time).ISO8601Format())</time>"
                + "<extensions><hr>\(120 + second % 40)</hr></extensions></trkpt>"
        }
        return Array(
            "<gpx creator=\"Service\"><trk><type>running</type><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
    }

    private func counts() throws -> (workouts: Int, rates: Int) {
        let workout = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier")).code
        let rate = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierHeartRate")).code
        return try engine.withReader(as: .reader) { reader in
            (try reader.objects(of: workout).count, try reader.pages(of: rate).reduce(0) { $0 + $1.count })
        }
    }

    private func leftOut(_ report: ImportReport) -> [String] {
        report.irregularities.keys.filter { $0.contains("copy of it") }
    }

    private static let less = "workout with no more detail than a copy of it, left out"

    @Test("The same run as FIT and GPX is one workout, that with more detail, in whatever order they come")
    func copies() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (fit, other) = try (write(FITFileWriter.run.file(), "run.fit"), write(gpx(), "a.gpx"))
        #expect(try importing(other)?.added["HKWorkoutTypeIdentifier"] == 1)
        #expect(try counts() == (1, 100))
        let richer = try #require(try importing(fit))
        #expect(leftOut(richer) == ["workout of the store with less detail than a copy of it, left out"])
        #expect(try counts() == (1, 99))
        let again = try #require(try importing(other))
        #expect(again.addedCount == 0 && again.alreadyThereCount == 0 && leftOut(again) == [Self.less])
        let both = try #require(try importing(folder.path))
        #expect(both.addedCount == 0 && leftOut(both) == [Self.less])
        #expect(try counts() == (1, 99))
        var options = ImportOptions()
        options.keepsCopies = true
        let kept = try #require(try importing(folder.path, options))
        #expect(kept.added["HKWorkoutTypeIdentifier"] == 1 && leftOut(kept).isEmpty)
        #expect(try counts() == (2, 199))
    }

    @Test(
        "What was read of a file that is cut off is replaced by the whole file and is all there",
        arguments: [700, 1_500])
    func wholeAfterCut(length: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = FITFileWriter.run.file()
        #expect(try importing(write(Array(bytes[..<length]), "cut.fit"))?.added["HKWorkoutTypeIdentifier"] == 1)
        let whole = try #require(try importing(write(bytes, "run.fit")))
        #expect(leftOut(whole) == ["workout of the store with less detail than a copy of it, left out"])
        #expect(try counts() == (1, 99))
        let again = try #require(try importing(folder.path))
        #expect(again.addedCount == 0)
        #expect(try counts() == (1, 99))
    }

    @Test("A swim without heart rates is recognized by its time and distance, and what names the sport is preferred")
    func swims() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try write(activity(isSwim: true), "z.fit")
        // The same device's file as a service writes it: in another sport, and without the rest at the end.
        let time = Date(timeIntervalSinceReferenceDate: Double(FITFileWriter.start) - 347_241_600).ISO8601Format()
        let tcx = """
            <TrainingCenterDatabase><Activities><Activity Sport="Other"><Lap StartTime="\(time)">
            <TotalTimeSeconds>300</TotalTimeSeconds><DistanceMeters>250</DistanceMeters><Calories>40</Calories>
            </Lap></Activity></Activities></TrainingCenterDatabase>
            """
        _ = try write(Array(tcx.utf8), "a.tcx")
        let report = try #require(try importing(folder.path))
        #expect(report.added["HKWorkoutTypeIdentifier"] == 1 && leftOut(report) == [Self.less])
        #expect(report.added["HKQuantityTypeIdentifierSwimmingStrokeCount"] == 10)
    }

    @Test("A device's workout is recognized by its time where a service has other heart rates")
    func sameDevice() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try write(activity(isSwim: false), "z.fit")
        let start = Date(timeIntervalSinceReferenceDate: Double(FITFileWriter.start) - 347_241_600)
        let points = (0..<10).map {
            "<Trackpoint><Time>\(start.addingTimeInterval(Double($0) * 30).ISO8601Format())</Time><HeartRateBpm><Value>"
                + "\(91 + $0)</Value></HeartRateBpm></Trackpoint>"
        }
        let tcx = """
            <TrainingCenterDatabase><Activities><Activity Sport="Other"><Lap StartTime="\(start.ISO8601Format())">
            <TotalTimeSeconds>300</TotalTimeSeconds><DistanceMeters>250</DistanceMeters><Calories>40</Calories>
            <Track>\(points.joined())</Track></Lap><Creator><Name>Forerunner 255</Name><UnitId>12345</UnitId>
            <ProductID>3992</ProductID></Creator></Activity></Activities></TrainingCenterDatabase>
            """
        _ = try write(Array(tcx.utf8), "a.tcx")
        let report = try #require(try importing(folder.path))
        #expect(report.added["HKWorkoutTypeIdentifier"] == 1 && leftOut(report) == [Self.less])
    }

    /// A walk whose last heart rate is a moment before its end, and a swim without any.
    private func activity(isSwim: Bool) -> [UInt8] {
        let start = FITFileWriter.start
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint8(3), .uint32(5)])
        writer.define(2, 101, [.uint32(2), .uint32(3), .uint16(5), .enumeration(12)])
        writer.define(
            3, 18,
            [
                .uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6), .uint16(11),
                .uint16(44),
            ])
        for place in 0..<10 as Range<Int64> {
            if isSwim {
                writer.add(2, [start + place * 30, 30_000, 12, 1])
            } else {
                writer.add(1, [start + place * 30, 90 + place, place * 3_000])
            }
        }
        writer.add(
            3, [start + 300, start, 300_000, 25_000, isSwim ? 5 : 11, isSwim ? 17 : 0, 40, isSwim ? 2_500 : 0xFFFF])
        return writer.file()
    }

    @Test("An export of a workout adds nothing to the store that it was written from", arguments: [true, false])
    func ownExports(isSwim: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try importing(write(activity(isSwim: isSwim), "activity.fit"))
        let workout = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier")).code
        let uuid = try engine.withReader(as: .reader) { reader in
            reader.identities.uuid(for: try #require(try reader.objects(of: workout).first).sequence)
        }
        let rates = isSwim ? 0 : 10
        for format in [WorkoutFileFormat.fit, .tcx] {
            let exporter = WorkoutFileExporter(format, FormatOptions(timeZone: .gmt))
            let file = try exporter.file(of: uuid, in: engine, as: .reader)
            let report = try #require(try importing(write(file.bytes, "export.\(format)")))
            #expect(report.addedCount == 0 && leftOut(report) == [Self.less], "\(format)")
            #expect(try counts() == (1, rates))
        }
    }

    @Test("Files of one import have one workout, and two devices on the same run have two")
    func devices() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try (
            write(FITFileWriter.run.file(), "z.fit"), write(gpx(), "a.gpx"), write(gpx(eastward: 0.00004), "b.gpx")
        )
        let report = try #require(try importing(folder.path))
        #expect(report.added["HKWorkoutTypeIdentifier"] == 2 && leftOut(report) == [Self.less])
        #expect(report.irregularities[Self.less] == 1)
    }

    @Test("A folder and a zip file may have files of every format, and routes of an archive of Apple's aren't claimed")
    func mixed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let routes = folder.appendingPathComponent("workout-routes")
        try FileManager.default.createDirectory(at: routes, withIntermediateDirectories: true)
        try Data(gpx()).write(to: routes.appendingPathComponent("route.gpx"))
        let registry = FileRegistry([AppleArchiveReader()] + (try FileRegistry.devices()))
        let refused = #expect(throws: ImportError.self) {
            try FileImporter.run(path: folder.path, options: .init(), registry: registry) { engine }
        }
        #expect(refused?.description.contains("is a route of an Apple Health export") == true)
        try FileManager.default.removeItem(at: routes)
        let lap = TrackReaderTests.lap(0, 20, 100, 7, [(0..<10).map { TrackReaderTests.point($0, Double($0)) }])
        let tcx =
            "   <TrainingCenterDatabase><Activities><Activity Sport=\"Running\">\(lap)</Activity></Activities>"
            + "</TrainingCenterDatabase>"
        _ = try write(Deflater.deflated(Array(tcx.utf8), format: .gzip), "b.tcx.gz")
        _ = try write(FITFileWriter.run.file(), "a")
        _ = try write(Array("text".utf8), "notes.txt")
        let report = try #require(try importing(folder.path))
        #expect(report.added["HKWorkoutTypeIdentifier"] == 2 && report.skippedCount == 0)
    }

    @Test("Other files are not claimed, damaged ones are refused or reported, and --mirror is refused")
    func refusals() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try importing(write(Array("<HealthData>".utf8), "export.xml")) == nil)
        #expect(throws: ImportError.self) { try importing(folder.path) }
        let bytes = FITFileWriter.run.file()
        var wrong = bytes
        wrong[500] ^= 1
        let damaged = try write(wrong, "wrong.fit")
        #expect(throws: ImportError.self) { try importing(damaged) }
        let cut = try #require(try importing(write(Array(bytes[..<1_500]), "cut.fit")))
        #expect(cut.addedCount > 0 && cut.skips.count == 1 && cut.skips[0].byte != nil)
        let run = try write(bytes, "run.fit")
        let mirroring = FileRegistry([AppleArchiveReader(.init(mirrors: true))] + (try FileRegistry.devices()))
        let refused = #expect(throws: ImportError.self) {
            try FileImporter.run(path: run, options: .init(), registry: mirroring) { engine }
        }
        #expect(refused?.description.contains("--mirror") == true)
    }
}
