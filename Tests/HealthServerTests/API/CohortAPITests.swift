import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Figures over many people", .timeLimit(.minutes(15)))
struct CohortAPITests {
    /// Noon of June 1, 2025, in UTC: the days of the samples are over, without which they have no figures.
    private static let now = Date(timeIntervalSinceReferenceDate: 770_472_000)

    /// Saves steps of twelve people on two days; on the second day, only three walk.
    private func fill(_ server: TestServer) throws -> [String] {
        let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code
        let people = (0..<12).map { "walker\($0)" }
        let day = try Date("2025-05-05T08:00:00Z", strategy: .iso8601).timeIntervalSinceReferenceDate
        for (index, person) in people.enumerated() {
            try server.core.directory.create(person)
            var samples = [
                SampleRecord(type: type, start: day, end: day + 600, value: Double(1_000 * (index + 1)), unit: "count")
            ]
            if index < 3 {
                samples.append(
                    SampleRecord(type: type, start: day + 86_400, end: day + 87_000, value: 77, unit: "count"))
            }
            _ = try server.engine(of: person).save(samples.map { .sample($0) }, as: .person)
        }
        return people
    }

    private static let path =
        "/v1/cohort/statistics?type=stepCount&interval=day&start=2025-05-05&end=2025-05-07&timeZone=UTC"

    private func token(_ server: TestServer, of people: [String]? = nil, mayChoose: Bool = false) throws -> String {
        var request = TokenIssuer.Request(name: "study", scope: .cohort, people: people)
        request.mayChoose = mayChoose
        return try TokenIssuer(stores: server.core.directory, registry: server.core.registry).issue(request).secret
    }

    @Test("The people of a token are fixed, so that no two answers differ by one of them, unless it may choose")
    func fixedPeople() async throws {
        try await TestServer.with(now: Self.now) { server async throws in
            let people = try fill(server)
            for fixed in [try token(server, of: people), try token(server)] {
                let client = server.client.with(token: fixed)
                for some in [Array(people.dropLast()), people, ["anna"]] {
                    let refused = try await client.get(Self.path + "&people=" + some.joined(separator: ","))
                    #expect(refused.status == 403 && refused.code == "forbidden", "\(refused.text)")
                }
            }
            let choosing = try server.client.with(token: token(server, of: people, mayChoose: true))
            let eleven = try await choosing.get(Self.path + "&people=" + people.dropLast().joined(separator: ","))
            #expect((eleven.json["rows"] as? [[String: Any]])?.first?["sum"] as? Double == 66_000)
            // Made over HTTP, it can't choose either unless that is asked for.
            for (mayChoose, status) in [("false", 403), ("true", 200)] {
                let made = try await server.client.post(
                    "/v1/tokens", json: #"{"name": "study", "scope": "cohort", "mayChoose": \#(mayChoose)}"#)
                #expect(made.status == 201 && made.json["mayChoose"] as? Bool == (status == 200), "\(made.text)")
                let client = server.client.with(token: try #require(made.json["token"] as? String))
                #expect(try await client.get(Self.path + "&people=" + people.joined(separator: ",")).status == status)
            }
        }
    }

    @Test("Rows have the figures of enough people; an interval with fewer is counted only")
    func statistics() async throws {
        try await TestServer.with(now: Self.now) { server async throws in
            let people = try fill(server)
            let client = try server.client.with(token: token(server, of: people))
            let answer = try await client.get(Self.path + "&quantiles=0.5,0.9")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["people"] as? Int == 12 && answer.json["withheldIntervals"] as? Int == 1)
            let rows = try #require(answer.json["rows"] as? [[String: Any]])
            #expect(rows.count == 1)
            #expect(rows.first?["start"] as? String == "2025-05-05" && rows.first?["end"] as? String == "2025-05-06")
            #expect(rows.first?["people"] as? Int == 12 && rows.first?["mean"] as? Double == 6_600)
            #expect(rows.first?["sum"] as? Double == 79_200)
            // Six people below the median are fewer than the minimum.
            #expect((rows.first?["quantiles"] as? [String: Double])?.isEmpty == true)

            let csv = try await client.get(Self.path, headers: ["Accept": "text/csv"])
            #expect(csv.headers["content-type"]?.hasPrefix("text/csv") == true)
            #expect(
                csv.text == """
                    type,figure,unit,interval,start,end,people,sum,mean,standard_deviation,p25,p50,p75
                    stepCount,sum,count,day,2025-05-05,2025-05-06,12,79200.0,6600.0,4000.0,,,

                    """)
            let lines = try await client.get(Self.path, headers: ["Accept": "application/x-ndjson"])
            #expect(lines.text.hasPrefix(#"{"end":"2025-05-06","figure":"sum","interval":"day","mean":6600"#))
        }
    }

