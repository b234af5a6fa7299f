"""Uses the package where nothing else is installed. Every failure is an exception."""

import copy
import csv
import datetime
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import uuid

import openhealthkit as hk

assert not {"pandas", "polars", "pyarrow", "numpy", "IPython"} & set(sys.modules)

versions = hk.versions()
assert {"openhealthkit", "SQLite", "zlib"} <= set(versions), versions
assert versions["openhealthkit"] == hk.__version__

store = hk.demo(5_000)
days = store.statistics("stepCount", every="day", last="3d").to_list()
assert [day["start_date"].date().isoformat() for day in days] == ["2025-11-14", "2025-11-15", "2025-11-16"], days
assert all(day["sum"] > 0 and day["unit"] == "count" for day in days)

rates = store.samples("heartRate", last="2w")
assert rates.columns[:4] == ["type", "start_date", "end_date", "value"], rates.columns
assert rates.units == {"value": "count/min"}
row = next(iter(rates))
assert isinstance(row["start_date"], datetime.datetime) and row["start_date"].tzinfo.key == "America/New_York"
assert isinstance(row["uuid"], uuid.UUID) and isinstance(row["value"], float) and row["type"] == "heartRate"
assert any(entry["metadata"] for entry in rates)
assert {row["value"] for row in store.samples("sleepAnalysis")} <= {"asleepCore", "asleepDeep", "asleepREM", "awake", "inBed", "asleepUnspecified"}
assert list(rates.to_dict()) == rates.columns
assert len(rates) == len(rates.to_list()) > 100 and rates.head(3) == rates.to_list()[:3]
assert len(store.samples("heartRate", limit=7)) == 7 == len(store.samples("heartRate", limit=7).head(9))
assert store.workouts().head(2) == store.workouts().to_list()[:2] and not store.samples("bodyMass", start="1990", end="1991")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "heart.csv")
    rates.to_csv(path)
    assert os.stat(path).st_mode & 0o077 == 0
    with open(path, newline="") as file:
        written = list(csv.DictReader(file))
    assert len(written) == len(rates) and list(written[0]) == rates.columns
    assert datetime.datetime.fromisoformat(written[0]["start_date"]) == row["start_date"]
    assert float(written[0]["value"]) == row["value"] and uuid.UUID(written[0]["uuid"]) == row["uuid"]

assert store.sleep(last="1m").columns[0] == "date"
workouts = store.workouts().to_list()
assert workouts and workouts[0]["start_date"] > workouts[-1]["start_date"]
assert store.workout(1)["uuid"] == str(workouts[0]["uuid"]).upper()
assert any(len(store.route(workout).to_list()) > 10 for workout in workouts)
assert store.route(1).columns == store.route(workouts[0]["uuid"]).columns
assert store.rings(last="3d").to_list()[0]["active_energy_burned"] > 0
assert store.ecg().to_list() and next(iter(store.ecg(voltages=True)))["lead"] == 1
assert {row["name"] for row in store.types()} >= {"stepCount", "heartRate"}
assert store.sql("SELECT count(*) AS n FROM samples").to_list()[0]["n"] > 4_000
assert store.ask("trends", type="stepCount")["trends"][0]["unit"] == "count"


def fails(kind, code, call):
    try:
        call()
    except kind as error:
        assert error.code == code and str(error).endswith((".", "?")), (error.code, error)
        return error
    raise AssertionError(f"{kind} expected")


error = fails(hk.InvalidArgumentError, 3, lambda: store.samples("hartRate"))
assert isinstance(error, ValueError) and error.name == "errorInvalidArgument" and "heartRate" in str(error)
fails(hk.InvalidArgumentError, 3, lambda: store.samples("heartRate", unit="kg"))
fails(hk.InvalidArgumentError, 3, lambda: store.samples("heartRate", last="3 fortnights"))
fails(hk.InvalidArgumentError, 3, lambda: store.samples("heartRate", source="a\0b"))
fails(hk.InvalidArgumentError, 3, lambda: store.sql("DELETE FROM samples"))
fails(hk.InvalidArgumentError, 3, lambda: store.add({"type": "bodyMass", "quantity": 70, "unit": "kg"}))
fails(hk.NoDataError, 11, lambda: store.workout("00000000-0000-0000-0000-000000000000"))
fails(hk.DatabaseInaccessibleError, 6, lambda: hk.open("/nowhere/health.sqlite"))
fails(hk.InvalidArgumentError, 3, lambda: hk.open(time_zone="Mars/Olympus"))

