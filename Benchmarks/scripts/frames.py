"""Reads a store into data frames with the Python package of this checkout, and prints what it took as JSON.

usage: frames.py archive COUNT                     prints an archive with heart rates of a watch, and ten years of steps
       frames.py times LIBRARY STORE CSV PAIRS     pairs of seconds and of seconds of the processor: ours, the other
       frames.py memory LIBRARY STORE              the bytes of a frame, and of the process at its peak
"""

import datetime
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "Python"
COLUMNS = ["start_date", "end_date", "value", "source", "device"]


def archive(count):
    start = datetime.datetime(2014, 1, 1)
    print("<?xml version='1.0'?><HealthData locale='en_US'><ExportDate value='2024-01-01 00:00:00 +0000'/>")

    def record(name, source, unit, value, begin, end):
        print(
            f"<Record type='HKQuantityTypeIdentifier{name}' sourceName='{source}' unit='{unit}' value='{value}' "
            f"device='&lt;&lt;HKDevice: 0x1&gt;, name:{source}&gt;' "
            f"creationDate='{end} +0000' startDate='{begin} +0000' endDate='{end} +0000'/>"
        )

    for index in range(count):
        when = start + datetime.timedelta(seconds=30 * index)
        record("HeartRate", "Watch", "count/min", 50 + index * 7919 % 97, when, when)
    for index in range(3652 * 48):
        when = start + datetime.timedelta(minutes=30 * index)
        for source, minutes in (("Watch", 20), ("Phone", 25)):
            record("StepCount", source, "count", index * 31 % 900, when, when + datetime.timedelta(minutes=minutes))
    print("</HealthData>")


def cost(work):
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return [time.perf_counter() - wall, time.process_time() - processor]


def pairs(count, ours, other):
    ours(), other()
    return [cost(ours) + cost(other) for _ in range(count)]


def times(path, csv, count):
    import openhealthkit
    import pandas
    import polars
    import pyarrow.parquet

    store = openhealthkit.open(path)
    rates = store.samples("heartRate", columns=COLUMNS)
    parquet = csv + ".parquet"
    pyarrow.parquet.write_table(rates.to_arrow(), parquet)
    assert polars.read_parquet(parquet).shape == rates.to_polars().shape

    def read_csv():
        # With times as times, as the frames of a store have them.
        return pandas.read_csv(csv, parse_dates=["start_date", "end_date"])

    assert len(read_csv()) == rates.to_polars().height
    steps = store.statistics("stepCount", every="day")
    assert len(steps.to_pandas()) > 3650
    return {
        "parquet": pairs(count, rates.to_polars, lambda: polars.read_parquet(parquet)),
        "csv": pairs(max(1, count // 3), rates.to_polars, read_csv),
        "sums": [cost(steps.to_pandas)[0] for _ in range(3 * count)],
        "import": imports(3 * count),
    }


def imports(count):
    code = "import time; start = time.perf_counter(); import openhealthkit; print(time.perf_counter() - start)"
    with tempfile.TemporaryDirectory() as folder:
        # Compiled, as pip does it at installation.
        environment = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = folder

        def run():
            return float(subprocess.check_output([sys.executable, "-c", code], env=environment))

        run()
        return [run() for _ in range(count)]


def memory(path):
    import openhealthkit

    frame = openhealthkit.open(path).samples("heartRate", columns=COLUMNS).to_polars()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"count": frame.height, "frame": frame.estimated_size(), "peak": peak}


if sys.argv[1] == "archive":
    archive(int(sys.argv[2]))
else:
    os.environ |= {"OPENHEALTHKIT_LIBRARY": sys.argv[2], "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.path.insert(0, str(PACKAGE))
    print(json.dumps(times(sys.argv[3], sys.argv[4], int(sys.argv[5])) if sys.argv[1] == "times" else memory(sys.argv[3])))
