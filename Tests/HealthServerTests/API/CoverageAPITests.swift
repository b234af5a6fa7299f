import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Answers say how much of their range has data, and compare it with an earlier one")
struct CoverageAPITests {
    private static func coverage(_ value: Any?) -> [String] {
        guard let coverage = (value as? [String: Any])?["coverage"] as? [String: Any] else { return [] }
        return ["days", "daysWithData", "firstDate", "lastDate"].map { coverage[$0].map { "\($0)" } ?? "–" }
    }

    @Test("The days of the range until today are counted, and those of them with data")
    func statistics() async throws {
        try await APIFixture.run { api in
            try api.save(
                "stepCount", "count",
                [
                    ("2025-10-01T08:00:00Z", 60, 10), ("2025-10-01T09:00:00Z", 60, 20),
                    ("2025-10-05T08:00:00Z", 60, 30),
                ])
            func covered(_ query: String) async throws -> [String] {
                let answer = try await api.get("statistics?type=stepCount&timeZone=UTC&coverage=true" + query)
                #expect(answer.status == 200, "\(answer.text)")
                return Self.coverage(answer.json)
            }
            let october = ["31", "2", "2025-10-01", "2025-10-05"]
            for interval in ["", "&interval=day", "&interval=day&fill=true", "&interval=month"] {
                #expect(try await covered("&start=2025-10-01&end=2025-11-01" + interval) == october)
            }
            // It is 1 November.
            #expect(try await covered("&start=2025-10-31&end=2025-12-01") == ["2", "0", "–", "–"])
            #expect(try await covered("") == ["32", "2", "2025-10-01", "2025-10-05"])
            #expect(try await covered("&end=2025-10-02") == ["1", "1", "2025-10-01", "2025-10-01"])
            #expect(try await covered("&start=2025-12-01&end=2026-01-01") == ["0", "0", "–", "–"])
            #expect(!(try await api.get("statistics?type=stepCount")).text.contains("coverage"))
            let none = try await api.get("statistics?type=heartRate&start=2025-10-01&end=2025-10-08&coverage=true")
            #expect(Self.coverage(none.json) == ["7", "0", "–", "–"], "\(none.text)")
        }
    }

    @Test("Statistics of blood pressure have both figures, each with its comparison")
    func bloodPressure() async throws {
        try await APIFixture.run { api in
            let items = [("2025-09-10", 120.0, 70.0), ("2025-10-05", 130, 80), ("2025-10-06", 140, 90)].map {
                day, high, low in
                let start = try! APIFixture.instant(day + "T08:00:00Z")
                let members = [("bloodPressureSystolic", high), ("bloodPressureDiastolic", low)].map { name, value in
                    SampleRecord(
                        type: try! APIFixture.type(name), start: start, end: start, value: value, unit: "mmHg")
                }
                return SaveItem.object(
                    ObjectRecord(
                        type: try! APIFixture.type("bloodPressure"), start: start, end: start, members: members))
            }
            try api.engine.save(items, as: APIFixture.app("cuff"))
            let answer = try await api.get(
                "statistics?type=bloodPressure&start=2025-10-01&end=2025-11-01&compare=previous&coverage=true&timeZone=UTC"
            )
            #expect(answer.status == 200, "\(answer.text)")
            let second = try #require(answer.json["with"] as? [String: Any])
            #expect(answer.json["type"] as? String == "HKQuantityTypeIdentifierBloodPressureSystolic")
            #expect(second["type"] as? String == "HKQuantityTypeIdentifierBloodPressureDiastolic")
            for (part, average, earlier) in [(answer.json, 135.0, 120.0), (second, 85, 70)] {
                let statistics = try #require(part["statistics"] as? [[String: Any]])
                #expect(statistics.count == 1 && statistics.first?["averageQuantity"] as? Double == average)
                let comparison = try #require(part["comparison"] as? [String: Any])
                let before = comparison["statistics"] as? [[String: Any]]
                #expect(before?.first?["averageQuantity"] as? Double == earlier, "\(answer.text)")
                #expect(comparison["change"] as? Double == 15)
            }
            #expect(Self.coverage(answer.json) == ["31", "2", "2025-10-05", "2025-10-06"])
            // The month before, whatever its length.
            #expect(Self.coverage(answer.json["comparison"]) == ["30", "1", "2025-09-10", "2025-09-10"])
            let days = try await api.get("statistics?type=bloodPressure&interval=day&timeZone=UTC")
            #expect(days.list("statistics").count == 3)
            let with = try await api.get("statistics?type=bloodPressure&with=stepCount")
            #expect(with.status == 400 && with.text.contains("two figures"), "\(with.text)")
        }
    }

