"""The tables in the libraries that people use."""

import datetime
import gc
import re
import resource

import duckdb
import matplotlib
import numpy
import openhealthkit as hk
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest


matplotlib.use("agg")


@pytest.fixture(scope="module")
def store() -> hk.Store:
    return hk.demo(20_000)


def test_arrow(store: hk.Store) -> None:
    table = store.samples("heartRate").to_arrow()
    table.validate(full=True)
    assert table.schema.field("start_date").type == pyarrow.timestamp("us", tz="America/New_York")
    assert table.schema.field("value").type == pyarrow.float64()
    assert table.schema.field("value").metadata == {b"unit": b"count/min"}
    assert pyarrow.types.is_dictionary(table.schema.field("source").type)
    assert table.schema.field("metadata").type == pyarrow.map_(pyarrow.string(), pyarrow.string())
    assert table.schema.field("uuid").type == pyarrow.uuid()
    assert not table.schema.field("uuid").nullable


@pytest.mark.parametrize(
    "question",
    [
        lambda store: store.samples("stepCount"),
        lambda store: store.samples(["sleepAnalysis", "bodyMass"]),
        lambda store: store.statistics("heartRate", every="week"),
        lambda store: store.statistics("sleepAnalysis", every="day"),
        lambda store: store.statistics("stepCount", every="day", options=["separateBySource"]),
        lambda store: store.sleep(last="1m", segments=True),
        lambda store: store.workouts(),
        lambda store: store.rings(last="7d"),
        lambda store: store.types(),
        lambda store: store.ecg(),
        lambda store: store.sql("SELECT * FROM workouts"),
        lambda store: store.samples("bodyMass", start="1990", end="1991"),
    ],
)
def test_every_table_in_every_library(store: hk.Store, question: object) -> None:
    table = question(store)  # type: ignore[operator]
    arrow = table.to_arrow()
    arrow.validate(full=True)
    plain = table.to_list()
    assert len(arrow) == len(plain) == len(table.to_pandas()) == table.to_polars().height
    assert arrow.column_names == table.columns == list(table.to_dict())
    # The package's own reader and pyarrow read the same.
    for name in arrow.column_names:
        column = arrow.column(name)
        if pyarrow.types.is_map(column.type):
            assert [value and dict(value) for value in column.to_pylist()] == [row[name] for row in plain]
        else:
            assert column.to_pylist() == [row[name] for row in plain]


def test_pandas(store: hk.Store) -> None:
    frame = store.statistics("stepCount", every="day").to_pandas()
    assert isinstance(frame["start_date"].dtype, pandas.DatetimeTZDtype)
    assert frame.set_index("start_date")["sum"].resample("W").sum().notna().all()
    samples = store.samples("heartRate").to_pandas()
    assert isinstance(samples["source"].dtype, pandas.CategoricalDtype)
    assert samples.groupby("source", observed=True)["value"].mean().between(30, 200).all()
    # Entries of metadata are found by their key, as in a dictionary.
    assert samples["metadata"].str.get("HKMetadataKeyHeartRateMotionContext").isin(["0", "1", "2"]).any()


def test_plots(store: hk.Store) -> None:
    days = store.statistics("stepCount", every="day")
    axes = days.plot()
    (line,) = axes.lines
    assert axes.get_ylabel() == "sum (count)" and list(line.get_ydata()) == days.to_dict()["sum"]
    rates = store.statistics("heartRate", every="day")
    assert rates.plot("maximum", ax=axes) is axes and len(axes.lines) == 2
    with pytest.raises(hk.InvalidArgumentError, match="“sums”"):
        days.plot("sums")
    with pytest.raises(hk.InvalidArgumentError, match="times"):
        store.sql("SELECT 1.5 AS number").plot()


def test_polars(store: hk.Store) -> None:
    frame = polars.DataFrame(store.samples("heartRate", columns=["start_date", "value"]))
    assert frame.schema["start_date"] == polars.Datetime("us", "America/New_York")
    assert frame["start_date"].is_sorted()


def test_duckdb_finds_a_table_by_the_name_of_its_variable(store: hk.Store) -> None:
    samples = store.samples("heartRate")
    count, average = duckdb.sql("SELECT count(*), avg(value) FROM samples").fetchall()[0]
    assert count == len(samples.to_list()) and 40 < average < 120
    # Whenever a table is used, it is read again.
    assert duckdb.sql("SELECT count(*) FROM samples").fetchall() == [(count,)]


def test_sums_are_merged_over_sources(store: hk.Store) -> None:
    samples = store.samples("stepCount", columns=["value"]).to_polars()["value"].sum()
    merged = store.statistics("stepCount", every="day").to_polars()["sum"].sum()
    assert merged < samples * 0.95


