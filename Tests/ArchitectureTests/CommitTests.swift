import Foundation
import ProcessTestSupport
import Testing

@Suite("Scripts/check-commits, which checks the subjects of new commits", .serialized)
struct CommitTests {
    /// The number of subjects that the script rejects, and its messages.
    private static func check(_ subjects: [String]) throws -> (rejected: Int, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = SourceTree.root.appendingPathComponent("Scripts/check-commits").path
        let input = FileManager.default.temporaryDirectory.appendingPathComponent("subjects-\(UUID().uuidString)")
        try Data((subjects.joined(separator: "\n") + "\n").utf8).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        process.arguments = ["-c", "\"$0\" - < \"$1\"", script, input.path]
        let end = try process.finish()
        let count = try #require(end.output.firstMatch(of: /(\d+) rejected/)?.1)
        #expect((end.status == 0) == (count == "0"))
        return (try #require(Int(count)), end.errors)
    }

    @Test("Subjects in the imperative pass, also with verbs that end like other forms")
    func accepted() throws {
        let verbs = [
            "Add", "Fix", "Process", "Access", "Pass", "Address", "Focus", "Alias", "Bring", "Embed", "Need",
            "Compress",
            "Feed", "Speed", "Ping", "Read", "Use", "Close", "Discuss", "Suppress", "Proceed", "Spread", "Bias", "Miss",
        ]
        let subjects =
            verbs.map { "\($0) the columns of a page" } + ["Revert \"Added a file.\"", "Merge branch 'main'"]
        let result = try Self.check(subjects)
        #expect(result.rejected == 0, "\(result.errors)")
    }

    @Test(
        "Other forms, topics, long subjects, small letters and periods are rejected",
        arguments: [
            ("Adds a column", "imperative"), ("Added a column", "imperative"), ("Adding a column", "imperative"),
            ("Performance: a table", "topic"), ("The table has a column", "imperative"), ("add a column", "capital"),
            ("Add a column.", "period"), ("Add " + String(repeating: "é", count: 69), "73 characters"), ("", "capital"),
        ])
    func rejected(subject: String, reason: String) throws {
        let result = try Self.check([subject])
        #expect(result.rejected == 1 && result.errors.contains(reason), "\(result.errors)")
    }
}
