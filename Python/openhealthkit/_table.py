"""Tables: answers that other libraries take over without a copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _arrow
from ._library import Handle

if TYPE_CHECKING:
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
        return list(self)

    # Notebooks and terminals

    def _shown(self) -> tuple[tuple[_arrow.Field, ...], list[list[Any]], bool]:
        """The columns, the first batch, and whether it has all rows."""
        from . import _html

        question = dict(self._question)
        if question["question"] == "samples":
            question["limit"] = min(int(str(question.get("limit", _html.ROWS + 1))), _html.ROWS + 1)
        with self._handle.stream(question) as stream:
            fields = _arrow.schema(stream)
            batches = _arrow.batches(stream, fields)
            empty: list[list[Any]] = [[] for _ in fields]
            first = next(batches, empty)
            is_whole = len(first[0]) <= _html.ROWS if question["question"] == "samples" else next(batches, None) is None
            return fields, first, is_whole

    def __repr__(self) -> str:
        from . import _html

        fields, columns, is_whole = self._shown()
        return _html.text(fields, columns, is_whole)

    def _repr_html_(self) -> str:
        from . import _html

        fields, columns, is_whole = self._shown()
        has_trend = is_whole and self._question["question"] != "samples"
        return (_html.trend(fields, columns) if has_trend else "") + _html.table(fields, columns, is_whole)
