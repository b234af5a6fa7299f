import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Workouts as files over HTTP")
struct WorkoutFilesAPITests {
    private let run = UUID()
    private let yoga = UUID()

    /// A run with a route and a heart rate, and a session of yoga.
    private func save(_ api: APIFixture) throws {
        let start = try APIFixture.instant("2025-05-01T08:00:00Z")
        let route = ObjectRecord(
            type: try APIFixture.type("workoutRoute"), start: start, end: start + 60,
            body: .document(
                DocumentBody(
                    series: [
                        "timestamps": [start, start + 60], "latitudes": [52.5, 52.6], "longitudes": [13.4, 13.4],
                        "altitudes": [30, 31],
                    ])))
        for (uuid, activity, parts) in [(run, UInt(37), [route]), (yoga, 57, [])] {
            try api.engine.save(
                ObjectRecord(
                    uuid: uuid, type: try APIFixture.type("workout"), start: start, end: start + 60,
                    body: .workout(WorkoutBody(activityType: activity, duration: 60))),
                owning: [], parts: parts, as: APIFixture.app("watch"))
        }
        try api.save("heartRate", "count/min", [("2025-05-01T08:00:10Z", 0, 141)])
    }

    @Test("A workout is GPX or TCX, with what the token may read")
    func formats() async throws {
        try await APIFixture.run { api in
            try save(api)
            let gpx = try await api.get("workouts/\(run)/gpx?timeZone=Europe/Berlin")
            #expect(gpx.status == 200 && gpx.headers["content-type"] == "application/gpx+xml")
            #expect(
                gpx.headers["content-disposition"] == "attachment; filename=\"2025-05-01_10-00-00_running.gpx\"")
            #expect(
                gpx.text.contains("<time>2025-05-01T08:01:00Z</time>")
                    && gpx.text.contains("<gpxtpx:hr>141</gpxtpx:hr>"))
            let tcx = try await api.get("workouts/\(yoga)/tcx")
            #expect(tcx.status == 200 && tcx.headers["content-type"] == "application/vnd.garmin.tcx+xml")
            #expect(tcx.text.contains("<Time>2025-05-01T08:00:10Z</Time><HeartRateBpm><Value>141</Value>"))
            let fit = try await api.get("workouts/\(yoga)/fit")
            #expect(fit.status == 200 && fit.headers["content-type"] == "application/vnd.ant.fit")
            #expect(fit.headers["content-disposition"]?.hasSuffix("_yoga.fit\"") == true)
            #expect(fit.text.contains(".FIT"))
            // Routes alone.
            let routes = try api.server.token(read: .some(["workout", "workoutRoute"]))
            let alone = try await api.get("workouts/\(run)/gpx", token: routes)
            #expect(alone.status == 200 && alone.text.contains("<trkpt") && !alone.text.contains("gpxtpx:hr>"))
            let rates = try api.server.token(read: .some(["workout", "heartRate"]))
            #expect(try await api.get("workouts/\(run)/gpx", token: rates).status == 404)
            #expect(try await api.get("workouts/\(run)/tcx", token: rates).text.contains("<Value>141</Value>"))
            let none = try api.server.token(read: .some(["workoutRoute", "heartRate"]))
            for format in ["gpx", "tcx", "fit"] {
                #expect(try await api.get("workouts/\(run)/\(format)", token: none).status == 404)
                #expect(try await api.get("workouts/\(UUID())/\(format)").status == 404)
                #expect(try await api.get("workouts/1/\(format)").status == 404)
                #expect(try await api.get("workouts/\(run)/\(format)?timeZone=Nowhere").status == 400)
            }
            let indoors = try await api.get("workouts/\(yoga)/gpx")
            #expect(indoors.status == 404 && indoors.text.contains("Ask for fit or tcx"))
        }
    }
}