def test_times_select_as_text_date_and_datetime(store: hk.Store) -> None:
    start = datetime.datetime(2025, 11, 10, tzinfo=datetime.timezone(datetime.timedelta(hours=-5)))
    counts = {
        len(store.samples("heartRate", start=given).to_list())
        for given in ("2025-11-10", start.date(), start, pandas.Timestamp(start))
    }
    assert len(counts) == 1 and counts != {0}


def test_a_row_of_any_library_is_a_workout(store: hk.Store) -> None:
    table = store.workouts(limit=1)
    expected = store.workout(1)
    pandas_row = table.to_pandas().iloc[0]
    for row in (table.to_list()[0], table.to_polars().row(0, named=True), pandas_row, pandas_row["uuid"], expected["uuid"]):
        assert store.workout(row) == expected
        assert len(store.route(row).to_list()) == len(store.route(1).to_list())


def test_samples_are_selected(store: hk.Store) -> None:
    rates = store.samples("heartRate").to_polars()
    watch = rates["device"].cast(polars.String).to_list().count("Apple Watch")
    assert 0 < watch == len(store.samples("heartRate", device="Apple Watch").to_list())
    assert store.samples("heartRate", device=["Nobody's"]).to_list() == []
    name = rates["source"].cast(polars.String)[0]
    assert len(store.samples("heartRate", source=name).to_list()) == rates["source"].cast(polars.String).to_list().count(name)
    moving = store.samples("heartRate", metadata={"HKMetadataKeyHeartRateMotionContext": 2}).to_list()
    assert moving and all(row["metadata"]["HKMetadataKeyHeartRateMotionContext"] == "2" for row in moving)
    # A table without rows has the same columns.
    empty = store.samples("heartRate", source="Nobody's").to_arrow()
    assert empty.num_rows == 0 and empty.schema == store.samples("heartRate").to_arrow().schema


def test_what_is_no_workout_is_an_error(store: hk.Store) -> None:
    for workout in ("nonsense", "", {"uuid": "1"}, 10**6):
        with pytest.raises(hk.NoDataError):
            store.route(workout)
        with pytest.raises(hk.NoDataError):
            store.workout(workout)


def test_a_store_says_what_it_is(store: hk.Store, tmp_path: object) -> None:
    assert repr(store) == "<openhealthkit.Store demo>"
    with hk.open(f"{tmp_path}/größe.sqlite", create=True) as opened:
        assert repr(opened) == f"<openhealthkit.Store {tmp_path}/größe.sqlite>"


def test_numbers_of_numpy_are_numbers(store: hk.Store) -> None:
    frame = store.samples("bodyMass", limit=numpy.int64(1), unit="kg").to_pandas()
    quantity = numpy.float32(frame["value"][0])
    when = numpy.datetime64("2025-11-16T08:00:00")
    store.add({"type": "bodyMass", "start_date": when, "quantity": quantity, "unit": "kg"})
    last = store.samples("bodyMass", start="2025-11-16", unit="kg").to_list()[-1]
    assert last["value"] == float(quantity) and last["start_date"].hour == 8


def test_parquet(store: hk.Store, tmp_path: object) -> None:
    paths = store.to_parquet(str(tmp_path))
    path = next(path for path in paths if path.endswith("heartRate.parquet"))
    assert pyarrow.parquet.read_table(path).num_rows == len(store.samples("heartRate").to_list())


def test_a_notebook_shows_a_table_and_a_trend(store: hk.Store) -> None:
    assert "stepCount" in store._repr_html_() or "activeEnergyBurned" in store._repr_html_()
    html = store.statistics("stepCount", every="day", last="30d")._repr_html_()
    assert html.startswith("<svg") and html.count("<tr>") == 11 and "polyline" in html
    points = re.search('points="([^"]*)"', html)
    assert points is not None and len(points[1].split()) > 10
    assert "count/min" in store.samples("heartRate")._repr_html_()
    # What an archive contains can't add markup.
    store.add({"type": "bodyMass", "startDate": "2025-11-16T08:00", "quantity": 70, "unit": "kg", "metadata": {"note": "<b>"}})
    assert "<b>" not in store.samples("bodyMass", last="1d")._repr_html_()
    assert repr(store.samples("heartRate")).splitlines()[-1] == "(the first 10 rows)"


def test_errors_while_a_stream_is_read_are_the_consumers(store: hk.Store) -> None:
    query = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) "
        "SELECT CASE WHEN i < 69999 THEN i ELSE 'text' END AS v FROM n"
    )
    with pytest.raises(Exception, match="CAST"):
        store.sql(query).to_arrow()
    with pytest.raises(hk.HealthError, match="CAST"):
        store.sql(query).to_list()


def test_streams_that_are_dropped_leave_no_memory(store: hk.Store) -> None:
    table = store.samples("heartRate", columns=["start_date", "value"])

    def use() -> None:
        for _ in range(50):
            table.__arrow_c_stream__()
            reader = pyarrow.RecordBatchReader.from_stream(table)
            reader.read_next_batch()
            del reader
        gc.collect()

    use()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    use()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 << 10
