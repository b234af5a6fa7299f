import Foundation
import Testing

@Suite("Files that aren’t read")
struct ImportUnreadTests {
    private let scratch = Scratch()
    private static let strange = ["a.csv": "one,two\n1,2\n", "b.json": #"{"posts": []}"#, "c.fit": "no activity"]

    private func folder(_ files: [String: String]) throws -> String {
        let folder = scratch.file("files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        return folder.path
    }

    @Test("Each is named with the reason, beside what is imported")
    func besideOthers() throws {
        let document =
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":"2026-02-06 14:30:00 +0000","qty":12}]}]}}"#
        let path = try folder(Self.strange.merging(["d.json": document]) { $1 })
        let run = try CommandRun(["import", path], store: scratch.store)
        #expect(run.status == 0 && run.lines.contains { $0.contains(#/^stepCount +1$/#) })
        let unread = run.output.components(separatedBy: "\nNot read:\n").last ?? ""
        for name in Self.strange.keys { #expect(unread.contains("  \(name) "), "\(name)") }
        #expect(unread.contains("with --columns") && unread.contains("as a whole"))
        let answer = try CommandRun(["import", path, "--json"], store: scratch.store).json() as? [String: Any]
        #expect(answer?["notRead"] as? Int == 3 && answer?["alreadyThere"] as? Int == 1)
    }

    @Test("A truncated file is among them, with the place up to which it was read")
    func truncated() throws {
        let points = (0..<60).map { second in
            "<trkpt lat=\"52\" lon=\"13\"><time>2025-11-10T08:00:\(second < 10 ? "0" : "")\(second)Z</time><hr>120</hr></trkpt>"
        }
        let path = try folder(["a.gpx": "<gpx><trk><type>running</type><trkseg>" + points.joined()])
        let run = try CommandRun(["import", path], store: scratch.store)
        #expect(run.status == 0 && run.lines.contains { $0.contains(#/^heartRate +60$/#) }, "\(run.output)")
        #expect(!run.output.contains("Not understood"))
        #expect(run.output.contains("\nNot read:\n  byte "))
    }

    @Test("A folder of another service is an error that names them")
    func onlyOthers() throws {
        let run = try CommandRun(["import", try folder(Self.strange)], store: scratch.store)
        #expect(run.status == 1 && run.errors.hasSuffix("can be imported: everything in it was skipped (3).\n"))
        let unread = run.output.components(separatedBy: "\nNot read:\n").last ?? ""
        for name in Self.strange.keys { #expect(unread.contains("  \(name) "), "\(name)") }
        #expect(!unread.contains("XML") && !run.errors.contains("XML"))
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }

    @Test("An empty folder has no XML file")
    func empty() throws {
        let run = try CommandRun(["import", try folder([:])], store: scratch.store)
        #expect(run.status == 1 && run.errors.hasSuffix("contains no Apple Health export: it has no XML file.\n"))
    }
}