    @Test("The days of a token are those of one place, which its first request names")
    func timeZones() async throws {
        try await TestServer.with(now: Self.now) { server async throws in
            let people = try fill(server)
            let client = try server.client.with(token: token(server, of: people))
            let start = "/v1/cohort/statistics?type=stepCount&interval=day&start=2025-05-05&end=2025-05-07"
            for zone in ["GMT%2B00:13", "GMT%2B0013", "UTC-1", "%2B01:00", "EST5", "Mars/Phobos"] {
                let refused = try await client.get(start + "&timeZone=\(zone)")
                #expect(refused.status == 400 && refused.code == "invalidParameter", "\(zone): \(refused.text)")
            }
            #expect(try await client.get(start + "&timeZone=Europe/Berlin").status == 200)
            for zone in ["UTC", "Asia/Kathmandu", "Europe/Paris"] {
                let refused = try await client.get(start + "&timeZone=\(zone)")
                #expect(refused.status == 403 && refused.text.contains("Europe/Berlin"), "\(refused.text)")
            }
            // Also for a server that begins again, and without the parameter.
            let stored = try server.core.registry.tokens().first { $0.scope == .cohort }
            #expect(stored?.timeZone == "Europe/Berlin")
            #expect(try await client.get(start).json["timeZone"] as? String == "Europe/Berlin")
            #expect(try await client.get(start + "&timeZone=Europe/Berlin").status == 200)
        }
    }

    @Test("A request has the quantiles for which there are enough people, and no interval that goes on")
    func limits() async throws {
        try await TestServer.with(now: Self.now) { server async throws in
            let people = try fill(server)
            let client = try server.client.with(token: token(server, of: people))
            for quantiles in ["0.51", "0.01", "0.99", "x"] {
                #expect(try await client.get(Self.path + "&quantiles=\(quantiles)").status == 400)
            }
            let now = server.core.now()
            let today = now.formatted(.iso8601.year().month().day())
            let open = try await client.get(
                "/v1/cohort/statistics?type=stepCount&interval=month&start=\(today)&timeZone=UTC")
            #expect(open.status == 200 && (open.json["rows"] as? [Any])?.isEmpty == true, "\(open.text)")
        }
    }

    @Test("A cohort token reads nothing of a single person, and no other token gets figures")
    func scope() async throws {
        try await TestServer.with(now: Self.now) { server async throws in
            let people = try fill(server)
            let study = try server.client.with(token: token(server))
            for path in [
                "samples?type=stepCount", "statistics?type=stepCount", "types", "characteristics",
                "changes?types=stepCount",
            ] {
                let answer = try await study.get("/v1/people/\(people[0])/\(path)")
                #expect(answer.status == 403 && answer.code == "wrongPerson", "\(path): \(answer.status)")
            }
            #expect(try await study.get("/v1/people").json["people"] as? [Any] != nil)
            #expect((try await study.get("/v1/people").json["people"] as? [Any])?.isEmpty == true)
            #expect(try await study.get("/v1/tokens").status == 403)
            #expect((try await study.get("/v1/tokens").json["tokens"] as? [Any])?.isEmpty != false)
            #expect(try await study.post("/v1/people", json: #"{"person":"intruder"}"#).status == 403)
            let fhir = try await study.get("/fhir/R4/people/\(people[0])/Observation")
            #expect(fhir.status == 403)

            let owner = try server.client.with(token: server.token(of: people[0], scope: .owner))
            let refused = try await owner.get(Self.path)
            #expect(refused.status == 403 && refused.code == "forbidden")
        }
    }

    @Test("A request may ask for more people than the minimum, but not for fewer")
    func minimum() async throws {
        try await TestServer.with(now: Self.now) { server async throws in
            let people = try fill(server)
            let client = try server.client.with(token: token(server, of: people, mayChoose: true))
            #expect(try await client.get(Self.path + "&minimumPeople=3").code == "invalidParameter")
            let more = try await client.get(Self.path + "&minimumPeople=13")
            #expect((more.json["rows"] as? [Any])?.isEmpty == true && more.json["withheldIntervals"] as? Int == 2)
            // Eleven of twelve people are enough; their difference to twelve would be one person, which the
            // documentation mentions.
            let fewer = try await client.get(Self.path + "&people=" + people.prefix(9).joined(separator: ","))
            #expect((fewer.json["rows"] as? [Any])?.isEmpty == true)
            #expect(try await client.get(Self.path + "&people=anna").code == "wrongPerson")
            #expect(try await client.get(Self.path + "&figure=average").code == "invalidParameter")
            #expect(try await client.get("/v1/cohort/statistics?type=stepCount").code == "invalidParameter")
        }
    }
}
