import Foundation
import ProcessTestSupport
import Testing

@testable import HealthServer

/// Questions that people ask an assistant about their health. The answers are those that a script finds in the files of the archive
/// itself, without a store.
@Suite("Fifteen questions of a person are answered rightly, in one or two calls each")
struct AssistantQuestionTests {
    private static let now = "2025-11-16T12:00:00-05:00"
    private static let zone = "America/New_York"

    private static let script = ##"""
        import asyncio, collections, datetime, json, statistics, sys, xml.etree.ElementTree as ET, zipfile
        from zoneinfo import ZoneInfo
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client

        hk, store, archive, now, zone = sys.argv[1:6]
        LOCAL = ZoneInfo(zone)
        files = zipfile.ZipFile(archive)

        def instant(text):
            return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").astimezone(LOCAL)

        def day(text):
            return datetime.date.fromisoformat(text)

        def name_of(ending):
            return [name for name in files.namelist() if name.endswith(ending)]

        def kilometers(distance, unit):
            return distance * (1.609344 if unit == "mi" else 1)

        # The archive: samples by type, workouts and summaries of days.
        samples, workouts, rings = collections.defaultdict(list), [], []
        for element in ET.parse(files.open(name_of("/export.xml")[0])).getroot():
            get = element.get
            if element.tag == "Record":
                kind = get("type").replace("HKQuantityTypeIdentifier", "").replace("HKCategoryTypeIdentifier", "")
                samples[kind].append((instant(get("startDate")), instant(get("endDate")), get("value"), get("unit")))
            elif element.tag == "Workout":
                sums = {one.get("type"): kilometers(float(one.get("sum") or 0), one.get("unit"))
                        for one in element.findall("WorkoutStatistics")}
                workouts.append((get("workoutActivityType"), instant(get("startDate")), float(get("duration")) * 60,
                                 sums.get("HKQuantityTypeIdentifierDistanceWalkingRunning", 0)))
            elif element.tag == "ActivitySummary":
                rings.append((day(get("dateComponents")), all(
                    float(get(name)) >= float(get(goal)) for name, goal in [
                        ("activeEnergyBurned", "activeEnergyBurnedGoal"),
                        ("appleExerciseTime", "appleExerciseTimeGoal"), ("appleStandHours", "appleStandHoursGoal")])))

        def values(kind, start, end):
            return [float(value) for first, _, value, _ in samples[kind] if day(start) <= first.date() < day(end)]

        def mean(kind, start, end):
            return statistics.mean(values(kind, start, end))

        # Nights by the day of waking: a night is what lies in the half day around midnight and the morning after it.
        nights = collections.defaultdict(lambda: collections.Counter())
        for first, last, value, _ in samples["SleepAnalysis"]:
            stage = value.replace("HKCategoryValueSleepAnalysis", "")
            nights[(last + datetime.timedelta(hours=6)).date()][stage] += last.timestamp() - first.timestamp()

        def asleep(start, end, stages=("AsleepCore", "AsleepDeep", "AsleepREM")):
            return statistics.mean(
                sum(night[stage] for stage in stages) for date, night in nights.items()
                if day(start) <= date < day(end))

        def trained(start, end, activity=""):
            return [one for one in workouts if day(start) <= one[1].date() < day(end) and one[0].endswith(activity)]

        def first(answer):
            return answer["statistics"][0]

        energy = collections.Counter()
        for start, _, value, _ in samples["DietaryEnergyConsumed"]:
            energy[start.date()] += float(value)
        energy = {date: sum for date, sum in energy.items() if day("2025-11-03") <= date < day("2025-11-10")}
        pulse = {one.date() for start, end, *_ in samples["HeartRate"] for one in (start, end)}
        laboratory = [json.load(files.open(name)) for name in name_of(".json") if "/clinical-records/" in name]
        ferritin = [one["valueQuantity"] for one in laboratory if one.get("code", {}).get("text") == "Ferritin"][0]

        def recordings():
            for name in name_of(".csv"):
                lines = dict(line.split(",", 1) for line in files.read(name).decode().splitlines()[:8] if "," in line)
                if "Classification" in lines:
                    yield instant(lines["Recorded Date"].strip('"')), lines["Classification"].strip('",')
        said = max(recordings())[1].lower().replace(" ", "")
        weight = max(samples["BodyMass"])
        fittest = max(samples["VO2Max"], key=lambda one: float(one[2]))

