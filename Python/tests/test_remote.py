"""A store behind a server, asked as one on this machine."""

import json
import os
import pathlib
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator

import openhealthkit as hk
import polars
import pytest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = os.environ.get("HK_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="HK_PROGRAM is the server's program")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[hk.Store, hk.RemoteStore]]:
    folder = tmp_path_factory.mktemp("server")
    path = str(folder / "health.sqlite")

    def run(*words: str) -> str:
        return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout.strip()

    # The program, the library and the package are one release.
    assert run("--version").splitlines()[0] == hk.__version__
    archive = str(folder / "demo.zip")
    run("generate", archive, "--records", "3000", "--until", "2025-11-16T12:00", "--ios", "18", "--time-zone", "Europe/Berlin")
    run("import", archive, "--store", path, "--quiet", "--time-zone", "Europe/Berlin")
    token = run("token", "add", "python", "--owner", "--store", path)
    server = subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", "--json", "--store", path], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        with hk.open(path) as local, hk.connect(url, token) as remote:
            yield local, remote
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(params=["Arrow", "JSON"])
def stores(
    opened: tuple[hk.Store, hk.RemoteStore], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> tuple[hk.Store, hk.RemoteStore]:
    """Tables arrive in either way."""
    if request.param == "JSON":
        monkeypatch.setattr("openhealthkit._remote._pyarrow_ipc", lambda: None)
    else:
        # A table isn't made of JSON by accident.
        monkeypatch.setattr("openhealthkit._remote._RemoteHandle.open_stream", None)
    return opened


@pytest.mark.parametrize(
    "question",
    [
        lambda store: store.samples("heartRate"),
        lambda store: store.samples("heartRate", limit=3, columns=["start_date", "value"]),
        lambda store: store.samples("sleepAnalysis"),
        lambda store: store.samples(["sleepAnalysis", "stepCount"]),
        lambda store: store.samples("bodyMass", unit="st"),
        lambda store: store.samples("heartRate", start="1990", end="1991"),
        lambda store: store.statistics("stepCount", every="day"),
        lambda store: store.sleep(start="2025-11-01", segments=True),
        lambda store: store.workouts(),
        lambda store: store.rings(start="2025-11-10", end="2025-11-16"),
        lambda store: store.types(),
        lambda store: store.route(1),
        lambda store: store.samples("heartRate", source="Nobody"),
        lambda store: store.samples("heartRate", limit=0),
        lambda store: store.samples("heartRate", metadata={"HKMetadataKeyHeartRateMotionContext": "1"}),
        lambda store: store.statistics("heartRate", every="month", options=["separateBySource"]),
        lambda store: store.statistics("heartRate", every="day", start="1990", end="1991"),
        lambda store: store.samples("heartRate", time_zone="Asia/Tokyo", limit=5),
    ],
)
def test_the_same_table(
    stores: tuple[hk.Store, hk.RemoteStore], question: Callable[[hk.Store | hk.RemoteStore], hk.Table]
) -> None:
    local, remote = (question(store).to_arrow() for store in stores)
    assert remote.schema == local.schema

    def rows(table: object) -> list[object]:
        return [
            {name: sorted(value) if name == "metadata" and value else value for name, value in row.items()}
            for row in table.to_pylist()  # type: ignore[attr-defined]
        ]

    assert rows(remote) == rows(local)


def test_a_client_needs_no_library(opened: tuple[hk.Store, hk.RemoteStore], tmp_path: pathlib.Path) -> None:
    """In the wheel for other systems, there is none."""
    wheel = subprocess.run(
        [ROOT / "Scripts/make-wheel", tmp_path], check=True, capture_output=True, text=True).stdout.strip()
    assert wheel.endswith("-py3-none-any.whl")
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--target", site, wheel]
    subprocess.run(install, check=True)
    local, remote = opened
    program = """\
import sys, openhealthkit as hk
with hk.connect(*sys.argv[1:]) as store:
    print(len(store.samples("heartRate")), store.types().head(1)[0]["name"], store.workout(1)["uuid"])
    print(store.statistics("stepCount", every="day", last="3d"))
try:
    hk.demo()
except hk.DatabaseInaccessibleError as error:
    print(error)
"""
    answer = subprocess.run(
        [sys.executable, "-c", program, remote._handle._base.removesuffix("/v1/"), remote._handle._token],
        check=True, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(site)},
    ).stdout
    days = repr(local.statistics("stepCount", every="day", last="3d"))
    first = f"{len(local.samples('heartRate'))} {local.types().head(1)[0]['name']} {local.workout(1)['uuid']}"
    reason = "This package has no library for this system, so it opens no stores. Use connect to ask a server, with pyarrow installed."
    assert answer == f"{first}\n{days}\n{reason}\n"


def test_a_store_says_where_it_is_without_its_token(opened: tuple[hk.Store, hk.RemoteStore]) -> None:
    remote = opened[1]
    assert repr(remote).startswith("<openhealthkit.RemoteStore http://") and remote._handle._token not in repr(remote)


def test_an_archive_is_sent_to_the_server(opened: tuple[hk.Store, hk.RemoteStore], tmp_path: pathlib.Path) -> None:
    local, remote = opened
    record = (
        "<Record type='HKQuantityTypeIdentifierBodyMassIndex' sourceName='Größe' unit='count' value='{}' "
        "startDate='2025-01-01 08:00:00 +0000' endDate='2025-01-01 08:00:00 +0000'/>"
    )
    path = tmp_path / "export.xml"
    head = "<?xml version='1.0'?><HealthData locale='en_US'><ExportDate value='2025-11-16 00:00:00 +0000'/>"
    path.write_text(head + record.format(21) + record.format(22) + "</HealthData>")
    seen: list[int] = []
    report = remote.import_archive(path, any_person=True, progress=lambda read, total, records: seen.append(read))
    assert (report.added, report.skipped) == (2, 0) and sum(report.types.values()) == 2
    assert remote.import_archive(path, any_person=True, progress=False).already_there == 2
    assert local.samples("bodyMassIndex", source="Größe").to_dict()["value"] == [21, 22]
    with pytest.raises(hk.NoDataError):
        remote.import_archive(tmp_path / "nothing.zip")
    with pytest.raises(hk.InvalidArgumentError):
        remote.import_archive(tmp_path)
    path.write_text("nonsense")
    with pytest.raises(hk.InvalidArgumentError):
        remote.import_archive(path)


def test_results_of_sql_have_their_types(opened: tuple[hk.Store, hk.RemoteStore]) -> None:
    local, remote = opened
    assert remote.ecg().to_arrow().equals(local.ecg().to_arrow(), check_metadata=True)
    for query in (
        "SELECT day, value, source FROM step_count WHERE 0",
        "SELECT start_date, day, value, source, uuid FROM heart_rate ORDER BY start_time LIMIT 50",
        "SELECT x'00ff' AS bytes, 1 AS number, NULL AS missing, 'größer' AS text",
    ):
        assert remote.sql(query).to_arrow().equals(local.sql(query).to_arrow(), check_metadata=True)


def test_what_the_package_reads_by_itself(stores: tuple[hk.Store, hk.RemoteStore]) -> None:
    local, remote = stores
    for store in stores:
        assert store.samples("heartRate").units == {"value": "count/min"}
    assert remote.rings(start="2025-11-10").to_list() == local.rings(start="2025-11-10").to_list()
    assert remote.statistics("stepCount", every="month")._repr_html_() == local.statistics("stepCount", every="month")._repr_html_()
    assert repr(remote.samples("heartRate")) == repr(local.samples("heartRate"))


def test_times_without_an_offset_are_in_the_time_zone_that_was_given(opened: tuple[hk.Store, hk.RemoteStore]) -> None:
    handle = opened[1]._handle
    with hk.connect(handle._base.removesuffix("/v1/"), handle._token, time_zone="Asia/Tokyo") as remote:
        remote.add({"type": "height", "start_date": "2024-01-01T08:00", "quantity": 1.8, "unit": "m"})
        (sample,) = remote.samples("height", start="2024-01-01", end="2024-01-02").to_list()
        assert sample["start_date"].isoformat() == "2024-01-01T08:00:00+09:00"


def test_a_server_sends_tables_without_the_package(opened: tuple[hk.Store, hk.RemoteStore]) -> None:
    local, remote = opened
    handle = remote._handle
    url = f"{handle._base}people/me/samples?type=heartRate,sleepAnalysis&timeZone=Europe/Berlin"
    media = "application/vnd.apache.arrow.stream"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {handle._token}", "Accept": media})
    with urllib.request.urlopen(request) as response:
        assert response.headers["Content-Type"] == media
        frame = polars.read_ipc_stream(response.read())
    assert frame.equals(local.samples(["heartRate", "sleepAnalysis"]).to_polars())


def test_sql_has_every_row(opened: tuple[hk.Store, hk.RemoteStore], monkeypatch: pytest.MonkeyPatch) -> None:
    local, remote = opened
    query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) SELECT i FROM n"
    assert remote.sql(query).to_arrow().equals(local.sql(query).to_arrow())
    monkeypatch.setattr("openhealthkit._remote._pyarrow_ipc", lambda: None)
    with pytest.raises(hk.InvalidArgumentError, match="rows"):
        remote.sql(query).to_list()


def test_changes_and_errors(stores: tuple[hk.Store, hk.RemoteStore]) -> None:
    local, remote = stores
    with pytest.raises(hk.InvalidArgumentError, match="SELEC"):
        remote.sql("SELEC").to_list()
    (uuid,) = remote.add({"type": "bodyMass", "start_date": "2025-11-16T08:00", "quantity": 70, "unit": "kg"})
    assert uuid in {str(row["uuid"]).upper() for row in local.samples("bodyMass").to_list()}
    assert remote.workout(1) == local.workout(1)
    with pytest.raises(hk.InvalidArgumentError, match="heartRate"):
        remote.samples("hartRate").to_list()
    with pytest.raises(hk.NoDataError):
        remote.workout("00000000-0000-0000-0000-000000000000")
    with pytest.raises(hk.DatabaseInaccessibleError):
        hk.connect("http://127.0.0.1:1", "token")
    with pytest.raises(hk.InvalidArgumentError):
        hk.connect("health.example.org", "token")