# What is saved is read back, from a file that another handle has opened.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "health.sqlite")
    with hk.open(path, create=True, time_zone="Europe/Berlin") as first, hk.open(path) as second:
        # Health data is its owner's only, whatever the umask of the program is.
        assert os.stat(path).st_mode & 0o077 == 0
        when = datetime.datetime(2025, 1, 2, 3, 4, 5, 250_000, tzinfo=datetime.timezone.utc)
        (saved,) = first.add({"type": "bodyMass", "start_date": when, "quantity": 71.2, "unit": "kg"})
        (sample,) = second.samples("bodyMass", unit="kg").to_list()
        assert sample["uuid"] == uuid.UUID(saved) and sample["start_date"] == when and sample["value"] == 71.2
        assert sample["device"] is None and sample["metadata"] is None
        assert first.samples("bodyMass", start=when.date()).to_list()
    fails(hk.DatabaseInaccessibleError, 6, first.types)
    fails(hk.NoDataError, 11, lambda: hk.import_archive("/nowhere/export.zip", path))
    fails(hk.NoDataError, 11, lambda: hk.import_archive("/nowhere/export.zip", path + ".new"))
    assert not os.path.exists(path + ".new")

    # An interrupted import ends, and says so.
    archive = os.path.join(folder, "export.xml")
    with open(archive, "w") as file:
        file.write("<?xml version='1.0'?><HealthData locale='en_US'><ExportDate value='2025-01-01 00:00:00 +0000'/>")
        for second in range(20_000):
            date = f"2024-01-{1 + second % 28:02} {second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02} +0000"
            file.write(
                f"<Record type='HKQuantityTypeIdentifierStepCount' sourceName='Phone, old' unit='count' value='{second % 100}' "
                f"creationDate='{date}' startDate='{date}' endDate='{date}'/>\n"
            )
        file.write("</HealthData>")

    def interrupt(read, total, records):
        raise KeyboardInterrupt

    try:
        hk.import_archive(archive, path, progress=interrupt)
        raise AssertionError("An error of the progress function ends the import.")
    except KeyboardInterrupt:
        pass
    seen = []
    report = hk.import_archive(archive, path, progress=lambda *progress: seen.append(progress))
    assert report.added > 0 and report.skipped == 0 and seen, report
    assert hk.import_archive(archive, path, progress=False).added == 0
    with hk.open(path) as imported:
        for name in ("Phone, old", ["Nobody", "Phone, old"]):
            assert len(imported.samples("stepCount", source=name).to_list()) == report.added
            assert imported.statistics("stepCount", source=name).to_list()

# `last` ends with the person's day, also where the clock of the machine shows that of another zone.
evening = hk.demo(2_000, now="2025-11-15T03:00:00+00:00")
assert [day["start_date"].day for day in evening.statistics("stepCount", every="day", last="1d")] == [14]
assert [day["start_date"].day for day in evening.statistics("stepCount", every="day", last="1d", time_zone="UTC")] == [15]
fails(hk.InvalidArgumentError, 3, lambda: evening.statistics("stepCount", last="1d", time_zone="Mars/Olympus"))

# An offset is a time zone, too.
with hk.demo(2_000, time_zone="GMT+0530") as store_with_offset:
    start = next(iter(store_with_offset.samples("heartRate", limit=1)))["start_date"]
    assert start.utcoffset() == datetime.timedelta(hours=5, minutes=30), start

# What isn't a sample or a number.
fails(hk.InvalidArgumentError, 3, lambda: store.add(["type", "quantity"]))
fails(hk.InvalidArgumentError, 3, lambda: store.add({"type": "bodyMass", "start_date": "2025-01-01", "quantity": float("nan")}))

# A row without a route, and one with: the columns are the same.
assert store.sql("SELECT date FROM route_points WHERE 0").fields == store.sql("SELECT date FROM route_points").fields
assert store.sql("SELECT 1 AS a, 2 AS a").to_dict() == {"a": [1], "a_2": [2]}

# Errors are passed on to another process, stores aren't.
passed = pickle.loads(pickle.dumps(error))
assert type(passed) is type(error) and (passed.code, passed.name, str(passed)) == (error.code, error.name, str(error))
for copied in (pickle.dumps, copy.copy, copy.deepcopy):
    try:
        copied(store._handle)
    except TypeError as refused:
        assert "pickled" in str(refused), refused
    else:
        raise AssertionError("An open store can't be copied.")

# A forked process has no threads of the library, and must not close what its parent uses.
child = os.fork()
if child == 0:
    try:
        fails(hk.DatabaseInaccessibleError, 6, rates.to_list)
        fails(hk.DatabaseInaccessibleError, 6, lambda: hk.demo(0))
        evening.close()
        os._exit(0)
    finally:
        os._exit(1)
assert os.waitpid(child, 0)[1] == 0
assert evening.statistics("stepCount", last="1d").to_list()

# Several threads use one store.
counts = []
threads = [threading.Thread(target=lambda: counts.append(len(rates.to_list()))) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(set(counts)) == 1 and len(counts) == 4, counts

# A store that is closed while others use it closes after their last call.
shared = hk.demo(1_000)
ended = []


def ask_until_closed():
    try:
        while True:
            shared.sql("SELECT count(*) AS n FROM samples").to_list()
    except hk.DatabaseInaccessibleError as error:
        ended.append(error.code)


threads = [threading.Thread(target=ask_until_closed) for _ in range(4)]
for thread in threads:
    thread.start()
shared.close()
for thread in threads:
    thread.join()
assert ended == [6, 6, 6, 6], ended

# A stream that no one reads is released with its capsule, and keeps the store open until then.
capsule = rates.__arrow_c_stream__()
store.close()
del capsule
fails(hk.DatabaseInaccessibleError, 6, rates.to_list)

# Importing the package loads neither the library nor another package.
code = "import sys, openhealthkit; print(openhealthkit._library.library.cache_info().currsize, 'zoneinfo' in sys.modules)"
assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()[0] == "0"
