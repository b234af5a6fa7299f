"""What mypy says about programs that use the package."""

import os
import pathlib
import re
import subprocess
import sys

import openhealthkit

PROGRAM = """\
import openhealthkit as hk

store = hk.demo(2_000)
kind: hk.SampleType = "heartRate"
store.samples(kind, unit="count/min", columns=["start_date", "value"])
store.samples(["stepCount", "sleepAnalysis"])
steps = store.statistics("stepCount", every="day", options=["sum"])
rows: int = len(steps)
first: list[dict[str, object]] = steps.head(3)
steps.to_csv("steps.csv")
store.samples("hartRate")  # error
store.samples(["stepCount", "hartRate"])  # error
store.samples("heartRate", unit="furlong")  # error
store.statistics("stepCounts")  # error
store.statistics("stepCount", every="fortnight")  # error
store.statistics("stepCount", options=["total"])  # error
hk.connect("https://health.example.org", "token").samples("hartRate")  # error
"""


def test_misspelled_names_are_errors(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    environment = os.environ | {"MYPYPATH": str(pathlib.Path(openhealthkit.__file__).parents[1])}
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)],
        capture_output=True, text=True, env=environment, cwd=tmp_path,
    )
    found = {int(line) for line in re.findall(r"program\.py:(\d+): error: ", run.stdout)}
    wanted = {number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# error")}
    assert found == wanted and len(wanted) == 7, run.stdout + run.stderr
