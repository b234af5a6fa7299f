import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("hk copy")
struct CopyTests {
    private let scratch = Scratch()

    @Test("A store is moved into a database and back")
    func thereAndBack() throws {
        let store = try scratch.demoStore()
        let address = try PostgreSQLServer.shared().url("schema=command_copy&person=anna")
        // Anchors of before are for the copy, too.
        let anchor = scratch.file("anchor").path
        #expect(try CommandRun(["watch", "--once", "--anchor", anchor], store: store).status == 0)
        let there = try CommandRun(["copy", store.path, address], store: scratch.store)
        #expect(there.status == 0, "\(there.errors)")
        #expect(there.output.contains(/^Copied [0-9,]+ samples/))
        let again = try CommandRun(["copy", store.path, address], store: scratch.store)
        #expect(again.status == 64)
        #expect(again.errors.contains("is not empty"))
        let back = scratch.file("back/health.sqlite")
        #expect(try CommandRun(["copy", address, back.path, "--json"], store: scratch.store).status == 0)
        for place in [address, back.path] {
            let nothing = try CommandRun(
                ["watch", "--once", "--anchor", anchor, "--store", place], store: scratch.store)
            #expect(nothing.status == 0, "\(nothing.errors)")
            #expect(nothing.output.isEmpty)
            for arguments in [
                ["types"], ["sources"], ["profile"], ["samples", "stepCount", "--limit", "30", "--json"],
            ] {
                let answer = try CommandRun(arguments + ["--store", place], store: scratch.store)
                #expect(answer.output == (try CommandRun(arguments, store: Demo.shared.store).output))
            }
            #expect(try CommandRun(["doctor", "--store", place], store: scratch.store).status == 0)
        }
    }

    @Test("A missing store can't be copied")
    func missing() throws {
        let run = try CommandRun(["copy", scratch.file("none").path, scratch.file("new").path], store: scratch.store)
        #expect(run.status == 64)
        #expect(run.errors.contains("No store found"))
        #expect(!FileManager.default.fileExists(atPath: scratch.file("new").path))
    }
}
