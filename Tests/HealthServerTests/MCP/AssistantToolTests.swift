import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite struct AssistantToolTests {
    @Test func everyToolAnswersWithUnitsAndBounds() async throws {
        try await TestServer.with(now: Date(timeIntervalSinceReferenceDate: FHIRStore.start + 7_200)) { server in
            try FHIRStore.fill(server.engine())
            try FHIRStore.addObjects(to: server.engine())
            let listed = try await AssistantMessages.send(
                #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, server.client)
            let tools = try #require((listed.json["result"] as? [String: Any])?["tools"] as? [[String: Any]])
            #expect(!tools.compactMap { $0["name"] as? String }.contains("log_sample"))
            // The person's unit, not that of the region in which the tests run.
            var workout = ""
            for (unit, length) in [("km", 5.2), ("mi", 5_200 / 1_609.344)] {
                try server.engine().profile.update {
                    $0.preferredUnits["HKQuantityTypeIdentifierDistanceWalkingRunning"] = unit
                }
                let workouts = try await AssistantMessages.call("get_workouts", "{}", server.client)
                let found = (workouts["structuredContent"] as? [String: Any])?["workouts"] as? [[String: Any]]
                let distance = try #require(found?.first?["totalDistance"] as? [String: Any])
                #expect(distance["unit"] as? String == unit)
                #expect(abs((distance["quantity"] as? Double ?? 0) - length) < 1e-4)
                #expect(AssistantMessages.text(workouts).contains(#","unit":"\#(unit)"}"#))
                workout = try #require(found?.first?["uuid"] as? String)
            }
            let range = #""start":"2026-02-01","end":"2026-02-08""#
            let calls: [(String, String, String)] = [
                ("list_types", "{}", "HKQuantityTypeIdentifierHeartRate"),
                ("list_types", #"{"search":"heart rate"}"#, "RestingHeartRate"),
                ("get_samples", #"{"type":"heartRate","limit":3}"#, "count/min"),
                ("get_samples", #"{"type":"bodyMass","sort":"startDate","unit":"lb"}"#, #""unit":"lb""#),
                ("get_statistics", #"{"type":"stepCount",\#(range)}"#, #""sumQuantity":120"#),
                (
                    "get_statistics", #"{"type":"heartRate",\#(range),"interval":"day","timeZone":"Europe/Berlin"}"#,
                    "+01:00"
                ),
                ("get_statistics", #"{"type":"sleepAnalysis",\#(range)}"#, "asleepDeep"),
                ("get_trends", #"{"type":"stepCount"}"#, #""unit":"count""#),
                (
                    "get_trends",
                    #"{"type":"stepCount",\#(range),"compareStart":"2026-01-01","compareEnd":"2026-02-01"}"#,
                    "comparison"
                ),
                ("get_sleep", "{\(range)}", "nights"), ("get_activity_rings", "{\(range)}", "activitySummaries"),
                ("get_energy_balance", "{\(range)}", "kcal"), ("get_workout", #"{"uuid":"\#(workout)"}"#, "running"),
                ("get_workout", #"{"uuid":"1"}"#, workout), ("get_workout_weeks", "{}", "weeks"),
                ("get_workout_records", "{}", "records"),
                ("get_workout_weeks", #"{"load":true}"#, "workoutsWithoutLoad"), ("get_cycles", "{}", "cycles"),
                ("get_workout", #"{"uuid":"1","compare":3}"#, "earlier"), ("get_today", "{}", "date"),
                ("get_highlights", "{}", #""unknown":"#),
                ("get_characteristics", "{}", "1990-02-03"),
                ("get_electrocardiograms", "{}", #""classificationName":"sinusRhythm""#),
                ("get_electrocardiograms", #"{"end":"2026-01-01"}"#, #""electrocardiograms":[]"#),
                ("get_samples", #"{"type":"weight"}"#, "BodyMass"),
                ("get_samples", #"{"type":"hr","limit":1}"#, "HeartRate"),
                ("get_statistics", #"{"type":"steps"}"#, #""sumQuantity":120"#),
                ("get_statistics", #"{"type":"heart rate","interval":"day"}"#, #""minimumQuantity":60"#),
                ("get_statistics", #"{"type":"blood pressure"}"#, #""averageQuantity":79"#),
                ("get_sleep", #"{"interval":"month","compare":"previous"}"#, #""daysWithData":1"#),
                ("get_activity_rings", #"{"interval":"week"}"#, "intervals"),
                ("get_lab_results", "{}", #""value":4.1,"unit":"mmol/L""#),
                ("query_sql", #"{"query":"SELECT count(*) AS n FROM heart_rate"}"#, #"[[25]]"#),
                ("describe_sql_schema", "{}", "heart_rate"),
                ("export_workout", #"{"uuid":"\#(workout)"}"#, #""encoding":"base64","content":"D"#),
                ("export_workout", #"{"uuid":"\#(workout)","format":"tcx"}"#, "<TrainingCenterDatabase"),
            ]
            for (tool, arguments, expected) in calls {
                let result = try await AssistantMessages.call(tool, arguments, server.client)
                #expect(result["isError"] as? Bool == false, "\(tool): \(AssistantMessages.text(result))")
                #expect(
                    AssistantMessages.text(result).contains(expected),
                    "\(tool): \(AssistantMessages.text(result).prefix(300))")
                #expect(AssistantMessages.text(result).utf8.count <= AssistantTools.maximumBytes)
            }
            #expect(Set(calls.map(\.0)).union(["get_workouts"]) == Set(tools.compactMap { $0["name"] as? String }))
        }
    }

    @Test("A file of which only a part is kept has its address, and neither a size nor a content")
    func largeFile() {
        let answer = APIDispatcher.Answer(
            status: 200, bytes: [1, 2, 3], isCut: true, media: "application/vnd.ant.fit", fileName: "run.fit")
        let text = String(decoding: AssistantFile(answer, address: "/v1/run").text(within: 60_000), as: UTF8.self)
        #expect(text.contains("run.fit") && text.contains("address"))
        #expect(!text.contains("size") && !text.contains("content"), "\(text)")
    }

    @Test("Thirty nights fit into a result, with averages; segments are for those who ask for them")
    func nights() async throws {
        let start = FHIRStore.start
        try await TestServer.with(now: Date(timeIntervalSinceReferenceDate: start + 7_200)) { server in
            let type = FHIRStore.code("HKCategoryTypeIdentifierSleepAnalysis")
            let nights = (0..<30).flatMap { night in
                (0..<24).map { part in
                    let begin = start - Double(night) * 86_400 - Double(8 * 3_600 - part * 1_200)
                    return SaveItem.sample(
                        SampleRecord(
                            type: type, start: begin, end: begin + 1_187.25, value: [3, 4, 5, 2][part % 4]))
                }
            }
            try server.engine().save(nights, as: .person)
            let result = try await AssistantMessages.call("get_sleep", #"{"start":"2026-01-08"}"#, server.client)
            #expect(result["isError"] as? Bool == false, "\(AssistantMessages.text(result).prefix(200))")
            let answer = try #require(result["structuredContent"] as? [String: Any])
            #expect((answer["nights"] as? [[String: Any]])?.count == 30)
            let averages = try #require(answer["averages"] as? [String: Any])
            #expect(averages["nights"] as? Int == 30)
            let hours = try #require(averages["timeAsleep"] as? Double) / 3_600
            #expect(hours > 5.5 && hours < 6.5)
            let units = try #require(answer["units"] as? [String: [String]])
            #expect(units["s"]?.contains("timeAsleep") == true && units["fraction"] == ["efficiency"])
            #expect(!AssistantMessages.text(result).contains("segments"))
            let one = try await AssistantMessages.call(
                "get_sleep", #"{"start":"2026-02-06","segments":true}"#, server.client)
            #expect(AssistantMessages.text(one).contains(#""segments":["#))
        }
    }

    @Test("Without a range, statistics are about the last month and rings about a week")
    func ranges() async throws {
        let start = FHIRStore.start
        try await TestServer.with(now: Date(timeIntervalSinceReferenceDate: start + 7_200)) { server in
            try server.engine().save(
                [40.0, 29, 1].map {
                    .sample(FHIRStore.sample("StepCount", 100 + $0, "count", at: start - $0 * 86_400, lasting: 60))
                }, as: .person)
            func sum(_ arguments: String) async throws -> Double? {
                let result = try await AssistantMessages.call("get_statistics", arguments, server.client)
                let all = (result["structuredContent"] as? [String: Any])?["statistics"] as? [[String: Any]]
                return all?.compactMap { $0["sumQuantity"] as? Double }.reduce(0, +)
            }
            #expect(try await sum(#"{"type":"stepCount"}"#) == 230)
            #expect(try await sum(#"{"type":"stepCount","interval":"day"}"#) == 230)
            #expect(try await sum(#"{"type":"stepCount","end":"2026-01-20"}"#) == 269)
            let energy = try await AssistantMessages.call("get_energy_balance", "{}", server.client)
            #expect(((energy["structuredContent"] as? [String: Any])?["days"] as? [Any])?.count == 7)
            let listed = try await AssistantMessages.send(
                #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, server.client)
            for text in ["By default 30 days ago.", "By default 6 days ago.", "By default false."] {
                #expect(listed.text.contains(text))
            }
        }
    }

    @Test(
        "The list of tools is short, so that it leaves a conversation its room, and numbers have units",
        arguments: [false, true])
    func size(allowsWriting: Bool) async throws {
        try await TestServer.with(configure: { $0.allowsAssistantWrites = allowsWriting }) { server in
            let listed = try await AssistantMessages.send(
                #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, server.client)
            #expect(listed.body.count <= 25_000, "\(listed.body.count)")
            #expect(listed.text.contains("log_sample") == allowsWriting)
            let sleep = try await AssistantMessages.call("get_sleep", "{}", server.client)
            #expect(AssistantMessages.text(sleep).contains(#""fraction":["efficiency"]"#))
        }
    }

    @Test("An answer that would be too large has longer intervals or fewer results, and says so")
    func reduction() async throws {
        let start = FHIRStore.start
        try await TestServer.with(now: Date(timeIntervalSinceReferenceDate: start + 7_200)) { server in
            let items = (0..<2_000).map { hour in
                SaveItem.sample(FHIRStore.sample("HeartRate", 60, "count/min", at: start - Double(hour) * 3_600))
            }
            try server.engine().save(items, as: .person)
            func answer(_ tool: String, _ arguments: String) async throws -> (note: String, answer: [String: Any]) {
                let result = try await AssistantMessages.call(tool, arguments, server.client)
                #expect(result["isError"] as? Bool == false, "\(AssistantMessages.text(result))")
                #expect(AssistantMessages.text(result).utf8.count <= AssistantTools.maximumBytes)
                let answer = result["structuredContent"] as? [String: Any] ?? [:]
                return (answer["note"] as? String ?? "", answer)
            }
            for asked in ["hour", "30m", "minute"] {
                let hours = try await answer(
                    "get_statistics", #"{"type":"heart rate","start":"2025-11-01","interval":"\#(asked)"}"#)
                #expect(hours.note.hasSuffix("Its intervals are therefore a day each."), "\(hours.note)")
                #expect(hours.answer["interval"] as? String == "day")
            }
            let century = try await answer(
                "get_statistics", #"{"type":"heart rate","start":"1900-01-01","interval":"day","timeZone":"UTC"}"#)
            #expect(
                century.note.isEmpty && (century.answer["coverage"] as? [String: Any])?["daysWithData"] as? Int == 84)
            let rows = try await answer(
                "query_sql", #"{"query":"SELECT printf('%0300d', 1) AS b FROM heart_rate","limit":500}"#)
            #expect(rows.note.hasSuffix("no more than 125 results."), "\(rows.note)")
            let energy = try await answer("get_energy_balance", #"{"start":"2025-03-01"}"#)
            #expect(energy.note.hasSuffix("a week each.") && energy.answer["days"] == nil, "\(energy.note)")
            let samples = try await answer("get_samples", #"{"type":"heart rate","limit":25}"#)
            #expect(samples.note.isEmpty)
        }
    }

    @Test(
        "Fractions are rounded to five digits, whole numbers and texts are not",
        arguments: [
            (#"{"a":160.65085045412027,"b":0.0035595350382906254}"#, #"{"a":160.65,"b":0.0035595}"#),
            (#"[262307.745036024,-1694.946317982818,1.5e-7,125.00000000000001]"#, "[262308,-1694.9,1.5e-07,125]"),
            (
                #"{"n":12345678901,"text":"1.23456789 \"0.123456789","t":true,"f":false,"z":null,"s":0.0}"#,
                #"{"n":12345678901,"text":"1.23456789 \"0.123456789","t":true,"f":false,"z":null,"s":0.0}"#
            ),
        ])
    func rounding(json: String, expected: String) {
        #expect(String(decoding: AssistantResult.rounded(Array(json.utf8)), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("get_samples", "{}", "type is required"), ("get_samples", #"{"type":"nonsense"}"#, "not a data type"),
        ("get_samples", #"{"type":"heartRate","limit":9999}"#, "limit"),
        ("get_samples", #"{"typ":"heartRate"}"#, "typ"),
        ("get_samples", #"{"type":7}"#, "not a data type"), ("get_samples", "[]", "not an object"),
        ("get_workout", #"{"uuid":"../../ben/samples"}"#, "not a workout"),
        ("get_sleep", #"{"start":"soon"}"#, "soon"),
        ("query_sql", #"{"query":"DELETE FROM samples"}"#, "may not be modified"),
        ("query_sql", #"{"query":"SELECT zeroblob(100000)"}"#, "bytes"),
        (
            "get_statistics", #"{"type":"stepCount","start":"2026-02-01","end":"2026-02-02","interval":"second"}"#,
            "interval"
        ),
    ])
    func mistakesAreReportedToTheAssistant(tool: String, arguments: String, expected: String) async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let result = try await AssistantMessages.call(tool, arguments, server.client)
            #expect(result["isError"] as? Bool == true)
            #expect(AssistantMessages.text(result).contains(expected), "\(AssistantMessages.text(result))")
        }
    }

    @Test func writingNeedsPermissionOfTheServerAndTheToken() async throws {
        let log = #"{"type":"bodyMass","quantity":71,"unit":"kg","startDate":"2026-02-06T08:00:00Z"}"#
        try await TestServer.with { server in
            let refused = try await AssistantMessages.call("log_sample", log, server.client)
            #expect((refused["error"] as? [String: Any])?["code"] as? Int == -32_602)
        }
        try await TestServer.with(configure: { $0.allowsAssistantWrites = true }) { server in
            let denied = try await AssistantMessages.call(
                "log_sample", log, server.client.with(token: server.token(read: .some(["bodyMass"]))))
            #expect(denied["isError"] as? Bool == true)
            let readOnly = try await AssistantMessages.call(
                "log_sample", log, server.client.with(token: server.token(scope: .owner, isReadOnly: true)))
            #expect(readOnly["error"] != nil)
            let saved = try await AssistantMessages.call(
                "log_sample", log, server.client.with(token: server.token(share: .some(["bodyMass"]))))
            #expect(saved["isError"] as? Bool == false, "\(AssistantMessages.text(saved))")
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierBodyMass").map(\.value) == [71])
            let symptom = try await AssistantMessages.call(
                "log_sample", #"{"type":"headache","value":"mild","startDate":"2026-02-06T08:00:00Z"}"#, server.client)
            #expect(symptom["isError"] as? Bool == false, "\(AssistantMessages.text(symptom))")
        }
    }

    @Test func assistantReadsOnlyPermittedTypes() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let client = server.client.with(token: try server.token(read: .some(["heartRate"])))
            let types = try await AssistantMessages.call("list_types", "{}", client)
            #expect(
                AssistantMessages.text(types).contains("HeartRate")
                    && !AssistantMessages.text(types).contains("BodyMass"))
            // In kilograms, because a region with pounds would show another number.
            let question = #"{"type":"bodyMass","unit":"kg"}"#
            let weight = try await AssistantMessages.call("get_samples", question, client)
            #expect(!AssistantMessages.text(weight).contains("70.5"))
            let owners = try await AssistantMessages.call("get_samples", question, server.client)
            #expect(AssistantMessages.text(owners).contains("70.5"))
            let other = try await client.post("/mcp?person=ben", json: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
            #expect(other.status == 403)
            #expect(try await client.with(token: nil).post("/mcp?person=anna", json: "{}").status == 401)
        }
    }
}
