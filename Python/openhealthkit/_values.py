"""Python's values as the library's JSON has them, and its time zones."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import InvalidArgumentError


def instant(value: object) -> str:
    """The text of a time."""
    if isinstance(value, str):
        return value
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat()) if isoformat is not None else str(value)


def encoded(parameters: Mapping[str, object]) -> dict[str, object]:
    """Parameters as JSON, without those that aren't given."""
    return {_camel(name): _encoded(value) for name, value in parameters.items() if value is not None}


def samples(given: object) -> list[dict[str, object]]:
    """One or several samples as JSON."""
    several: list[Any] = [given] if isinstance(given, Mapping) or not isinstance(given, Iterable) else list(given)
    if not all(hasattr(sample, "items") for sample in several):
        form = 'A sample is a dictionary. Pass a data frame as frame.to_dict("records") or frame.iter_rows(named=True).'
        raise InvalidArgumentError(3, form)
    return [encoded(sample) for sample in several]


def zone(name: str) -> datetime.tzinfo:
    """The time zone with a name, or with an offset such as ``+02:00``."""
    import zoneinfo

    try:
        if name.startswith(("+", "-")):
            return datetime.datetime.strptime(name, "%z").tzinfo or datetime.timezone.utc
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        message = f"“{name[:60]}” is not a time zone of this system. The package tzdata has all of them."
        raise InvalidArgumentError(3, message) from None


def _encoded(value: object) -> object:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _encoded(part) for name, part in value.items()}
    # Numbers of NumPy, whose times have another kind.
    if getattr(getattr(value, "dtype", None), "kind", None) in ("b", "i", "u", "f") and getattr(value, "ndim", 1) == 0:
        return value.item()  # type: ignore[attr-defined]
    if isinstance(value, Iterable):
        return [_encoded(part) for part in value]
    return instant(value)


def _camel(name: str) -> str:
    if name.startswith("metadata."):
        return name
    return re.sub("_([a-z])", lambda match: match[1].upper(), name)
