"""Uses the package where nothing else is installed. Every failure is an exception."""

import datetime
import os
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
                f"<Record type='HKQuantityTypeIdentifierStepCount' sourceName='Phone' unit='count' value='{second % 100}' "
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

# Several threads use one store.
counts = []
threads = [threading.Thread(target=lambda: counts.append(len(rates.to_list()))) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(set(counts)) == 1 and len(counts) == 4, counts

# A stream that no one reads is released with its capsule, and keeps the store open until then.
capsule = rates.__arrow_c_stream__()
store.close()
del capsule
fails(hk.DatabaseInaccessibleError, 6, rates.to_list)

# Importing the package loads neither the library nor another package.
code = "import sys, openhealthkit; print(openhealthkit._library.library.cache_info().currsize, 'zoneinfo' in sys.modules)"
assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()[0] == "0"
