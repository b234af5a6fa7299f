import Foundation
import ProcessTestSupport
import Testing

/// Paths that Swift’s strings can’t hold. The shell’s `printf` makes them.
@Suite("Paths that aren’t UTF-8")
struct PathBytesTests {
    private let scratch = Scratch()

    @Test(
        "They are refused, and nothing is created under another name",
        arguments: [
            "hk import \"$F.zip\"", "hk add steps 5 --store \"$F.sqlite\"", "hk add steps 5 --store=\"$F.sqlite\"",
            "HEALTHKIT_STORE=\"$F.sqlite\" hk add steps 5", "hk key make \"$F\"", "hk backup \"$F\"",
            "hk export \"$F\"",
        ])
    func paths(command: String) throws {
        let run = try CommandRun(
            shell: """
                cd '\(scratch.folder.path)' && F=$(printf 'b\\374cher') && hk() { '\(BuiltProgram.hk.path)' "$@"; } && \
                \(command)
                """, store: scratch.store)
        #expect(run.status == 64 && run.output == "", "\(run.errors)")
        #expect(run.errors.contains("b\u{FFFD}cher") && run.errors.contains("isn’t UTF-8"), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    }
}
