import Foundation
import HealthEngine
import HealthImport
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Samples over HTTP")
struct SamplesAPITests {
    @Test("Posted samples are listed, read one by one, and deleted")
    func roundTrip() async throws {
        try await APIFixture.run { api in
            let saved = try await api.post(
                "samples",
                #"""
                {"samples": [
                  {"type": "stepCount", "startDate": "2025-05-01T08:00:00+02:00", "endDate": "2025-05-01T08:10:00+02:00", "quantity": 420, "unit": "count",
                   "metadata": {"HKWasUserEntered": true, "lap": 2, "when": {"date": "2025-05-01T08:00:00Z"}, "speed": {"quantity": 1.5, "unit": "m/s"}}},
                  {"type": "sleepAnalysis", "startDate": "2025-05-01T01:00:00Z", "endDate": "2025-05-01T02:00:00Z", "value": "asleepDeep"},
                  {"type": "bloodPressure", "startDate": "2025-05-01T09:00:00Z", "objects": [
                    {"type": "bloodPressureSystolic", "quantity": 121, "unit": "mmHg"}, {"type": "bloodPressureDiastolic", "quantity": 79, "unit": "mmHg"}]},
                  {"type": "workout", "startDate": "2025-05-01T10:00:00Z", "endDate": "2025-05-01T10:30:00Z", "workoutActivityType": "running",
                   "totalDistance": {"quantity": 5.2, "unit": "km"}}]}
                """#)
            #expect(saved.status == 200, "\(saved.text)")
            #expect(saved.json["saved"] as? Int == 6)
            let uuids = try #require(saved.json["samples"] as? [String])
            let steps = try #require(
                try await api.get("samples?type=stepCount&timeZone=Europe/Berlin").list("samples").first)
            #expect(steps["uuid"] as? String == uuids[0])
            #expect(steps["startDate"] as? String == "2025-05-01T08:00:00+02:00")
            #expect(steps["quantity"] as? Double == 420 && steps["unit"] as? String == "count")
            let metadata = try #require(steps["metadata"] as? [String: Any])
            #expect(metadata["HKWasUserEntered"] as? Bool == true && metadata["lap"] as? Int == 2)
            #expect((metadata["speed"] as? [String: Any])?["unit"] as? String == "m/s")
            let sleep = try #require(
                try await api.get("samples?type=HKCategoryTypeIdentifierSleepAnalysis").list("samples").first)
            #expect(sleep["value"] as? Int == 4 && sleep["valueName"] as? String == "asleepDeep")
            let pressure = try #require(try await api.get("samples/\(uuids[2])").json["objects"] as? [[String: Any]])
            #expect(Set(pressure.compactMap { $0["quantity"] as? Double }) == [121, 79])
            let workout = try #require(try await api.get("workouts?activityType=running").list("workouts").first)
            #expect(
                workout["duration"] as? Double == 1_800 && workout["workoutActivityTypeName"] as? String == "running")
            #expect(try await api.client.delete(APIFixture.root + "samples/\(uuids[0])").json["deleted"] as? Int == 1)
            #expect(try await api.get("samples/\(uuids[0])").status == 404)
            #expect(try await api.client.delete(APIFixture.root + "samples/\(uuids[0])").code == "notFound")
            let range = "samples?type=sleepAnalysis,workout&start=2025-05-01&end=2025-05-01T03:00:00Z"
            #expect(try await api.client.delete(APIFixture.root + range).json["deleted"] as? Int == 1)
            #expect(try await api.get("samples?type=workout").list("samples").count == 1)
        }
    }

    @Test("An implausible value is refused with its range, unless it is meant")
    func implausible() async throws {
        try await APIFixture.run { api in
            let sample =
                #"[{"type":"heartRate","startDate":"2025-05-01T08:00:00Z","quantity":5000000,"unit":"count/min"}]"#
            let refused = try await api.post("samples", sample)
            #expect(refused.status == 422 && refused.code == "implausibleValue", "\(refused.text)")
            #expect(refused.text.contains("heartRate is from 1 to 500 count/min."))
            #expect(refused.json["index"] as? Int == 0 && refused.json["member"] as? String == "quantity")
            #expect(try await api.post("samples?allowImplausible=true", sample).status == 200)
            // As in HealthKit, a percentage is a fraction.
            let share =
                #"[{"type":"oxygenSaturation","startDate":"2025-05-01T08:00:00Z","quantity":0.97,"unit":"%"}]"#
            #expect(try await api.post("samples", share).status == 200)
        }
    }

    @Test("Samples are listed by value in one unit")
    func byValue() async throws {
        try await APIFixture.run { api in
            let saved = try await api.post(
                "samples",
                #"""
                [{"type":"bodyMass","startDate":"2025-05-01T08:00:00Z","quantity":71,"unit":"kg"},
                 {"type":"bodyMass","startDate":"2025-05-02T08:00:00Z","quantity":150,"unit":"lb"},
                 {"type":"bodyMass","startDate":"2025-05-03T08:00:00Z","quantity":70,"unit":"kg"}]
                """#)
            #expect(saved.status == 200, "\(saved.text)")
            let highest = try await api.get("samples?type=bodyMass&sort=-value&unit=kg").list("samples")
            #expect(highest.compactMap { $0["quantity"] as? Double }.map { Int($0.rounded()) } == [71, 70, 68])
            #expect(try await api.get("samples?type=bodyMass,height&sort=value").status == 400)
        }
    }

    @Test("All data of a source is counted, then deleted, the values of a blood pressure with it")
    func deletionOfSource() async throws {
        try await APIFixture.run { api in
            let saved = try await api.post(
                "samples",
                #"""
                [{"type":"stepCount","startDate":"2025-05-01T08:00:00Z","quantity":420,"unit":"count"},
                 {"type":"bloodPressure","startDate":"2025-05-01T09:00:00Z","objects":[
                   {"type":"bloodPressureSystolic","quantity":121,"unit":"mmHg"},
                   {"type":"bloodPressureDiastolic","quantity":79,"unit":"mmHg"}]}]
                """#)
            #expect(saved.status == 200, "\(saved.text)")
            let steps = try #require(try await api.get("samples?type=stepCount").list("samples").first)
            let source = try #require(steps["bundleIdentifier"] as? String)
            let account = try await api.client.delete(APIFixture.root + "samples?source=\(source)&dryRun=true")
            #expect(account.json["deleted"] as? Int == 0)
            #expect(account.list("samples").compactMap { $0["count"] as? Int } == [1, 1, 1, 1], "\(account.text)")
            #expect(try await api.get("samples?type=stepCount").list("samples").count == 1)
            let pressures = try await api.client.delete(APIFixture.root + "samples?type=bloodPressure")
            #expect(pressures.json["deleted"] as? Int == 3, "\(pressures.text)")
            #expect(
                try await api.client.delete(APIFixture.root + "samples?source=\(source)").json["deleted"] as? Int == 1)
            #expect(try await api.client.delete(APIFixture.root + "samples").status == 400)
        }
    }

    @Test("Batches are all or nothing, and errors name the sample and the member")
    func atomicity() async throws {
        try await APIFixture.run { api in
            let good = #"{"type":"stepCount","startDate":"2025-05-01T08:00:00Z","quantity":1,"unit":"count"}"#
            for (bad, member) in [
                (#"{"type":"stepCount","startDate":"2025-05-01T08:00:00Z","quantity":1,"unit":"kg"}"#, "unit"),
                (
                    #"{"type":"stepCount","startDate":"2025-05-02T08:00:00Z","endDate":"2025-05-01T08:00:00Z","quantity":1,"unit":"count"}"#,
                    "endDate"
                ),
                (#"{"type":"sleepAnalysis","startDate":"2025-05-01T08:00:00Z","value":77}"#, "value"),
                (#"{"type":"menstrualFlow","startDate":"2025-05-01T08:00:00Z","value":2}"#, "metadata"),
                (#"{"type":"stepCount","startDate":"2025-05-01T08:00:00Z","quantity":1}"#, "unit"),
            ] {
                let answer = try await api.post("samples", "[\(good),\(bad)]")
                #expect(answer.status == 422 && answer.code == "invalidSample", "\(answer.text)")
                #expect(
                    answer.json["index"] as? Int == 1 && answer.json["member"] as? String == member, "\(answer.text)")
            }
            for bad in ["", "[", "{\"samples\":[}", "nonsense", "[{"] {
                let answer = try await api.post("samples", bad)
                #expect(answer.status == 400 && answer.code == "invalidBody", "\(bad): \(answer.text)")
            }
            let form = try await api.client.send(
                "POST", APIFixture.root + "samples", headers: ["Content-Type": "text/csv"], body: Data("a,b".utf8))
            #expect(form.status == 415)
            #expect(try await api.get("samples?type=stepCount").list("samples").isEmpty)
            #expect(try await api.post("samples", "[]").json["saved"] as? Int == 0)
        }
    }

    @Test("A batch that is sent again is stored once")
    func idempotency() async throws {
        try await APIFixture.run { api in
            let uuid = "0D4A4E0C-8A51-4A5E-9D0D-8F33B0D5D1B2"
            func sample(_ quantity: Int, _ id: String = uuid) -> String {
                #"{"uuid":"\#(id)","type":"stepCount","startDate":"2025-05-01T08:00:00.1234567Z","quantity":\#(quantity),"unit":"count","metadata":{"b":1,"a":"x"}}"#
            }
            #expect(try await api.post("samples", "[\(sample(5))]").json["saved"] as? Int == 1)
            let again = try await api.post(
                "samples", "[\(sample(5)),\(sample(6, "1D4A4E0C-8A51-4A5E-9D0D-8F33B0D5D1B2"))]")
            #expect(again.json["existing"] as? Int == 1 && again.json["saved"] as? Int == 1, "\(again.text)")
            let conflict = try await api.post("samples", "[\(sample(7))]")
            #expect(conflict.status == 409 && conflict.code == "conflict" && conflict.json["index"] as? Int == 0)
            #expect(try await api.get("samples?type=stepCount").list("samples").count == 2)
            // Another application may not learn what is stored under a UUID.
            let token = try api.server.token(read: .some([]), share: .some(["stepCount"]))
            #expect(try await api.post("samples", "[\(sample(5))]", token: token).status == 409)
            func synced(_ version: Int, _ quantity: Int) -> String {
                #"[{"type":"bodyMass","startDate":"2025-05-01T08:00:00Z","quantity":\#(quantity),"unit":"kg","metadata":{"HKMetadataKeySyncIdentifier":"a","HKMetadataKeySyncVersion":\#(version)}}]"#
            }
            #expect(try await api.post("samples", synced(2, 80)).json["saved"] as? Int == 1)
            let ignored = try await api.post("samples", synced(1, 79))
            #expect(ignored.json["ignored"] as? Int == 1 && (ignored.json["samples"] as? [Any])?.first is NSNull)
            #expect(try await api.post("samples", synced(3, 81)).json["replaced"] as? Int == 1)
            let masses = try await api.get("samples?type=bodyMass").list("samples")
            #expect(masses.count == 1 && masses.first?["quantity"] as? Double == 81)
        }
    }

    @Test("Samples of several types are deleted together or not at all")
    func severalTypes() async throws {
        try await APIFixture.run { api in
            let token = try api.server.token(share: .some(["stepCount", "heartRate"]))
            let partial = try api.server.token(share: .some(["stepCount"]), bundleIdentifier: "com.example.partial")
            for (type, unit) in [("stepCount", "count"), ("heartRate", "count/min")] {
                let sample =
                    #"[{"type":"\#(type)","startDate":"2025-05-01T08:00:00Z","quantity":60,"unit":"\#(unit)"}]"#
                #expect(try await api.post("samples", sample, token: token).status == 200)
            }
            let path = APIFixture.root + "samples?type=stepCount,heartRate&start=2025-05-01T00:00:00Z"
            #expect(try await api.client.with(token: partial).delete(path).status == 403)
            #expect(try await api.get("samples?type=stepCount,heartRate").list("samples").count == 2)
            #expect(try await api.client.with(token: token).delete(path).json["deleted"] as? Int == 2)
            #expect(try await api.get("samples?type=stepCount,heartRate").list("samples").isEmpty)
        }
    }

    @Test("Newline-delimited JSON, both ways")
    func lines() async throws {
        try await APIFixture.run { api in
            let lines = (0..<2_500).map { index in
                #"{"type":"heartRate","startDate":"2025-05-01T08:\#(index / 60 % 60 < 10 ? "0" : "")\#(index / 60 % 60):00Z","quantity":\#(50 + index % 70),"unit":"count/min"}"#
            }
            let saved = try await api.client.send(
                "POST", APIFixture.root + "samples", headers: ["Content-Type": "application/x-ndjson"],
                body: Data((lines.joined(separator: "\n") + "\n").utf8))
            #expect(saved.json["saved"] as? Int == 2_500, "\(saved.text.prefix(200))")
            for query in ["type=heartRate", "type=heartRate&sort=-startDate", "type=heartRate,stepCount"] {
                let list = try await api.client.get(
                    APIFixture.root + "samples?\(query)", headers: ["Accept": "application/x-ndjson"])
                #expect(list.headers["content-type"] == "application/x-ndjson")
                let rows = list.text.split(separator: "\n")
                #expect(rows.count == 2_500)
                let dates = try rows.map { row in
                    try #require(
                        (JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])?["startDate"] as? String)
                }
                #expect(query.contains("sort") ? dates == dates.sorted().reversed() : dates == dates.sorted())
            }
            let some = try await api.client.get(
                APIFixture.root + "samples?type=heartRate&limit=7", headers: ["Accept": "application/x-ndjson"])
            #expect(some.text.split(separator: "\n").count == 7)
        }
    }

    @Test(
        "An answer is one state of the store, while batches of two types are saved",
        arguments: [
            "type=heartRate,bodyMass", "type=heartRate,bodyMass&sort=-startDate",
            "type=bodyMass,heartRate&sort=endDate",
        ])
    func oneState(query: String) async throws {
        try await APIFixture.run { api in
            let (first, engine) = (try APIFixture.instant("2025-05-01T08:00:00Z"), try api.otherEngine())
            let batch: @Sendable (Int) throws -> Void = { number in
                // Each has samples at the beginning and at the end of the list.
                let items = try (0..<400).flatMap { index in
                    let start = first + Double(index * 3_600) + Double(number)
                    return try [("heartRate", "count/min"), ("bodyMass", "kg")].map { name, unit in
                        SaveItem.sample(
                            SampleRecord(
                                type: try APIFixture.type(name), start: start, end: start, value: 60, unit: unit,
                                metadata: .empty))
                    }
                }
                try engine.save(items, as: APIFixture.app("watch"))
            }
            for number in 0..<16 { try batch(number) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 16..<80 where !Task.isCancelled { try batch(number) }
                }
                for _ in 0..<6 {
                    let list = try await api.client.get(
                        APIFixture.root + "samples?\(query)", headers: ["Accept": "application/x-ndjson"])
                    let lines = list.text.split(separator: "\n")
                    let rates = lines.count { $0.contains("HKQuantityTypeIdentifierHeartRate") }
                    #expect(lines.count > 10_000 && rates * 2 == lines.count && rates % 400 == 0)
                }
                group.cancelAll()
                try await group.waitForAll()
            }
            try engine.close()
        }
    }

    @Test("The counts of sources are kept until the store changes")
    func keptSources() async throws {
        try await APIFixture.run { api in
            try api.save("stepCount", "count", [("2025-05-01T08:00:00Z", 60, 100)])
            let store = try api.server.core.directory.store(of: "anna")
            func counts() async throws -> [Int?] {
                // As some time after the last commit.
                for suffix in ["", "-wal"] {
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: store.path + suffix)
                }
                return try await api.get("sources").list("sources").map { $0["count"] as? Int }
            }
            let key = AnswerCache.Key(route: "sources", query: "", caller: .person, timeZone: .gmt)
            #expect(store.answers.answer(to: key).0 == nil)
            #expect(try await counts() == [1])
            #expect(store.answers.answer(to: key).0 != nil)
            try api.save("stepCount", "count", [("2025-05-01T09:00:00Z", 60, 100)], as: "phone")
            #expect(store.answers.answer(to: key).0 == nil)
            #expect(try await counts() == [1, 1])
        }
    }

    @Test("Filters: range, strictness, source, metadata, value and unit")
    func filters() async throws {
        try await APIFixture.run { api in
            try api.save(
                "stepCount", "count", [("2025-05-01T08:00:00Z", 3_600, 100), ("2025-05-01T10:00:00Z", 600, 50)])
            try api.save(
                "stepCount", "count", [("2025-05-01T12:00:00Z", 0, 7)], as: "phone",
                metadata: Metadata([.init(key: "HKWasUserEntered", value: .bool(true))]))
            func values(_ query: String) async throws -> [Double] {
                let answer = try await api.get("samples?type=stepCount&\(query)")
                #expect(answer.status == 200, "\(answer.text)")
                return answer.list("samples").compactMap { $0["quantity"] as? Double }
            }
            #expect(try await values("start=2025-05-01T08:30:00Z") == [100, 50, 7])
            #expect(try await values("start=2025-05-01T08:30:00Z&strictStartDate=true") == [50, 7])
            #expect(try await values("end=2025-05-01T08:30:00Z") == [100])
            #expect(try await values("end=2025-05-01T08:30:00Z&strictEndDate=true") == [])
            #expect(try await values("start=2025-05-01T14:00:00%2B02:00") == [7])
            #expect(try await values("start=2025-05-01T14:00:00+02:00") == [7])
            #expect(try await values("source=com.example.phone") == [7])
            #expect(try await values("source=watch") == [100, 50])
            #expect(try await values("source=nobody") == [])
            #expect(try await values("metadata.HKWasUserEntered=true") == [7])
            #expect(try await values("metadata.HKWasUserEntered=1") == [7])
            #expect(try await values("metadata.HKWasUserEntered=") == [7])
            #expect(try await values("metadata.HKWasUserEntered=no") == [])
            #expect(try await values("sort=-endDate&limit=1") == [7])
            for bad in [
                "unit=kg", "sort=unit", "limit=0", "limit=x", "start=soon", "frm=2025", "cursor=abc", "type=nonsense",
                "strictEndDate=maybe", "timeZone=Mars", "unit=parsecs",
            ] {
                let answer = try await api.get("samples?\(bad.hasPrefix("type=") ? "" : "type=stepCount&")\(bad)")
                #expect(answer.status == 400, "\(bad): \(answer.text)")
            }
            #expect(try await api.get("samples").code == "invalidParameter")
            #expect(try await api.get("samples?type=dateOfBirth").status == 400)
        }
    }

    @Test(
        "A cursor shows everything once, whatever is inserted and deleted meanwhile",
        arguments: ["startDate", "-startDate", "endDate", "-endDate"])
    func cursors(sort: String) async throws {
        try await APIFixture.run { api in
            // Many samples of the same instant: the order within it must be stable.
            try api.save("heartRate", "count/min", (0..<120).map { ("2025-05-01T08:0\($0 / 30):00Z", 0, Double($0)) })
            let all = try await api.get("samples?type=heartRate&sort=\(sort)&limit=500").list("samples").compactMap {
                $0["uuid"] as? String
            }
            #expect(all.count == 120)
            var (seen, cursor) = ([String](), String?.none)
            var pages = 0
            repeat {
                let page = try await api.get(
                    "samples?type=heartRate&sort=\(sort)&limit=7" + (cursor.map { "&cursor=\($0)" } ?? ""))
                #expect(page.status == 200, "\(page.text)")
                seen += page.list("samples").compactMap { $0["uuid"] as? String }
                cursor = page.json["nextCursor"] as? String
                pages += 1
                // Before, within and after the page.
                try api.save(
                    "heartRate", "count/min",
                    [
                        ("2025-05-01T07:00:00Z", 0, 1_000), ("2025-05-01T08:01:00Z", 0, 1_001),
                        ("2025-05-01T09:00:00Z", 0, 1_002),
                    ], as: "other")
            } while cursor != nil && pages < 100
            #expect(Set(seen).count == seen.count)
            #expect(seen.filter { all.contains($0) } == all)
        }
    }

    @Test("A denied read is silently empty, a denied write an error")
    func permission() async throws {
        try await APIFixture.run { api in
            try api.save("stepCount", "count", [("2025-05-01T08:00:00Z", 60, 4_242)])
            try api.save("heartRate", "count/min", [("2025-05-01T08:00:00Z", 0, 61)])
            let reader = try api.server.token(read: .some(["heartRate"]), share: .some(["bodyMass"]))
            #expect(try await api.get("samples?type=heartRate", token: reader).list("samples").count == 1)
            for path in [
                "samples?type=stepCount", "statistics?type=stepCount",
                "statistics?type=stepCount&interval=day",
                "changes?types=stepCount", "sources?type=stepCount", "sources/order?type=stepCount",
            ] {
                let answer = try await api.get(path, token: reader)
                #expect(
                    answer.status == 200 && !answer.text.contains("4242") && !answer.text.contains("watch"),
                    "\(path): \(answer.text)")
            }
            #expect(
                try await api.get("types", token: reader).list("types").map { $0["name"] as? String } == ["heartRate"])
            let uuid = try #require(
                try await api.get("samples?type=stepCount").list("samples").first?["uuid"] as? String)
            #expect(try await api.get("samples/\(uuid)", token: reader).status == 404)
            #expect(try await api.get("series/\(uuid)", token: reader).status == 404)
            let steps = #"[{"type":"stepCount","startDate":"2025-05-01T08:00:00Z","quantity":1,"unit":"count"}]"#
            let denied = try await api.post("samples", steps, token: reader)
            #expect(denied.status == 403 && denied.code?.hasPrefix("authorization") == true, "\(denied.text)")
            let mass = #"[{"type":"bodyMass","startDate":"2025-05-01T08:00:00Z","quantity":80,"unit":"kg"}]"#
            #expect(try await api.post("samples", mass, token: reader).status == 200)
            // Its own samples are visible to an application that may write but not read.
            #expect(try await api.get("samples?type=bodyMass", token: reader).list("samples").count == 1)
            #expect(try await api.client.with(token: reader).delete(APIFixture.root + "samples/\(uuid)").status >= 400)
            let readOnly = try api.server.token(scope: .owner, isReadOnly: true)
            #expect(try await api.post("samples", mass, token: readOnly).status == 403)
        }
    }

    @Test("A token for the last months of a type, or for what it saved itself, gets nothing about the rest")
    func partOfAType() async throws {
        try await APIFixture.run { api in
            let (old, new) = ("2025-01-01T08:00:00Z", "2025-05-01T08:00:00Z")
            try api.save("stepCount", "count", [(old, 60, 1), (old, 60, 2), (new, 60, 3), (new, 60, 4)])
            try api.save("heartRate", "count/min", [(old, 0, 61)])
            let made = try await api.client.post(
                "/v1/tokens",
                json: """
                    {"name": "n", "people": ["anna"], "read": ["stepCount", "heartRate"], "since": "2025-04-01T00:00:00Z"}
                    """)
            let recent = try #require(made.json["token"] as? String)
            let writer = try api.server.token(share: .some(["stepCount", "heartRate"]))
            let expected: [(String, [String], Int)] = [(recent, ["stepCount"], 2), (writer, [], 0)]
            for (token, types, count) in expected {
                let order = try await api.get("sources/order?type=stepCount", token: token).list("sources")
                #expect(order.compactMap { $0["count"] as? Int }.reduce(0, +) == count)
                let sources = try await api.get("sources", token: token).list("sources")
                #expect(sources.compactMap { $0["count"] as? Int }.reduce(0, +) == count)
                let query = #"{"query": "SELECT type, count, first_date FROM types", "timeZone": "UTC"}"#
                let rows = try #require(try await api.post("sql", query, token: token).json["rows"] as? [[Any]])
                #expect(rows.compactMap { $0[0] as? String } == types)
                #expect(rows.allSatisfy { $0[1] as? Int == count })
                #expect(rows.allSatisfy { ($0[2] as? String)?.hasPrefix("2025-05-01") == true })
                let views = #"{"query": "SELECT count(*) FROM sqlite_master WHERE name = 'heart_rate'"}"#
                #expect(try await api.post("sql", views, token: token).text.contains("[[0]]"))
            }
            let all = try await api.get("samples?type=stepCount").list("samples")
            for sample in [all[0], all[2]] {
                _ = try await api.client.delete(APIFixture.root + "samples/\(sample["uuid"] as? String ?? "")")
            }
            #expect(try await api.get("changes").list("deleted").count == 2)
            // It may have seen older ones without the limit.
            #expect(try await api.get("changes", token: recent).list("deleted").count == 2)
            #expect(try await api.get("changes", token: writer).list("deleted").isEmpty)
        }
    }

    @Test("A correlation and a workout have nothing of the types that a token may not read")
    func partsOfObjects() async throws {
        try await APIFixture.run { api in
            let range = #""startDate":"2025-05-01T08:00:00Z","endDate":"2025-05-01T08:30:00Z""#
            let pressure = #"{"type":"bloodPressureSystolic","quantity":121,"unit":"mmHg"}"#
            let other = #"{"type":"bloodPressureDiastolic","quantity":79.5,"unit":"mmHg"}"#
            let rate = #""averageQuantity":61.5,"unit":"count/min""#
            let statistics = #"[{"type":"HKQuantityTypeIdentifierHeartRate",\#(range),\#(rate)}]"#
            let saved = try await api.post(
                "samples",
                """
                [{"type":"bloodPressure",\(range),"objects":[\(pressure),\(other)]},
                 {"type":"workout","workoutActivityType":37,\(range),"statistics":\(statistics)}]
                """)
            #expect(saved.status == 200, "\(saved.text)")
            let uuids = try #require(saved.json["samples"] as? [String])
            let token = try api.server.token(read: .some(["bloodPressureSystolic", "workout"]))
            for path in [
                "samples?type=bloodPressure,workout", "samples/\(uuids[0])", "samples/\(uuids[1])", "changes",
                "workouts",
                "workouts/\(uuids[1])",
            ] {
                let whole = try await api.get(path)
                #expect(whole.text.contains("79.5") || whole.text.contains("61.5"), "\(path)")
                let part = try await api.get(path, token: token)
                #expect(part.status == 200 && !part.text.contains("79.5") && !part.text.contains("61.5"), "\(path)")
            }
            for table in ["correlation_members", "blood_pressure", "workout_statistics", "objects"] {
                let answer = try await api.post("sql", "{\"query\":\"SELECT * FROM \(table)\"}", token: token)
                let isSilent = !answer.text.contains("79.5") && !answer.text.contains("61.5")
                #expect(answer.status == 200 && isSilent, "\(answer.text)")
            }
            let bundle = try await api.client.with(token: token).get("/fhir/R4/people/anna/Observation")
            #expect(bundle.text.contains("121") && !bundle.text.contains("79.5") && !bundle.text.contains("61.5"))
        }
    }

    @Test("Figures of another dimension are refused, and those that an archive has brought are left out")
    func incompatibleFigures() async throws {
        try await APIFixture.run { api in
            let (start, end) = ("2025-05-01T08:00:00Z", "2025-05-01T08:30:00Z")
            let heartRate = "HKQuantityTypeIdentifierHeartRate"
            let range = #""startDate":"\#(start)","endDate":"\#(end)""#
            for figure in [
                #""totalDistance":{"quantity":5,"unit":"kcal"}"#, #""totalEnergyBurned":{"quantity":5,"unit":""}"#,
                #""statistics":[{"type":"\#(heartRate)",\#(range),"averageQuantity":61,"unit":"kg"}]"#,
            ] {
                let workout = #"{"type":"workout","workoutActivityType":37,\#(range),\#(figure)}"#
                let answer = try await api.post("samples", workout)
                #expect(answer.status == 422 && answer.code == "invalidSample", "\(answer.text)")
            }
            var body = WorkoutBody(activityType: 37, duration: 1_800)
            body.totalDistance = QuantityRecord(5, unit: "kcal")
            body.totalEnergyBurned = QuantityRecord(5, unit: "")
            let (from, to) = (try APIFixture.instant(start), try APIFixture.instant(end))
            body.statistics = [.init(type: heartRate, start: from, end: to, unit: "kg", average: 61)]
            var summary = ActivitySummaryBody(year: 2025, month: 5, day: 1)
            summary.activeEnergyBurned = QuantityRecord(412, unit: "kg")
            summary.appleExerciseTimeGoal = QuantityRecord(30, unit: "m")
            let revision = APIFixture.app("watch").revision
            let rings = try #require(TypeCatalog.all.first { $0.kind == .activitySummary }).code
            let objects = [
                ObjectRecord(
                    type: try APIFixture.type("workout"), start: from, end: to, revision: revision, body: .workout(body)
                ),
                ObjectRecord(type: rings, start: 0, end: 0, revision: revision, body: .activitySummary(summary)),
            ]
            _ = try BulkImport(engine: api.engine).commit(BulkBatch(objects: objects))
            for path in [
                "today?day=2025-05-01", "activity-summaries?start=2025-05-01&end=2025-05-02", "workouts", "workouts/1",
                "workouts/weeks?start=2025-05-01&end=2025-05-08", "workouts/records",
            ] {
                let answer = try await api.get(path)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                #expect(!answer.text.contains("averageHeartRate"), "\(path)")
            }
        }
    }
}
