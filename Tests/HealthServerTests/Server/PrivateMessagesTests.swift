import Foundation
import HTTPTypes
import HealthTesting
import NIOCore
import Testing

@testable import HealthAccess
@testable import HealthServer

/// A server's messages beside its answers contain nothing of the stored data: its log at the most verbose level,
/// problem details and other errors, reports, figures for Prometheus and the audit log are searched for values, dates
/// and metadata that occur nowhere else, while every route is asked rightly and wrongly, over a sound store and over
/// damaged ones.
@Suite("No health data in what a server logs and in its errors", .serialized, .timeLimit(.minutes(60)))
struct PrivateMessagesTests {
    /// Texts that only the data has: what is stored, and what requests send.
    private static let secrets = [
        "73193", "91357", "48271", "585547506", "1563854706", "2019-07-23", "23 Jul", "Jul 23", "23.07.2019", "7/23/",
        "04:05:06",
        "Xanthippe", "Quetzal", "Zaunkoenig", "1951-03-04", "38.4571", "Curling", "curling",
    ]

    private static let archive = """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_US">
         <ExportDate value="2025-11-16 12:00:00 -0500"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1951-03-04" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="73193">
          <MetadataEntry key="Xanthippe" value="Quetzal"/>
         </Record>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="91357.5"/>
         <Record type="HKQuantityTypeIdentifierBodyTemperature" sourceName="Phone" unit="degC" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="38.4571"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 05:05:06 +0000" value="HKCategoryValueSleepAnalysisAsleepCore">
          <MetadataEntry key="Xanthippe" value="Quetzal"/>
         </Record>
         <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Phone" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000">
          <MetadataEntry key="Xanthippe" value="Zaunkoenig"/>
          <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Phone" unit="mmHg" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="173"/>
          <Record type="HKQuantityTypeIdentifierBloodPressureDiastolic" sourceName="Phone" unit="mmHg" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 04:05:06 +0000" value="91"/>
         </Correlation>
         <Workout workoutActivityType="HKWorkoutActivityTypeCurling" duration="48271.5" durationUnit="min" sourceName="Watch" startDate="2019-07-23 04:05:06 +0000" endDate="2019-07-23 05:05:06 +0000">
          <MetadataEntry key="Xanthippe" value="Zaunkoenig"/>
         </Workout>
         <ActivitySummary dateComponents="2019-07-23" activeEnergyBurned="912.5" activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal"/>
        </HealthData>

        """

    /// One request.
    private struct Call {
        /// The query after the path of the route.
        var query = ""
        var body: Data?
        var headers: [String: String] = [:]
        /// The text that replaces `{uuid}`, `{id}`, `{device}` or `**` in the route.
        var place = "5B1C1A0E-0000-4000-8000-000000000000"
        /// Whether a problem may quote the query, which the client itself wrote: its words and no others. Logs may not.
        var mayQuote = false

        init(_ query: String = "", mayQuote: Bool = false) {
            (self.query, self.mayQuote) = (query, mayQuote)
        }

        init(json: String, type: String = "application/json", place: String? = nil) {
            body = Data(json.utf8)
            headers["Content-Type"] = type
            if let place { self.place = place }
        }

        init(at place: String) {
            self.place = place
        }
    }

    /// Routes whose answers are reports of what couldn't be read.
    private static let reports: Set<String> = [
        "/v1/people/{person}/ingest/health-auto-export", "/v1/people/{person}/ingest/shortcuts",
        "/v1/people/{person}/ingest/report",
        "/v1/people/{person}/imports", "/v1/people/{person}/imports/{id}", "/v1/people/{person}/imports/{id}/events",
        "/v1/people/{person}/sync/batches",
    ]

    private static let range = "start=2019-07-01&end=2019-08-01"

