import Testing

/// Every check of a programmer's mistake ends the process, in the original's words.
@Suite struct MisuseTests {
    @Test(arguments: Misuse.all.indices)
    func endsTheProcess(index: Int) async throws {
        let misuse = Misuse.all[index]
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index = index as Int] in
            try await Misuse.all[index].body()
        }
        let line = try #require(
            CheckSites().lines[.init(file: misuse.file, number: misuse.site)], "\(misuse.testDescription)")
        let text = result.errorText
        #expect(text.contains("\(misuse.file).swift:\(line): "), "\(misuse.testDescription): \(text.prefix(300))")
        #expect(text.contains(misuse.message), "\(misuse.testDescription): \(text.prefix(300))")
    }

    @Test func everyValidatorIsCalled() throws {
        let made = Set(Misuse.all.map { CheckSites.Site(file: $0.file, number: $0.site) })
        let missing = Set(try CheckSites().lines.keys).subtracting(made).map { "\($0.file) \($0.number)" }.sorted()
        #expect(missing.isEmpty, "without a test: \(missing)")
    }
}