    @Test("Nights can be averaged by longer intervals, and compared with those before")
    func nights() async throws {
        try await APIFixture.run { api in
            // Seven hours from 6 to 19 October, then eight; the night of the 20th is the first of a week.
            let items = try (6...26).map { day in
                try APIFixture.night("2025-10-\(day < 10 ? "0" : "")\(day)T00:00:00Z", day < 20 ? 7 : 8, 3)
            }
            try api.engine.save(items, as: APIFixture.app("watch"))
            let weeks = try await api.get("sleep?start=2025-10-06&end=2025-10-27&interval=week&timeZone=UTC")
            #expect(weeks.json["nights"] == nil)
            let averages = weeks.list("intervals").map { $0["averages"] as? [String: Any] }
            #expect(averages.map { $0?["timeAsleep"] as? Double } == [25_200, 25_200, 28_800], "\(weeks.text)")
            #expect(averages.map { $0?["nights"] as? Int } == [7, 7, 7])
            #expect(weeks.list("intervals").first?["startDate"] as? String == "2025-10-06T00:00:00+00:00")
            let compared = try await api.get(
                "sleep?start=2025-10-20&end=2025-10-27&compare=previous&coverage=true&timeZone=UTC")
            let before = (compared.json["comparison"] as? [String: Any])?["averages"] as? [String: Any]
            #expect(before?["timeAsleep"] as? Double == 25_200 && before?["nights"] as? Int == 7, "\(compared.text)")
            #expect(Self.coverage(compared.json) == ["7", "7", "2025-10-20", "2025-10-26"])
            #expect(Self.coverage(compared.json["comparison"]) == ["7", "7", "2025-10-13", "2025-10-19"])
            for wrong in ["compare=soon", "compare=previous&end=2025-10-01", "interval=hour"] {
                #expect(try await api.get("sleep?" + wrong).status == 400, "\(wrong)")
            }
        }
    }

    @Test("Energy is averaged by longer intervals over the days with entries")
    func energy() async throws {
        try await APIFixture.run { api in
            try api.save(
                "dietaryEnergyConsumed", "kcal",
                [
                    ("2025-10-06T08:00:00Z", 0, 1_000), ("2025-10-06T18:00:00Z", 0, 1_000),
                    ("2025-10-08T08:00:00Z", 0, 1_500),
                ])
            let answer = try await api.get("energy-balance?start=2025-10-06&end=2025-10-13&interval=week&timeZone=UTC")
            let week = try #require(answer.list("intervals").first, "\(answer.text)")
            let consumed = try #require(week["consumed"] as? [String: Any])
            let kilocalories =
                (consumed["quantity"] as? Double ?? 0) * (consumed["unit"] as? String == "kJ" ? 1 / 4.184 : 1)
            #expect(abs(kilocalories - 1_750) < 0.01 && week["count"] as? Int == 7, "\(answer.text)")
            #expect(answer.json["days"] == nil && answer.list("intervals").count == 1)
        }
    }

    @Test("Lab results have value, unit, reference range and date, also those of components; others have words")
    func labResults() async throws {
        try await APIFixture.run { api in
            func observation(_ members: String) throws -> SaveItem {
                var document = DocumentBody()
                document[ClinicalRecordDocument.version] = .string("4.0.1")
                document[ClinicalRecordDocument.data] = .data(
                    Array(#"{"resourceType":"Observation","status":"final",\#(members)}"#.utf8))
                let start = try APIFixture.instant("2025-10-20T08:00:00Z")
                return .object(
                    ObjectRecord(
                        type: try #require(
                            TypeCatalog.description(for: "HKClinicalTypeIdentifierLabResultRecord")
                        ).code,
                        start: start, end: start, body: .document(document)))
            }
            try api.engine.save(
                [
                    observation(
                        #""code":{"text":"Cholesterol","coding":[{"code":"2093-3"}]},"effectiveDateTime":"2024-03-04","valueQuantity":{"value":187,"unit":"mg/dL"},"referenceRange":[{"high":{"value":200}}],"interpretation":[{"text":"Normal"}]"#
                    ),
                    observation(
                        #""code":{"text":"Panel"},"effectiveDateTime":"2025-02","component":[{"code":{"text":"HDL Cholesterol"},"valueQuantity":{"value":52,"code":"mg/dL","comparator":">"}},{"code":{"text":"Culture"},"valueString":"No growth"}]"#
                    ),
                    observation(#""code":{"text":"Nothing"}"#),
                ], as: APIFixture.app("clinic"))
            let all = try await api.get("lab-results?timeZone=UTC")
            #expect(
                all.text
                    == #"{"results":[{"date":"2025-02-01T00:00:00+00:00","name":"Culture","text":"No growth","status":"final","source":"clinic"},"#
                    + #"{"date":"2025-02-01T00:00:00+00:00","name":"HDL Cholesterol","value":52,"unit":"mg/dL","comparator":">","status":"final","source":"clinic"},"#
                    + #"{"date":"2024-03-04T00:00:00+00:00","name":"Cholesterol","code":"2093-3","value":187,"unit":"mg/dL","#
                    + #""referenceRange":{"high":200},"interpretation":"Normal","status":"final","source":"clinic"}],"count":3}"#,
                "\(all.text)")
            for (query, count) in [
                ("name=cholesterol", 2), ("name=2093-3", 1), ("name=hdl%20cholesterol", 1), ("start=2025-01-01", 2),
                ("end=2025-01-01", 1), ("limit=1", 3),
            ] {
                let answer = try await api.get("lab-results?" + query)
                #expect(answer.json["count"] as? Int == count, "\(query): \(answer.text)")
            }
            let token = try api.server.token(read: .some(["heartRate"]))
            #expect(try await api.get("lab-results", token: token).text == #"{"results":[],"count":0}"#)
        }
    }
}