    /// The requests of each route that fit it, by method and template; a new route needs an entry, too. Those of
    /// ``misfits(_:)`` are sent to every route.
    private static func calls(_ uuids: [String]) -> [String: [Call]] {
        let person = "/v1/people/{person}/"
        let ofObjects = uuids.map { Call(at: $0) }
        let sample = #"""
            {"samples":[{"type":"stepCount","startDate":"2019-07-23T04:05:06Z","endDate":"2019-07-23T04:05:06Z","quantity":73193,"unit":"count","metadata":{"Xanthippe":"Quetzal"}}]}
            """#
        // A problem names the member of the body that is wrong, and so a key of its metadata, but never a value.
        let wrongSamples = [
            #""quantity":"73193x","unit":"count""#, #""quantity":73193,"unit":"kg""#,
            #""quantity":73193,"unit":"count","metadata":{"note":["Quetzal"]}"#,
            #""quantity":73193,"unit":"count","metadata":{"note":{"date":"2019-07-23 Quetzal"}}"#,
            #""quantity":73193,"unit":"count","endDate":"2019-07-23T04:05:0""#,
            #""quantity":73193,"unit":"count","endDate":"2019-07-23T04:05:05Z""#,
            #""quantity":73193,"unit":"count","uuid":"Zaunkoenig""#,
        ].map { Call(json: #"{"samples":[{"type":"stepCount","startDate":"2019-07-23T04:05:06Z",\#($0)}]}"#) }
        let autoExport = [
            #"{"metrics":[{"name":"step_count","units":"count","data":[{"date":"2019-07-23 04:05:06 +0000","qty":73193},{"date":"2019-07-23 04:05:0","qty":"73193"},{"qty":91357,"date":"Zaunkoenig"}]}]}"#,
            #"{"metrics":[{"name":"heart_rate","units":"Quetzal","data":[{"date":"2019-07-23 04:05:06 +0000","Avg":"Zaunkoenig"}]},{"name":"unknown","data":[{"Xanthippe":91357}]}]}"#,
            #"{"workouts":[{"name":"Running","start":"2019-07-23 04:05:06","duration":"48271x","heartRateData":[{"Xanthippe":"Quetzal"}]}]}"#,
        ].map { Call(json: #"{"data":\#($0)}"#) }
        let batch = #"""
            {"device":{"identifier":"5B1C1A0E-0000-4000-8000-000000000000","name":"Phone"},"sequence":1,"acknowledged":0,"deletedObjects":[],"samples":[%]}
            """#
        let synced =
            #""uuid":"5B1C1A0E-0000-4000-8000-00000000000%","type":"stepCount","source":"Phone","bundleIdentifier":"com.example.phone","startDate":"2019-07-23T04:05:06Z","endDate":"2019-07-23T04:05:06Z""#
        let batches = [
            #""quantity":73193,"unit":"kg","metadata":{"Xanthippe":"Quetzal"}"#,
            #""quantity":73193,"unit":"count","metadata":{"Xanthippe":[["Quetzal"]]}"#,
            #""value":91357"#, #""quantity":"73193","unit":"count""#,
        ].enumerated().map { number, members in
            Call(json: batch.replacing("%", with: "{\(synced.replacing("%", with: "\(number)")),\(members)}"))
        }
        let statements = [
            "SELECT * FROM samples", "SELECT json(value || 'x') FROM step_count",
            "SELECT json_extract(metadata, 'bad') FROM step_count",
            "SELECT 9223372036854775807 + value, printf('%', value) FROM step_count", "SELECT abs(metadata) FROM x",
        ].map { Call(json: #"{"query":"\#($0)"}"#) }
        let tools = [
            ("list_types", ""), ("get_samples", #""type":"stepCount","start":"2019-07-01""#),
            ("get_samples", #""type":"stepCount","limit":"Quetzal""#),
            ("get_statistics", #""type":"heartRate","interval":"day","start":"2019-07-01","end":"2019-08-01""#),
            ("get_trends", #""type":"stepCount""#),
            (
                "get_trends",
                #""type":"stepCount","start":"2019-07-01","end":"2019-07-08","compareStart":"2019-07-15","compareEnd":"2019-07-30""#
            ),
            ("get_sleep", #""start":"2019-07-01""#), ("get_activity_rings", #""start":"2019-07-01""#),
            ("get_energy_balance", #""start":"2019-07-01""#),
            ("get_workouts", ""), ("get_workout", #""uuid":"\#(uuids.first ?? "")""#), ("get_workout_weeks", ""),
            ("get_workout_records", ""), ("get_cycles", ""), ("get_lab_results", ""),
            ("get_today", ""), ("get_highlights", ""), ("get_characteristics", ""),
            ("query_sql", #""query":"SELECT json(value || 'x') FROM step_count""#), ("describe_sql_schema", ""),
            (
                "log_sample",
                #""type":"stepCount","quantity":"73193x","unit":"count","startDate":"2019-07-23T04:05:06Z""#
            ),
        ].map {
            Call(
                json:
                    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#($0.0)","arguments":{\#($0.1)}}}"#
            )
        }
        let xml = archive.replacing("value=\"73193\"", with: "value=\"73193x\"").replacing(
            "endDate=\"2019-07-23 05:05:06 +0000\"", with: "endDate=\"2018\"")
        return [
            "GET /": [Call()], "GET /sign-in": [Call("?code=Zaunkoenig")],
            "GET /**": [Call(at: "styles/tokens.css"), Call(at: "../Quetzal")],
            "GET /v1/session": [Call()], "POST /v1/session": [Call(json: #"{"code":"Zaunkoenig"}"#)],
            "DELETE /v1/session": [Call()], "GET /v1/sessions": [Call()],
            "DELETE /v1/sessions/{id}": [Call(at: "Zaunkoenig")],
            "POST /v1/sign-in-links": [
                Call(json: #"{"screen":"Zaunkoenig 73193"}"#), Call(json: #"{"screen":73193}"#),
            ],
            "GET /v1/authorization-request": [Call("?client_id=Zaunkoenig&redirect_uri=Quetzal")],
            "POST /v1/authorization-request": [Call(json: #"{"isAllowed":true,"read":["Zaunkoenig"]}"#)],
            "GET /.well-known/oauth-protected-resource": [Call()],
            "GET /.well-known/oauth-protected-resource/mcp": [Call()],
            "GET /.well-known/oauth-authorization-server": [Call()],
            "POST /oauth/register": [Call(json: #"{"client_name":"Quetzal","redirect_uris":["Zaunkoenig"]}"#)],
            "GET /oauth/authorize": [Call("?client_id=Zaunkoenig&redirect_uri=Quetzal")],
            "POST /oauth/token": [
                Call(json: "grant_type=Quetzal&resource=Zaunkoenig", type: "application/x-www-form-urlencoded")
            ],
            "POST /oauth/revoke": [Call(json: "token=Quetzal", type: "application/x-www-form-urlencoded")],
            "GET /health": [Call()], "GET /health/live": [Call()], "GET /metrics": [Call()],
            "GET /openapi.json": [Call()],
            "GET /fhir/R4/metadata": [Call()],
            "GET /v1/people": [Call("?search=Quetzal")],
            "POST /v1/people": [Call(json: #"{"person":"a b"}"#), Call(json: #"{"person":73193}"#)],
            "PATCH /v1/people/{person}": [Call(json: #"{"name":73193}"#)],
            "PUT /v1/password": [Call(json: #"{"password":"Quetzal"}"#)],
            "GET /v1/tokens": [Call()],
            "POST /v1/tokens": [
                Call(json: #"{"name":"n","scope":"application","people":["anna"],"since":"2019-07-23x"}"#)
            ],
            "PATCH /v1/tokens/{id}": [Call(json: #"{"since":"2019-07-23T04:05:06Z"}"#)],
            "DELETE /v1/tokens/{id}": [Call()],
            "GET /v1/cohort/statistics": [Call("?type=stepCount&\(range)")],
            "GET \(person)samples": ["stepCount", "heartRate,stepCount", "sleepAnalysis", "bloodPressure", "workout"]
                .map { Call("?type=\($0)&\(range)") },
            "POST \(person)samples": [Call(json: sample)] + wrongSamples,
            "DELETE \(person)samples": [Call("?type=bodyMass&\(range)"), Call()],
            "GET \(person)samples/{uuid}": ofObjects, "DELETE \(person)samples/{uuid}": [Call()],
            "GET \(person)statistics": ["stepCount", "heartRate", "bodyTemperature", "sleepAnalysis", "bloodPressure"]
                .flatMap {
                    [Call("?type=\($0)&\(range)"), Call("?type=\($0)&interval=day&coverage=true&compare=1y&\(range)")]
                },
            "GET \(person)changes": [Call(), Call("?types=stepCount"), Call("?anchor=000000000000-1")],
            "GET \(person)events": [Call()], "GET \(person)activity-summaries": [Call("?\(range)")],
            "GET \(person)energy-balance": [Call("?\(range)")], "GET \(person)sleep": [Call("?\(range)")],
            "GET \(person)trends": [Call("?type=stepCount"), Call("?type=stepCount&recentDays=366&baselineDays=3660")],
            "GET \(person)today": [Call()], "GET \(person)highlights": [Call(), Call("?day=2019-07-23")],
            "GET \(person)workouts": [Call(), Call("?\(range)"), Call("?activityType=Quetzal", mayQuote: true)],
            "GET \(person)workouts/weeks": [Call(), Call("?\(range)"), Call("?load=true&\(range)")],
            "GET \(person)cycles": [Call(), Call("?days=true&\(range)")],
            "GET \(person)lab-results": [Call(), Call("?name=Quetzal&\(range)")],
            "GET \(person)workouts/records": [Call()],
            "GET \(person)workouts/{uuid}": ofObjects, "GET \(person)series/{uuid}": ofObjects,
            "PATCH \(person)workouts/{uuid}": uuids.flatMap { uuid in
                [
                    #"{"workoutActivityType":"Quetzal"}"#, #"{"title":["Quetzal"]}"#, #"{"startDate":"2019-07-23x"}"#,
                    #"{"startDate":"2019-07-23T08:00:00Z","endDate":"2019-07-23T04:05:06Z"}"#, #"{"endDate":73193}"#,
                ].map { Call(json: $0, place: uuid) }
            },
            "GET \(person)workouts/{uuid}/gpx": ofObjects, "GET \(person)workouts/{uuid}/tcx": ofObjects,
            "GET \(person)workouts/{uuid}/fit": ofObjects,
            "GET \(person)electrocardiograms": [Call()], "GET \(person)electrocardiograms/{uuid}": ofObjects,
            "GET \(person)characteristics": [Call()],
            "PATCH \(person)characteristics": [
                #"{"dateOfBirth":"1951-03-04x"}"#, #"{"dateOfBirth":73193}"#, #"{"bloodType":"Quetzal"}"#,
            ].map { Call(json: $0) },
            "GET \(person)goals": [Call()],
            "PUT \(person)goals": [
                #"{"from":"2019-07-23x"}"#, #"{"activeEnergyBurnedGoal":{"quantity":-73193,"unit":"kcal"}}"#,
            ].map { Call(json: $0) },
            "GET \(person)annotations": [Call()], "GET \(person)pinned-types": [Call()],
            "POST \(person)annotations": [
                Call(json: #"{"date":"2019-07-23x","text":"Quetzal"}"#),
                Call(json: #"{"date":"2019-07-23","text":"Quetzal"}"#),
            ],
            "DELETE \(person)annotations/{uuid}": [Call()],
            "PUT \(person)pinned-types": [Call(json: #"{"types":["Quetzal"]}"#)],
            "GET \(person)foods": [Call(), Call("?search=Quetzal"), Call("?barcode=73193")],
            "PUT \(person)foods": [Call(json: "name,energy\nQuetzal,73193x\n", type: "text/csv")],
            "DELETE \(person)foods": [Call()],
            "GET \(person)webhooks": [Call()],
            "POST \(person)webhooks": [
                #"{"application":"Quetzal","url":"http://127.0.0.1/73193","types":["stepCount"]}"#,
                #"{"application":"Quetzal","url":"https://127.0.0.1/","keys":{"p256dh":"Quetzal","auth":"73193"}}"#,
            ].map { Call(json: $0) },
            "DELETE \(person)webhooks/{application}": [Call(at: "Quetzal")],
            "POST \(person)webhooks/{application}/resume": [Call(at: "Quetzal")],
            "POST \(person)webhooks/{application}/suspend": [Call(at: "Quetzal")],
            "POST \(person)webhooks/{application}/test": [Call(at: "Quetzal")],
            "GET \(person)webhooks/{application}/attempts": [Call(at: "Quetzal")],
            "POST \(person)webhooks/{application}/alerts": [
                #"{"alert":"Quetzal","condition":"above","type":"stepCount","limit":73193,"unit":"count"}"#,
                #"{"alert":"Quetzal","condition":"above","type":"heartRate","limit":73193,"unit":"kg"}"#,
                #"{"alert":"73193","condition":"Quetzal"}"#,
            ].map { Call(json: $0, place: "Quetzal") },
            "DELETE \(person)webhooks/{application}/alerts/{alert}": [Call(at: "Quetzal")],
            "GET \(person)preferred-units": [Call()],
            "PUT \(person)preferred-units": [Call(json: #"{"preferredUnits":{"stepCount":73193}}"#)],
            "GET \(person)types": [Call(), Call("?all=true")],
            "GET \(person)sources": [Call(), Call("?type=stepCount")],
            "GET \(person)sources/order": [Call("?type=stepCount")],
            "PUT \(person)sources/order": [
                Call(json: #"{"sources":["com.example.phone"]}"#), Call(json: #"{"sources":[73193]}"#),
            ],
            "POST \(person)sql": statements,
            "GET \(person)imports": [Call()],
            "POST \(person)imports": [
                Call(json: xml, type: "application/xml"), Call(json: archive, type: "application/xml"),
                Call(json: "PK Zaunkoenig", type: "application/zip"),
            ],
            "POST \(person)imports/proposal": [
                Call(json: "Zaunkoenig", type: "text/csv"), Call(json: "Date,Steps\nQuetzal,73193", type: "text/csv"),
            ],
            "GET \(person)imports/{id}": [Call()], "PATCH \(person)imports/{id}": [Call()],
            "DELETE \(person)imports/{id}": [Call()], "POST \(person)imports/{id}/retry": [Call("?recover=true")],
            "GET \(person)imports/{id}/events": [Call()],
            "DELETE \(person)imports/history/{number}": [
                Call("?dryRun=true"), Call(at: "73193"), Call(at: "Quetzal"),
            ],
            "GET \(person)exports": ["zip", "ndjson", "csv", "fhir", "sqlite"].map { Call("?format=\($0)") },
            "POST \(person)ingest/health-auto-export": autoExport,
            "POST \(person)ingest/shortcuts": [
                Call(json: #"{"type":"stepCount","value":"73193x","unit":"count","start":"2019-07-23 04:05:06"}"#),
                Call(json: #"{"type":"stepCount","value":73193,"unit":"kg","start":"2019-07-23"}"#),
                Call(json: #"{"type":"stepCount","value":91357,"start":"Zaunkoenig"}"#),
            ],
            "GET \(person)ingest/report": [Call()],
            "POST \(person)sync/batches": batches, "GET \(person)sync/devices": [Call()],
            "DELETE \(person)sync/devices/{device}": [Call()],
            "GET /fhir/R4/people/{person}/metadata": [Call()],
            "GET /fhir/R4/people/{person}/Patient": [Call()],
            "GET /fhir/R4/people/{person}/Patient/{id}": [Call(at: "anna")],
            "POST /mcp": tools + [
                Call(json: #"{"jsonrpc":"2.0","id":1,"method":"Zaunkoenig","params":["Quetzal",73193]}"#),
                Call(json: #"{"jsonrpc":"2.0","id":"73193","params":"#),
            ],
        ].merging(
            (["Observation"] + ClinicalResource.types).flatMap { type in
                let path = "GET /fhir/R4/people/{person}/\(type)"
                return [(path, [Call(), Call("?code=8867-4&date=ge2019-07-01")]), (path + "/{id}", ofObjects)]
            }
        ) { $1 }
    }

    /// Requests that fit no route: parameters, and bodies for the methods that have one, with the same data.
    private static func misfits(_ route: RouteDescription) -> [Call] {
        var calls = [
            "start=2019-07-23T04:05:06x&type=stepCount", "type=stepCount&metadata.Xanthippe=Quetzal&limit=73193",
            "cursor=Zaunkoenig&type=stepCount",
            "timeZone=Quetzal", "date=ge2019-07-23x&code=8867-4", "Xanthippe=91357", "type=stepCount&unit=Quetzal",
            "%FF=Quetzal",
        ].map { query in
            Call("?" + query, mayQuote: true)
        }
        calls.append(Call(at: "Zaunkoenig"))
        guard !SameOrigin.isSafe(route.method) else { return calls }
        for text in [
            #"{"Xanthippe":"Quetzal"#, #"[73193,"2019-07-23T04:05:06Z"]"#, #""Zaunkoenig""#, "73193",
            #"{"Xanthippe":{"2019-07-23":91357}}"#,
            #"{"data":{"metrics":"Quetzal","workouts":[73193]}}"#, #"{"samples":[{"Xanthippe":"Quetzal"},73193]}"#,
            "<Xanthippe>2019-07-23 04:05:06</Quetzal>",
        ] {
            for type in ["application/json", "application/x-ndjson", "application/zip", "text/plain"] {
                calls.append(Call(json: text, type: type))
            }
        }
        var packed = Call(json: "Zaunkoenig 73193")
        packed.headers["Content-Encoding"] = "gzip"
        return calls + [packed]
    }

    private static func path(_ route: RouteDescription, _ call: Call) -> String {
        var path = route.template.replacing("{person}", with: "anna").replacing("**", with: call.place)
        path.replace(/\{[a-zA-Z]+\}/, with: call.place)
        return route.template == "/mcp" ? "/mcp?person=anna" + call.query.replacing("?", with: "&") : path + call.query
    }

    private static func send(_ route: RouteDescription, _ call: Call, _ client: TestClient) async throws -> TestResponse
    {
        var headers = call.headers
        if route.template == "/mcp" { headers["Accept"] = "application/json, text/event-stream" }
        let stream: TestStream
        do {
            stream = try await client.open(route.method.rawValue, path(route, call), headers: headers, body: call.body)
        } catch is ChannelError {
            // The server may refuse a body and close the connection before it was sent.
            return TestResponse(status: 0, headers: [:], body: Data())
        }
        var all = Data()
        // Events have no end.
        if stream.headers["content-type"]?.hasPrefix("text/event-stream") != true {
            do {
                for try await part in stream.body { all.append(part) }
            } catch is TestServerError {
                // A damaged page ends an answer that has begun.
            }
        }
        await stream.close()
        return TestResponse(status: stream.status, headers: stream.headers, body: all)
    }

    /// Whether an answer says what went wrong, instead of what is stored.
    private static func isMessage(_ route: RouteDescription, _ answer: TestResponse) -> Bool {
        if answer.status >= 400 || reports.contains(route.template) { return true }
        guard route.template == "/mcp" || route.template == "/metrics" else { return false }
        return route.template == "/metrics" || answer.json["error"] != nil
            || (answer.json["result"] as? [String: Any])?["isError"] as? Bool == true
    }

    private static func search(_ text: String, _ place: String, quoting query: String = "") {
        for secret in secrets where !query.contains(secret) {
            // The digits of another number, such as a duration, aren't a value.
            let places = text.ranges(of: secret).filter { range in
                guard secret.allSatisfy(\.isNumber) else { return true }
                let (before, after) = (text[..<range.lowerBound].last, text[range.upperBound...].first)
                return before.map { !$0.isNumber && $0 != "." } ?? true && after.map { !$0.isNumber } ?? true
            }
            guard !places.isEmpty else { continue }
            let found = places.first.map { range in
                let start = text.index(range.lowerBound, offsetBy: -120, limitedBy: text.startIndex) ?? text.startIndex
                let end = text.index(range.upperBound, offsetBy: 60, limitedBy: text.endIndex) ?? text.endIndex
                return String(text[start..<end])
            }
            Issue.record("\(place): “\(secret)” in …\(found ?? "")…")
        }
    }

    /// A folder with the store of `anna`.
    private static func makeStore() async throws -> TemporaryServerFolder {
        let folder = try TemporaryServerFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path + "/anna", withIntermediateDirectories: true)
        let file = try TemporaryServerFolder()
        try Data(archive.utf8).write(to: URL(fileURLWithPath: file.path + "/export.xml"))
        let run = try await HKProcess.run([
            "import", file.path + "/export.xml", "--quiet", "--store", folder.path + "/anna/health.sqlite",
        ])
        #expect(run.status == 0, "\(run.lines)")
        return folder
    }

    /// The store with other bytes in the second half of each page after the first ones, which have the schema.
    private static func damage(_ path: String, seed: UInt8) throws {
        var store = try Data(contentsOf: URL(fileURLWithPath: path))
        let size = Int(store[16]) << 8 | Int(store[17])
        let pageSize = size == 1 ? 65_536 : size
        for page in stride(from: 4 * pageSize, through: store.count - pageSize, by: pageSize) {
            for offset in stride(from: pageSize / 2 + Int(seed), to: pageSize, by: 7) { store[page + offset] ^= 0x5A }
        }
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try store.write(to: URL(fileURLWithPath: path))
    }

    /// Asks every route everything. Returns the UUIDs of the person's objects and samples, and the number of answers by
    /// status.
    private static func ask(_ folder: TemporaryServerFolder, uuids: [String]) async throws -> (
        uuids: [String], statuses: [Int: Int]
    ) {
        try await TestServer.with(folder: folder, people: ["anna"], now: Date(timeIntervalSince1970: 1_763_900_000)) {
            server async throws in
            var found = uuids
            for type in ["workout", "stepCount", "bloodPressure"] where uuids.isEmpty {
                let samples = try await server.client.get("/v1/people/anna/samples?type=\(type)").list("samples")
                found += samples.compactMap { $0["uuid"] as? String }
            }
            let calls = calls(found)
            let routes = Routes.router(server.core).list.routes
            #expect(Set(routes.map { "\($0.method.rawValue) \($0.template)" }) == Set(calls.keys))
            #expect(reports.isSubset(of: routes.map(\.template)))
            var statuses: [Int: Int] = [:]
            for route in routes {
                let name = "\(route.method.rawValue) \(route.template)"
                for call in (calls[name] ?? []) + misfits(route) {
                    let answer = try await send(route, call, server.client)
                    statuses[answer.status, default: 0] += 1
                    guard isMessage(route, answer) else { continue }
                    search(
                        answer.text,
                        "\(name)\(call.query) \(call.body.map { String(decoding: $0, as: UTF8.self) } ?? "")",
                        quoting: call.mayQuote ? call.query : "")
                }
            }
            try server.core.audit.flush()
            let audit = try String(contentsOfFile: server.core.configuration.location.auditLog, encoding: .utf8)
            #expect(audit.split(separator: "\n").count > 500)
            search(audit, "The audit log")
            search(try await server.client.get("/metrics").text, "GET /metrics")
            search(server.log.lines.joined(separator: "\n"), "The log")
            let failures = statuses.filter { $0.key >= 500 }.values.reduce(0, +)
            if !uuids.isEmpty { #expect(failures > 20 && !server.log.lines.isEmpty, "\(statuses)") }
            return (found, statuses)
        }
    }

    @Test("Over a sound store, and over damaged ones, every route")
    func everyRoute() async throws {
        let folder = try await Self.makeStore()
        let path = folder.path + "/anna/health.sqlite"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let sound = try await Self.ask(folder, uuids: [])
        #expect(sound.uuids.count >= 3)
        #expect((sound.statuses[200] ?? 0) > 150 && (sound.statuses[500] ?? 0) == 0, "\(sound.statuses)")
        for seed in [UInt8(0), 3] {
            try whole.write(to: URL(fileURLWithPath: path))
            try Self.damage(path, seed: seed)
            let damaged = try await Self.ask(folder, uuids: sound.uuids)
            print("Statuses over a sound store: \(sound.statuses); over a damaged one: \(damaged.statuses).")
        }
    }
}
