import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

/// The clock of the fixture shows noon of 2025-11-01 in UTC.
@Suite("Highlights over HTTP, from hk and for assistants", .serialized)
struct HighlightsAPITests {
    private static let now = "2025-11-01T12:00:00Z"

    private func plant(_ api: APIFixture, _ name: String, _ unit: String, days: Range<Int>, _ value: (Int) -> Double)
        throws
    {
        let today = try APIFixture.instant("2025-11-01T08:00:00Z")
        try api.engine.save(
            try days.map { daysAgo in
                let start = today - Double(daysAgo) * 86_400
                return .sample(
                    SampleRecord(
                        type: try APIFixture.type(name), start: start, end: start, value: value(daysAgo), unit: unit))
            }, as: APIFixture.app("watch"))
    }

    /// A half year of usual days, and a week that isn't.
    private func plant(_ api: APIFixture) throws {
        func varied(_ day: Int) -> Double { Double(day * 5 % 11 % 3) }
        try plant(api, "restingHeartRate", "count/min", days: 0..<189) { $0 < 7 ? 60 : 52 + varied($0) }
        try plant(api, "stepCount", "count", days: 0..<190) { $0 <= 7 ? 2_100 : 9_000 + 700 * varied($0) }
        try plant(api, "oxygenSaturation", "%", days: 0..<50) { $0 == 2 ? 0.881 : 0.96 + varied($0) / 100 }
        try plant(api, "respiratoryRate", "count/min", days: 0..<189) { 14 + varied($0) / 2 }
        try plant(api, "bodyMass", "kg", days: 0..<10) { _ in 70 }
        try api.engine.profile.update { $0.preferredUnits["HKQuantityTypeIdentifierBodyMass"] = "kg" }
    }

    @Test("Highlights, with the reason in words and the usual range")
    func answer() async throws {
        try await APIFixture.run { api in
            let empty = try await api.get("highlights")
            #expect(empty.json["date"] as? String == "2025-11-01" && empty.list("highlights").isEmpty)
            try plant(api)
            let answer = try await api.get("highlights")
            let found = answer.list("highlights")
            let texts = Dictionary(
                uniqueKeysWithValues: found.map { ($0["name"] as? String ?? "", $0["text"] as? String ?? "") })
            #expect(Set(texts.keys) == ["Resting heart rate", "Steps", "Blood oxygen"], "\(answer.text)")
            #expect(
                texts["Resting heart rate"]
                    == "60 bpm on average in the last 7 days, above your usual 52.7 to 53.3 bpm.")
            #expect(texts["Steps"]?.hasPrefix("2,100 a day in the last 7 whole days, below your usual ") == true)
            #expect(texts["Blood oxygen"]?.hasPrefix("88.1 % on Thursday, below your usual ") == true)
            let sizes = found.compactMap { ($0["standardized"] as? Double).map(abs) }
            #expect(sizes.count == 3 && sizes == sizes.sorted(by: >))
            let rate = try #require(found.first { ($0["name"] as? String) == "Resting heart rate" })
            let usual = try #require(rate["usual"] as? [String: Any])
            #expect(rate["finding"] as? String == "week" && rate["direction"] as? String == "higher")
            // From the beginning of the first day to the end of the last one, which is today.
            let bounds = ["startDate", "endDate"].map { (rate[$0] as? String)?.prefix(19) }
            #expect(bounds == ["2025-10-26T00:00:00", "2025-11-02T00:00:00"])
            #expect((rate["days"] as? [Any])?.count == 7 && rate["weeks"] as? Int == 26 && usual["count"] as? Int == 26)
            let day = try #require(found.first { ($0["name"] as? String) == "Blood oxygen" })
            #expect(
                (day["valueDate"] as? String)?.hasPrefix("2025-10-30") == true && day["finding"] as? String == "day")
            #expect(answer.list("usual").map { $0["name"] as? String } == ["Respiratory rate"])
            let unknown = try #require(answer.list("unknown").first)
            #expect(unknown["text"] as? String == "What is usual takes 8 weeks with data. There are 1.")
            // An earlier day is answered as it was at its end.
            let before = try await api.get("highlights?day=2025-10-20")
            #expect(
                before.list("highlights").isEmpty && before.json["date"] as? String == "2025-10-20", "\(before.text)")
            #expect(try await api.get("highlights?day=soon").status == 400)
        }
    }

    @Test("hk and the API say the same, byte for byte, and assistants the same words")
    func same() async throws {
        try await APIFixture.run { api in
            try plant(api)
            let store = try api.server.core.directory.store(of: "anna").path
            let command = try await HKProcess.run(
                ["highlights", "--json", "--store", store], environment: ["HEALTHKIT_NOW": Self.now, "TZ": "UTC"])
            let answer = try await api.get("highlights?ignoreRecordedTimeZones=false&timeZone=UTC")
            #expect(command.status == 0 && command.lines.joined(separator: "\n") == answer.text, "\(command.lines)")
            let result = try await AssistantMessages.call("get_highlights", #"{"timeZone":"UTC"}"#, api.client)
            #expect(AssistantMessages.answer(result) == AssistantMessages.rounded(answer))
            let shown = try await HKProcess.run(
                ["highlights", "--store", store], environment: ["HEALTHKIT_NOW": Self.now, "TZ": "UTC"])
            for one in answer.list("highlights") {
                let line = "\(one["name"] as? String ?? ""): \(one["text"] as? String ?? "")"
                #expect(shown.lines.contains(line), "\(line): \(shown.lines)")
            }
        }
    }

    @Test("A token reads the highlights of its own types only")
    func permissions() async throws {
        try await APIFixture.run { api in
            try plant(api)
            let token = try api.server.token(read: .some(["stepCount"]))
            let answer = try await api.get("highlights", token: token)
            let all = ["highlights", "usual", "unknown"].flatMap { answer.list($0) }
            #expect(all.map { $0["name"] as? String } == ["Steps"], "\(answer.text)")
        }
    }
}
