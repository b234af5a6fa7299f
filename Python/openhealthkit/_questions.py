"""The questions that a store answers, on this machine or on a server."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import InvalidArgumentError, NoDataError
from ._table import Table
from ._values import encoded, zone

if TYPE_CHECKING:
    from typing import Literal, Self, Union

    from ._library import Handle
    from ._types import SampleType, Unit

    #: A time: a date or time of Python, pandas or NumPy, or text in ISO 8601 such as ``2024-01-31``. Days begin at midnight in the
    #: person's time zone.
    Instant = Union[str, datetime.date, datetime.datetime]
    Interval = Literal["minute", "hour", "day", "week", "month", "quarter", "year"]
    Column = Literal[
        "type",
        "start_date",
        "end_date",
        "value",
        "value_name",
        "unit",
        "source",
        "bundle_identifier",
        "device",
        "creation_date",
        "metadata",
        "uuid",
    ]
    Figure = Literal["sum", "average", "min", "max", "mostRecent", "duration", "separateBySource"]


def _names(given: str | Sequence[str] | None) -> list[str] | None:
    """Names as a list of the HTTP API, which commas separate."""
    several = [given] if isinstance(given, str) else given
    return None if several is None else [name.replace(",", "\\,") for name in several]


def _uuid(workout: Any) -> str:
    """The UUID of a workout: itself, or that in a row of a table, of polars or of pandas."""
    import uuid

    if not isinstance(workout, (str, bytes)) and hasattr(workout, "__getitem__"):
        workout = workout["uuid"]
    try:
        return str(uuid.UUID(bytes=workout) if isinstance(workout, bytes) else uuid.UUID(str(workout))).upper()
    except ValueError:
        message = "This is not a workout. Use a row of workouts, a UUID, or a number such as 1 for the latest."
        raise NoDataError(11, message) from None


_LAST = re.compile(r"([1-9][0-9]*) *([dwmy])")


def _beginning(last: str, now: datetime.datetime) -> str:
    """The first day of the last days, weeks, months or years, of which today is the last."""
    match = _LAST.fullmatch(last.strip().lower())
    if match is None:
        raise InvalidArgumentError(3, f"last: “{last[:60]}” is not a period. Use a form like 30d, 4w, 6m or 1y.")
    count, unit = int(match[1]), match[2]
    tomorrow = now.date() + datetime.timedelta(days=1)
    try:
        if unit in "dw":
            return (tomorrow - datetime.timedelta(days=count * (7 if unit == "w" else 1))).isoformat()
        months = tomorrow.year * 12 + tomorrow.month - 1 - count * (12 if unit == "y" else 1)
        year, month = divmod(months, 12)
        first = datetime.date(year, month + 1, 1)
        following = datetime.date(year + month // 11, (month + 1) % 12 + 1, 1)
        return (first + datetime.timedelta(days=min(tomorrow.day, (following - first).days) - 1)).isoformat()
    except (OverflowError, ValueError):
        raise InvalidArgumentError(3, f"last: “{last[:60]}” is before the year 1.") from None


class Questions:
    """What a store can be asked.

    Parameters are those of the HTTP API: ``start`` and ``end`` select what overlaps a range, ``last`` is a range that
    ends today, such as ``30d``, ``4w``, ``6m`` or ``1y``.
    """

    _handle: Handle
    _now: datetime.datetime | None = None

    def close(self) -> None:
        """Closes the store. What was read from it stays valid."""
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _table(self, question: str, parameters: Mapping[str, object]) -> Table:
        return Table(self._handle, {"question": question, **encoded(parameters)})

    def _answer(self, question: str, parameters: Mapping[str, object]) -> Any:
        return self._handle.ask({"question": question, **encoded(parameters)})

    def _range(
        self, start: Instant | None, end: Instant | None, last: str | None, time_zone: str | None = None
    ) -> dict[str, object]:
        if last is None:
            return {"start": start, "end": end}
        if start is not None or end is not None:
            raise InvalidArgumentError(3, "last: It can’t be combined with start or end.")
        now = (self._now or datetime.datetime.now()).astimezone(zone(time_zone or self._handle.time_zone()))
        return {"start": _beginning(last, now), "end": (now.date() + datetime.timedelta(days=1)).isoformat()}

    def _repr_html_(self) -> str:
        """The types of the store, in a notebook."""
        return self.types()._repr_html_()

    def samples(
        self,
        type: SampleType | Sequence[SampleType],  # noqa: A002
        *,
        start: Instant | None = None,
        end: Instant | None = None,
        last: str | None = None,
        unit: Unit | None = None,
        columns: Sequence[Column] | None = None,
        limit: int | None = None,
        source: str | Sequence[str] | None = None,
        device: str | Sequence[str] | None = None,
        value: str | int | Sequence[str | int] | None = None,
        metadata: Mapping[str, str | float] | None = None,
        strict_start_date: bool | None = None,
        strict_end_date: bool | None = None,
        time_zone: str | None = None,
    ) -> Table:
        """Samples of quantity and category types, in the order of their start.

        Values are numbers in one unit, the person's by default, or the names of category values. Only the columns that are
        asked for are read. ``source`` selects sources by name or bundle identifier, ``device`` devices by name, ``value``
        category values, and ``metadata`` samples with an entry; an empty text selects those that have the key.
        """
        parameters = {
            "type": type,
            "unit": unit,
            "columns": columns,
            "limit": limit,
            "source": _names(source),
            "device": _names(device),
            "value": value,
            "strict_start_date": strict_start_date,
            "strict_end_date": strict_end_date,
            "time_zone": time_zone,
            **{f"metadata.{key}": text for key, text in (metadata or {}).items()},
            **self._range(start, end, last, time_zone),
        }
        return self._table("samples", parameters)

    def statistics(
        self,
        type: SampleType,  # noqa: A002
        *,
        every: Interval | None = None,
        start: Instant | None = None,
        end: Instant | None = None,
        last: str | None = None,
        unit: Unit | None = None,
        options: Sequence[Figure] | None = None,
        source: str | Sequence[str] | None = None,
        device: str | Sequence[str] | None = None,
        anchor: Instant | None = None,
        fill: bool | None = None,
        time_zone: str | None = None,
    ) -> Table:
        """Sums, or averages, minimums and maximums, by interval: with sources merged, as the Health app does.

        Where a phone and a watch counted the same steps, only the source of the higher priority counts. Category types have
        the time in each value. With ``options=["separateBySource"]`` there are the figures of each source, too.
        """
        parameters = {
            "type": type,
            "interval": every,
            "unit": unit,
            "options": options,
            "source": _names(source),
            "device": _names(device),
            "anchor": anchor,
            "fill": fill,
            "time_zone": time_zone,
            **self._range(start, end, last, time_zone),
        }
        return self._table("statistics", parameters)

    def sleep(
        self, *, start: Instant | None = None, end: Instant | None = None, last: str | None = None, segments: bool = False
    ) -> Table:
        """Nights of sleep with their stages, in seconds; by default of two weeks. A night belongs to the day of waking up."""
        return self._table("sleep", {"segments": segments, **self._range(start, end, last)})

    def workouts(
        self,
        *,
        start: Instant | None = None,
        end: Instant | None = None,
        last: str | None = None,
        activity: str | Sequence[str] | None = None,
        limit: int = 0,
    ) -> Table:
        """Workouts, the newest first, with distance, energy, pace and heart rate; all by default."""
        parameters = {"activityType": activity, "limit": limit, **self._range(start, end, last)}
        return self._table("workouts", parameters)

    def workout(self, workout: Any = 1) -> dict[str, Any]:
        """One workout with splits, zones, statistics and heart rates, as a dictionary.

        It is given by a row of `workouts`, its UUID, or its number, of which 1 is the latest.
        """
        name = str(workout) if isinstance(workout, int) else _uuid(workout)
        answer: dict[str, Any] = self._answer(f"workouts/{name}", {})
        return answer

    def rings(
        self, *, start: Instant | None = None, end: Instant | None = None, last: str | None = None
    ) -> Table:
        """The Move, Exercise and Stand rings of days, with their goals; by default of today."""
        return self._table("activity-summaries", self._range(start, end, last))

    def types(self) -> Table:
        """The types of which the store has data, with the number of samples and the unit of each."""
        return self._table("types", {})

    def ask(self, question: str, **parameters: object) -> Any:
        """Answers any question of the HTTP API with its JSON, such as ``ask("trends", type="bodyMass")``."""
        return self._answer(question, parameters)

    def sql(self, query: str, *, time_zone: str | None = None) -> Table:
        """The result of a read-only SQL statement over the tables that ``hk sql --schema`` lists."""
        return self._table("sql", {"query": query, "timeZone": time_zone})

    def ecg(self, *, voltages: bool = False) -> Table:
        """Electrocardiograms, or their voltages in microvolts by seconds since the start."""
        if voltages:
            return self.sql("SELECT * FROM ecg_voltages")
        return self.sql(
            "SELECT sequence, start_date, end_date, classification, average_heart_rate, sampling_frequency, voltages, "
            "source, uuid FROM ecgs ORDER BY start_time"
        )

    def route(self, workout: Any = 1) -> Table:
        """The route of a workout: by a row of `workouts`, its UUID, or its number, of which 1 is the latest."""
        uuid = str(self.workout(workout)["uuid"]) if isinstance(workout, int) else _uuid(workout)
        return self.sql(
            "SELECT p.date, p.latitude, p.longitude, p.altitude, p.speed, p.course, p.horizontal_accuracy, "
            "p.vertical_accuracy FROM workouts w JOIN workout_routes r ON r.workout = w.sequence "
            f"JOIN route_points p ON p.route = r.sequence WHERE w.uuid = '{uuid}' ORDER BY r.start_time, p.time"
        )

    def to_parquet(self, folder: str | os.PathLike[str]) -> list[str]:
        """Writes a Parquet file of each type's samples, of workouts and of nights, with pyarrow, and returns their paths."""
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        import pyarrow.parquet as parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

        os.makedirs(folder, exist_ok=True)
        tables = {
            str(row["name"]): self._table("samples", {"type": row["type"]})
            for row in self.types() if row["kind"] in ("quantity", "category")
        }
        tables |= {"workouts": self.workouts(), "sleep": self.sleep(start="1970-01-01")}
        paths = []
        for name, table in tables.items():
            path = os.path.join(os.fspath(folder), re.sub("[^A-Za-z0-9_-]", "_", name) + ".parquet")
            reader = pyarrow.RecordBatchReader.from_stream(table)
            with parquet.ParquetWriter(path, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
            paths.append(path)
        return paths
