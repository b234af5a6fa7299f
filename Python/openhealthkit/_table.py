"""Tables: answers that other libraries take over without a copy."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _arrow, _errors
from ._library import Handle

if TYPE_CHECKING:
    import matplotlib.axes  # type: ignore[import-untyped, import-not-found, unused-ignore]
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
    import polars  # type: ignore[import-untyped, import-not-found, unused-ignore]
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]


class Table:
    """The answer to a question, which is read from the store whenever it is used.

    Every library that knows Arrow's PyCapsule interface takes a table as it is: with ``heart = store.samples("heartRate")``,
    `polars.DataFrame(heart)`, `pyarrow.table(heart)` or `duckdb.sql("SELECT avg(value) FROM heart")`. Without any, a table is
    an iterable of dictionaries.
    """

    def __init__(self, handle: Handle, question: dict[str, object]) -> None:
        handle.check(question)
        self._handle = handle
        self._question = question

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table as a stream of Arrow batches, in a capsule."""
        return self._handle.capsule(self._question)

    # Other libraries

    def to_arrow(self) -> pyarrow.Table:
        """The table as a pyarrow.Table."""
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return pyarrow.table(self)

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars.DataFrame."""
        import polars  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas.DataFrame; by way of pyarrow, if it is installed."""
        import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

        try:
            import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            return pandas.DataFrame(self.to_dict())
        frame: pandas.DataFrame = pyarrow.table(self).to_pandas(maps_as_pydicts="strict")
        return frame

    # Python's own types

    @property
    def fields(self) -> tuple[_arrow.Field, ...]:
        """The columns, with their types and units."""
        with self._handle.stream(self._question) as stream:
            return _arrow.schema(stream)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [field.name for field in self.fields]

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns that have one."""
        return {field.name: field.unit for field in self.fields if field.unit}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows as dictionaries."""
        with self._handle.stream(self._question) as stream:
            fields = _arrow.schema(stream)
            names = [field.name for field in fields]
            for columns in _arrow.batches(stream, fields):
                for row in zip(*columns):
                    yield dict(zip(names, row))

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists by name."""
        with self._handle.stream(self._question) as stream:
            fields = _arrow.schema(stream)
            result: dict[str, list[Any]] = {field.name: [] for field in fields}
            for columns in _arrow.batches(stream, fields):
                for field, values in zip(fields, columns):
                    result[field.name] += values
            return result

    def to_list(self) -> list[dict[str, Any]]:
        """The rows as a list of dictionaries."""
        # A list of the table itself would ask for its length first.
        return list(iter(self))

    def head(self, count: int = 5) -> list[dict[str, Any]]:
        """The first rows as dictionaries."""
        return list(itertools.islice(Table(self._handle, self._limited(count)), count))

    def __len__(self) -> int:
        """The number of rows, which are read for it."""
        is_plain = self._question["question"] == "samples"
        with self._handle.stream(self._question | ({"columns": ["start_date"]} if is_plain else {})) as stream:
            return _arrow.count(stream)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes a CSV file, which only its owner may read: instants in ISO 8601, metadata and lists as JSON."""
        import csv

        fields = self.fields
        with open(path, "w", encoding="utf-8", newline="", opener=_privately) as file:
            writer = csv.writer(file)
            writer.writerow(field.name for field in fields)
            writer.writerows([_text(value) for value in row.values()] for row in self)

    def plot(self, column: str | None = None, *, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws a column over time with matplotlib, by default the first column of numbers, and returns the axes."""
        import matplotlib.pyplot  # type: ignore[import-untyped, import-not-found, unused-ignore]

        fields = self.fields
        time = next((field for field in fields if field.format.startswith(("tsu", "tdD"))), None)
        number = next((field for field in fields if field.format in "gl" and column in (None, field.name)), None)
        if time is None or number is None:
            raise _errors.error(3, f"The table has no {'times' if time is None else f'numbers “{column}”' if column else 'numbers'} to plot.")
        columns = self.to_dict()
        axes = ax or matplotlib.pyplot.subplots()[1]
        axes.plot(columns[time.name], columns[number.name])
        # Statistics have the unit in a column.
        unit = number.unit or next(iter(columns.get("unit", [])), None)
        axes.set_ylabel(f"{number.name} ({unit})" if unit else number.name)
        axes.figure.autofmt_xdate()
        return axes

    # Notebooks and terminals

    def _shown(self) -> tuple[tuple[_arrow.Field, ...], list[list[Any]], bool]:
        """The columns, the first batch, and whether it has all rows."""
        from . import _html

        with self._handle.stream(self._limited(_html.ROWS + 1)) as stream:
            fields = _arrow.schema(stream)
            batches = _arrow.batches(stream, fields)
            empty: list[list[Any]] = [[] for _ in fields]
            first = next(batches, empty)
            is_samples = self._question["question"] == "samples"
            is_whole = len(first[0]) <= _html.ROWS if is_samples else next(batches, None) is None
            return fields, first, is_whole

    def _limited(self, count: int) -> dict[str, object]:
        """The question, which asks for no more rows where it can say so."""
        if self._question["question"] != "samples":
            return self._question
        return self._question | {"limit": min(int(str(self._question.get("limit", count))), count)}

    def __repr__(self) -> str:
        from . import _html

        fields, columns, is_whole = self._shown()
        return _html.text(fields, columns, is_whole)

    def _repr_html_(self) -> str:
        from . import _html

        fields, columns, is_whole = self._shown()
        has_trend = is_whole and self._question["question"] != "samples"
        return (_html.trend(fields, columns) if has_trend else "") + _html.table(fields, columns, is_whole)


def _privately(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _text(value: Any) -> Any:
    """A value as CSV has it."""
    import datetime
    import json

    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.isoformat() if isinstance(value, (datetime.date, datetime.datetime)) else value