        week, before = ("2025-11-03", "2025-11-10"), ("2025-10-27", "2025-11-03")
        month = {"start": "2025-11-01", "end": "2025-12-01"}
        november = ("2025-11-01", "2025-12-01")
        lately = ("2025-11-02", "2025-11-16")
        QUESTIONS = [
            ("How did I sleep last week compared with the week before?",
             [("get_sleep", {"start": week[0], "end": week[1], "compare": "previous"})],
             lambda a: (a["averages"]["timeAsleep"], a["comparison"]["averages"]["timeAsleep"]),
             (asleep(*week), asleep(*before))),
            ("What was my blood pressure in November?", [("get_statistics", {"type": "blood pressure", **month})],
             lambda a: (first(a)["averageQuantity"], first(a["with"])["averageQuantity"]),
             (mean("BloodPressureSystolic", *november), mean("BloodPressureDiastolic", *november))),
            ("Did my resting heart rate go down these two weeks?",
             [("get_statistics", {"type": "resting heart rate", "start": lately[0], "end": lately[1], "compare": "2w"})],
             lambda a: (first(a)["averageQuantity"], first(a["comparison"])["averageQuantity"]),
             (mean("RestingHeartRate", *lately), mean("RestingHeartRate", "2025-10-19", "2025-11-02"))),
            ("What was my longest run?", [("get_workout_records", {"activityType": "run"})],
             lambda a: (a["records"][0]["longest"]["duration"],),
             (max(one[2] for one in trained("2000-01-01", "2100-01-01", "Running")),)),
            ("What is my last ferritin value?", [("get_lab_results", {"name": "ferritin", "limit": 1})],
             lambda a: (a["results"][0]["value"], a["results"][0]["unit"]), (ferritin["value"], ferritin["unit"])),
            ("How often and how long did I train in November?", [("get_workout_weeks", {**month, "interval": "month"})],
             lambda a: (a["summary"]["count"], a["summary"]["duration"]),
             (len(trained(*november)), sum(one[2] for one in trained(*november)))),
            ("What do I weigh?", [("get_samples", {"type": "weight", "unit": weight[3], "limit": 1})],
             lambda a: (a["samples"][0]["quantity"],), (float(weight[2]),)),
            ("What was my highest heart rate last week?",
             [("get_statistics", {"type": "heart rate", "start": week[0], "end": week[1]})],
             lambda a: (first(a)["maximumQuantity"],), (max(values("HeartRate", *week)),)),
            ("On how many of the last days was my heart rate measured?", [("get_statistics", {"type": "heart rate"})],
             lambda a: (a["coverage"]["days"], a["coverage"]["daysWithData"]), (31, len(pulse))),
            ("How often did I close all rings in November?", [("get_activity_rings", month)],
             lambda a: (a["summary"]["closed"]["all"],),
             (sum(closed for date, closed in rings if day(november[0]) <= date),)),
            ("How far did I run in November?",
             [("get_workout_weeks", {**month, "activityType": "run", "interval": "month"})],
             lambda a: (kilometers(*a["summary"]["totalDistance"].values()),),
             (sum(one[3] for one in trained(*november, "Running")),)),
            ("What did my last electrocardiogram say?", [("get_electrocardiograms", {"limit": 1})],
             lambda a: (a["electrocardiograms"][0]["classificationName"].lower()[:len(said)],), (said,)),
            ("How much deep sleep do I get a night?", [("get_sleep", {"start": "2025-10-18", "end": "2025-11-17"})],
             lambda a: (a["averages"]["stages"]["deep"],), (asleep("2025-10-18", "2025-11-17", ["AsleepDeep"]),)),
            ("How many calories did I eat on a day last week?",
             [("get_statistics", {"type": "dietary energy", "unit": "kcal", "start": week[0], "end": week[1],
                                  "summary": True})],
             lambda a: (a["summary"]["average"], a["coverage"]["daysWithData"]),
             (statistics.mean(energy.values()), len(energy))),
            ("On which day was my VO2 max highest?",
             [("get_statistics", {"type": "VO2 max", "interval": "day", "start": "2025-10-01"})],
             lambda a: (max(a["statistics"], key=lambda one: one["averageQuantity"])["startDate"][:10],),
             (fittest[0].date().isoformat(),)),
        ]

        async def main():
            server = StdioServerParameters(
                command=hk, args=["mcp", "--store", store, "--time-zone", zone], env={"HEALTHKIT_NOW": now, "TZ": zone})
            wrong = []
            async with Client(stdio_client(server)) as client:
                for question, calls, told, expected in QUESTIONS:
                    assert len(calls) <= 2, question
                    try:
                        answers = [(await client.call_tool(*call)).structured_content for call in calls]
                        found = told(*answers)
                    except Exception as error:
                        found = (repr(error),)
                    same = len(found) == len(expected) and all(
                        abs(one - other) <= abs(other) * 1e-4 if isinstance(one, (int, float)) else one == other
                        for one, other in zip(found, expected))
                    if not same:
                        wrong.append(f"{question} {found} instead of {expected}")
            assert len(QUESTIONS) == 15 and not wrong, "\n".join(wrong)
            print(json.dumps([question for question, *_ in QUESTIONS]))

        asyncio.run(main())
        """##

    @Test func questions() async throws {
        let folder = try TemporaryServerFolder()
        let (archive, store) = (folder.path + "/demo.zip", folder.path + "/health.sqlite")
        for arguments in [
            [
                "generate", archive, "--ios", "26", "--no-defects", "--records", "30000", "--seed", "7", "--until",
                "2025-11-16T12:00", "--time-zone", Self.zone,
            ], ["import", archive, "--quiet", "--store", store],
        ] {
            let run = try await HKProcess.run(arguments, environment: ["HEALTHKIT_NOW": Self.now, "TZ": Self.zone])
            #expect(run.status == 0, "\(run.lines)")
        }
        let output = try await PythonScript.run(
            Self.script, [BuiltProgram.hk.path, store, archive, Self.now, Self.zone])
        let questions = try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String])
        let guide = try String(
            contentsOf: URL(fileURLWithPath: PythonScript.interpreter).deletingLastPathComponent()
                .appending(path: "../../../Docs/API.md"), encoding: .utf8
        ).replacing("\n", with: " ")
        for question in questions { #expect(guide.contains(question), "Docs/API.md doesn’t list: \(question)") }
    }
}
