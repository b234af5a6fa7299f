import Foundation
import ProcessTestSupport
import Testing

@Suite("hk generate")
struct GenerateTests {
    private let scratch = Scratch()

    private func generate(_ name: String, _ options: [String]) throws -> Data {
        let run = try CommandRun(["generate", scratch.file(name).path] + options, store: scratch.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        return try Data(contentsOf: scratch.file(name))
    }

    @Test("The same options produce the same bytes", arguments: ["a.xml", "a.zip"])
    func deterministic(name: String) throws {
        let first = try generate(name, Demo.options)
        #expect(try generate("again-" + name, Demo.options) == first)
        #expect(first == (try Data(contentsOf: Demo.shared.file("demo." + name.suffix(3)))))
        var other = Demo.options
        other[3] = "8"
        #expect(try generate("other-" + name, other) != first)
    }

    @Test("Reports the number of records, which is at least the requested one")
    func counts() throws {
        for count in ["2500", "14000"] {
            let path = scratch.file("\(count).xml")
            let run = try CommandRun(["generate", path.path, "--records", count, "--json"], store: scratch.store)
            let answer = try #require(try run.json() as? [String: Any])
            let written = try #require(answer["records"] as? Int)
            #expect(answer["path"] as? String == path.path)
            #expect(written >= Int(count)! && Double(written) <= Double(count)! * 1.05)
            let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
            #expect(text.components(separatedBy: "\n <Record ").count - 1 == written)
        }
        let plain = try CommandRun(["generate", scratch.file("b.xml").path, "--records", "2500"], store: scratch.store)
        #expect(plain.output == "Wrote 2,500 records to \(scratch.file("b.xml").path).\n")
    }

    @Test("A folder has the layout of an unpacked archive")
    func folder() throws {
        let inside = Demo.shared.file("demo/apple_health_export/export.xml")
        #expect(try Data(contentsOf: inside) == Data(contentsOf: Demo.shared.file("demo.xml")))
    }

    @Test(
        "On a full disk, the error names the file and the reason, and nothing is left",
        arguments: ["a.xml", "a.zip", "a"])
    func fullDisk(name: String) throws {
        let run = try CommandRun(
            shell:
                "cd '\(scratch.folder.path)' && ulimit -f 300 && '\(BuiltProgram.hk.path)' generate \(name) --records 20000",
            store: scratch.store)
        #expect(run.status == 1 && run.output == "")
        #expect(run.errors.contains("\(name)") && run.errors.hasSuffix(": File too large.\n"), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    }

    @Test(
        "Nothing is replaced: a person’s own archive has the same name", arguments: ["export.zip", "export.xml", "."])
    func replacing(name: String) throws {
        let place = name == "." ? "apple_health_export/export.xml" : name
        let url = scratch.file(place)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("ten years".utf8).write(to: url)
        let run = try CommandRun(
            ["generate", name, "--records", "1000"], store: scratch.store, folder: scratch.folder)
        #expect(run.status == 64 && run.output == "")
        let what = name == "." ? "./apple_health_export" : name
        #expect(run.errors == "Error: “\(what)” already exists. Nothing was changed; choose another path.\n")
        #expect(try String(contentsOf: url, encoding: .utf8) == "ten years")
    }

    @Test("Without --until, the data ends now")
    func now() throws {
        let text = String(decoding: try generate("now.xml", ["--records", "1000"]).prefix(12_000), as: UTF8.self)
        #expect(text.contains("<ExportDate value=\"2025-11-16 12:00:00 -0500\"/>"))
    }

    @Test("Invalid arguments are reported")
    func mistakes() throws {
        for (arguments, message) in [
            (["/nonexistent/a.xml"], "Error: “/nonexistent/a.xml”: "),
            (["/nonexistent/a.zip"], "Error: “/nonexistent/a.zip” "),
            (["/proc/a"], "Error: “/proc/a"),
            ([scratch.file("a.xml").path, "--records", "0"], "Error: --records must be at least 1."),
            ([scratch.file("a.xml").path, "--until", "soon"], "Error: --until: “soon” is not a date"),
            ([scratch.file("a.xml").path, "--time-zone", "Nowhere"], "Error: “Nowhere” is not a time zone"),
        ] {
            let run = try CommandRun(["generate"] + arguments, store: scratch.store)
            #expect(run.status != 0)
            #expect(run.output == "")
            #expect(run.errors.hasPrefix(message), "\(run.errors)")
        }
    }
}
