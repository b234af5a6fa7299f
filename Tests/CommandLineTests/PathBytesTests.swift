import Foundation
import ProcessTestSupport
import Testing

/// Paths that Swift’s strings can’t hold. The shell’s `printf` makes them.
@Suite("Paths that aren’t UTF-8")
struct PathBytesTests {
    private let scratch = Scratch()

    private func shell(_ line: String) throws -> CommandRun {
        try CommandRun(
            shell: """
                cd '\(scratch.folder.path)' && F=$(printf 'b\\374cher') && mkdir -p "$F" && \
                hk() { '\(BuiltProgram.hk.path)' "$@"; } && \(line)
                """, store: scratch.store)
    }

    @Test("Archives are imported from them")
    func archives() throws {
        let demo = Demo.shared.folder.path
        for copy in ["cp '\(demo)/demo.zip' \"$F/demo.zip\"", "cp -r '\(demo)/demo' \"$F/demo\""] {
            let name = copy.hasSuffix("zip\"") ? "demo.zip" : "demo"
            let run = try shell("\(copy) && hk import \"$F/\(name)\" --json --store \(name).sqlite")
            #expect(run.status == 0 && run.errors == "")
            #expect((try run.json() as? [String: Any])?["added"] as? Int == 3_063)
        }
        let named = try shell("cp '\(demo)/demo.zip' \"$F.zip\" && hk import \"$F.zip\" --json --store third.sqlite")
        #expect((try named.json() as? [String: Any])?["added"] as? Int == 3_063)
        let missing = try shell("hk import \"$F/none.zip\"")
        #expect(missing.errors.contains("“b\u{FFFD}cher/none.zip”") && missing.status == 1)
    }

    @Test("An existing store may have such a name; a new one is refused")
    func storeName() throws {
        let new = try shell("hk add stepCount 5 count --store \"$F.sqlite\"")
        #expect(new.status == 64 && new.errors.contains("can’t be created, because the name isn’t UTF-8"))
        #expect(
            try shell("hk add stepCount 5 count && for f in health.sqlite*; do mv $f \"$F${f#health}\"; done").status
                == 0)
        for value in [6, 7] {
            #expect(try shell("hk add stepCount \(value) count --store \"$F.sqlite\"").status == 0)
        }
        let sum = try shell("hk sql 'SELECT sum(value) AS n FROM step_count' --json --store \"$F.sqlite\"")
        #expect(try sum.objects()[0]["n"] as? Double == 18)
        let doctor = try shell("hk doctor --store \"$F.sqlite\"")
        #expect(doctor.status == 0 && doctor.output.contains("b\u{FFFD}cher.sqlite"))
    }

    @Test(
        "Nothing is created under another name",
        arguments: [
            "hk key make \"$F\"", "hk copy from.sqlite \"$F\"", "hk backup \"$F\" --store from.sqlite",
            "hk watch --once --anchor \"$F\" --store from.sqlite", "hk rings --png \"$F\" --store from.sqlite",
            "hk rings --svg \"$F\" --store from.sqlite", "hk export \"$F\" --store from.sqlite",
            "hk import nothing.xml --report \"$F\" --store from.sqlite",
        ])
    func otherNames(command: String) throws {
        let run = try shell(
            "rmdir \"$F\" && hk add steps 5 --store from.sqlite > /dev/null && ls > before && \(command)")
        #expect(run.status == 64 && run.output == "" && run.errors.contains("the name isn’t UTF-8"), "\(run.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        #expect(names.allSatisfy { $0 == "before" || $0.hasPrefix("from.sqlite") }, "\(names)")
    }

    @Test("Stores and exports are in folders of such a name")
    func stores() throws {
        for store in ["--store \"$F/new/health.sqlite\"", "--store=\"$F/other.sqlite\""] {
            #expect(try shell("hk add stepCount 5 count \(store)").status == 0)
            #expect(try shell("hk add stepCount 6 count \(store)").status == 0)
            let sum = try shell("hk sql 'SELECT sum(value) AS n FROM step_count' --json \(store)")
            #expect(try sum.objects()[0]["n"] as? Double == 11)
            #expect(try shell("hk doctor \(store)").status == 0)
        }
        let environment = try shell("HEALTHKIT_STORE=\"$F/other.sqlite\" hk types --json")
        #expect(environment.output.contains("HKQuantityTypeIdentifierStepCount"))
        #expect(try shell("hk export \"$F/out.zip\" --store \"$F/other.sqlite\" && ls \"$F/out.zip\"").status == 0)
        // Nothing was written elsewhere.
        #expect(try shell("ls | wc -l").lines.last?.trimmingCharacters(in: .whitespaces) == "1")
    }
}
