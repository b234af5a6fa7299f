"""What a notebook and a terminal show of a table: its first rows, and a line of a trend."""

from __future__ import annotations

import datetime
import html
from typing import Any

from ._arrow import Field

#: The number of rows that are shown.
ROWS = 10
_WIDTH, _HEIGHT, _MARGIN = 640, 120, 6


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S") if value.second else value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_cell(part)}" for key, part in value.items() if part is not None)
    if isinstance(value, list):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    return str(value)


def _title(field: Field) -> str:
    return f"{field.name} ({field.unit})" if field.unit else field.name


def _rows(columns: list[list[Any]]) -> list[list[str]]:
    return [[_cell(value) for value in row] for row in zip(*(column[:ROWS] for column in columns))]


def _summary(columns: list[list[Any]], is_whole: bool) -> str:
    count = len(columns[0]) if columns else 0
    if not is_whole:
        return f"the first {min(count, ROWS)} rows"
    rows = "1 row" if count == 1 else f"{count:,} rows"
    return rows if count <= ROWS else f"{rows}, of which {ROWS} are shown"


def text(fields: tuple[Field, ...], columns: list[list[Any]], is_whole: bool) -> str:
    """The first rows in columns of a fixed width."""
    rows = [[_title(field) for field in fields]] + [[cell[:30] for cell in row] for row in _rows(columns)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, f"({_summary(columns, is_whole)})"])


def table(fields: tuple[Field, ...], columns: list[list[Any]], is_whole: bool) -> str:
    """The first rows as a table."""
    head = "".join(f"<th>{html.escape(_title(field))}</th>" for field in fields)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in _rows(columns)
    )
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<p><small>{html.escape(_summary(columns, is_whole))}</small></p>"
    )


def trend(fields: tuple[Field, ...], columns: list[list[Any]]) -> str:
    """A line of the first column of numbers over the first column of times; nothing without both."""
    times = next((column for field, column in zip(fields, columns) if field.format.startswith(("tsu", "tdD"))), None)
    found = next(((field, column) for field, column in zip(fields, columns) if field.format == "g"), None)
    if times is None or found is None:
        return ""
    field, values = found
    points = [
        (time.timestamp() if isinstance(time, datetime.datetime) else time.toordinal() * 86400.0, value)
        for time, value in zip(times, values)
        if time is not None and value is not None
    ]
    if len(points) < 2:
        return ""
    (left, right), (low, high) = _span([time for time, _ in points]), _span([value for _, value in points])
    path = " ".join(
        f"{_MARGIN + (time - left) / (right - left) * (_WIDTH - 2 * _MARGIN):.1f},"
        f"{_HEIGHT - _MARGIN - (value - low) / (high - low) * (_HEIGHT - 2 * _MARGIN):.1f}"
        for time, value in sorted(points)
    )
    title = html.escape(f"{_title(field)}, {_cell(low)} to {_cell(high)}")
    return (
        f'<svg role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"><title>{title}</title>'
        f'<polyline fill="none" stroke="currentColor" stroke-width="1.5" points="{path}"/></svg>'
    )


def _span(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 1, high + 1)
