import HealthEngine
import HealthModel
import HealthPages
import HealthImport
import HealthStorage
import Testing

/// Questions over a damaged store throw, on whichever thread the page is decoded, and leave the rest
/// of the store readable.
@Suite struct DamagedPageTests {
    /// Sixty pages of steps from two sources, the given one with one bit of its body turned.
    private static func make(
        damaging number: Int?, _ damage: (inout StoredPage) -> Void = { $0.body[$0.body.count / 2] ^= 1 }
    ) throws -> HealthEngine {
        let storage = InMemoryStorage()
        let engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: 5, now: { 0 }))
        for caller in [Names.watch, Names.phone] {
            let samples = (0..<150).map {
                SampleRecord.quantity(
                    Names.steps, Double($0), "count", from: Double($0) * 100, to: Double($0) * 100 + 90)
            }
            try engine.save(samples.map { .sample($0) }, as: caller)
        }
        guard let number else { return engine }
        try storage.write { transaction in
            var pages: [StoredPage] = []
            try transaction.visitPages(of: Names.steps, in: .all, bodies: true) { page in
                pages.append(page.copy)
                return true
            }
            var page = pages[number]
            damage(&page)
            try transaction.putPage(page)
        }
        return engine
    }

    private static let daily = StatisticsRequest(
        type: Names.steps, options: [.cumulativeSum, .separateBySource],
        buckets: .bounds { extent in (0...200).map { extent.lowerBound + Double($0) * 100 } })

    @Test(arguments: [0, 20, 45])
    func damageIsThrown(page: Int) throws {
        let engine = try Self.make(damaging: page)
        #expect(throws: PageError.self) { try engine.statistics(Self.daily, as: Names.watch) }
        let everything = SampleRequest(parts: [.init(type: Names.steps)])
        #expect(throws: PageError.self) { try engine.samples(everything, as: Names.watch) }
        // What does not need the page is still answered.
        #expect(try engine.extent(of: Names.steps, matching: .all, as: Names.watch) == 0...14_990)
        let before = SampleFilter.and([.end(.greaterThanOrEqual, 6_000), .start(.lessThan, 7_000)])
        let some = SampleRequest(parts: [.init(type: Names.steps, filter: before)])
        #expect(try engine.samples(some, as: Names.watch).count == 20)
    }

    @Test func manyTasksAgreeWithArithmetic() throws {
        let buckets = try Self.make(damaging: nil).statistics(Self.daily, as: Names.watch)
        #expect(buckets.count == 150)
        for (index, bucket) in buckets.enumerated() {
            #expect(bucket.values.sum == Double(index))
            #expect(bucket.bySource?.values.map(\.sum) == [Double(index), Double(index)])
        }
    }

    @Test("A changed bit in any byte of a page's header or body, and a truncated body, are errors that name the page")
    func damageNamesThePage() throws {
        let number = 20
        var page: StoredPage?
        _ = try Self.make(damaging: number) { page = $0 }
        let whole = try #require(page)
        let named = PageError.Page(type: Names.steps, firstSequence: whole.key.firstSequence)
        var damages: [(inout StoredPage) -> Void] = []
        for byte in whole.header.indices { damages.append { $0.header[byte] ^= 1 << UInt8(byte % 8) } }
        for byte in whole.body.indices { damages.append { $0.body[byte] ^= 1 << UInt8(byte % 8) } }
        damages.append { $0.header.removeLast() }
        damages.append { $0.header = [] }
        damages.append { $0.body.removeLast() }
        damages.append { $0.body.append(0) }
        for (index, damage) in damages.enumerated() {
            let engine = try Self.make(damaging: number, damage)
            func expect(_ question: String, _ body: () throws -> Void) {
                let error = #expect(throws: PageError.self, "damage \(index), \(question)") { try body() }
                #expect(error?.page == named, "damage \(index), \(question): \(error?.description ?? "")")
                #expect(
                    error?.description.hasSuffix(
                        "in the page of HKQuantityTypeIdentifierStepCount that begins with number \(named.firstSequence)"
                    ) == true)
            }
            expect("samples") {
                _ = try engine.samples(SampleRequest(parts: [.init(type: Names.steps)]), as: Names.watch)
            }
            expect("statistics") { _ = try engine.statistics(Self.daily, as: Names.watch) }
            let findings = try engine.check()
            #expect(
                findings.contains { $0.contains("begins with number \(named.firstSequence)") },
                "damage \(index): \(findings)")
            guard index < whole.header.count else { continue }
            expect("the newest") {
                _ = try engine.samples(
                    SampleRequest(
                        parts: [.init(type: Names.steps)], sort: [SampleSort(.start, ascending: false)], limit: 250),
                    as: Names.watch)
            }
            expect("sources") { _ = try engine.sources.order(of: Names.steps) }
        }
    }
}
