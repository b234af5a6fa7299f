"""The structures of Arrow's C interfaces, and their values in Python without another package: for what a notebook shows, and for lists
of dictionaries."""

from __future__ import annotations

import ctypes
import datetime
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import _errors
from ._values import zone


class ArrowSchema(ctypes.Structure):
    """The structure of the Arrow C data interface."""


ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))),
    ("private_data", ctypes.c_void_p),
]


class ArrowArray(ctypes.Structure):
    """The structure of the Arrow C data interface."""


ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))),
    ("private_data", ctypes.c_void_p),
]


class ArrowArrayStream(ctypes.Structure):
    """The structure of the Arrow C stream interface."""


ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowSchema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowArray))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(ArrowArrayStream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))),
    ("private_data", ctypes.c_void_p),
]


class Field(NamedTuple):
    """A column of a table."""

    name: str
    #: The type as Arrow spells it.
    format: str
    #: What else is known, such as the unit.
    metadata: dict[str, str]
    children: tuple[Field, ...]

    @property
    def unit(self) -> str | None:
        """The unit of quantities."""
        return self.metadata.get("unit")


def schema(stream: ArrowArrayStream) -> tuple[Field, ...]:
    """The columns of a stream."""
    structure = ArrowSchema()
    _check(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(structure)))
    try:
        return _field(structure).children
    finally:
        structure.release(ctypes.byref(structure))


def batches(stream: ArrowArrayStream, fields: tuple[Field, ...]) -> Iterator[list[list[Any]]]:
    """The batches of a stream, each as lists of Python values by column."""
    while True:
        array = ArrowArray()
        _check(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(array)))
        if not array.release:
            return
        try:
            yield [_values(field, array.children[index].contents) for index, field in enumerate(fields)]
        finally:
            array.release(ctypes.byref(array))


def count(stream: ArrowArrayStream) -> int:
    """The number of rows of a stream, none of which is decoded."""
    rows = 0
    while True:
        array = ArrowArray()
        _check(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(array)))
        if not array.release:
            return rows
        rows += array.length
        array.release(ctypes.byref(array))


def _check(stream: ArrowArrayStream, code: int) -> None:
    if code:
        raise _errors.error(-1, (stream.get_last_error(ctypes.byref(stream)) or b"").decode())


def _field(structure: ArrowSchema) -> Field:
    children = tuple(_field(structure.children[index].contents) for index in range(structure.n_children))
    kind = "dictionary" if structure.dictionary else structure.format.decode()
    return Field(structure.name.decode(), kind, _metadata(structure.metadata), children)


def _metadata(address: int | None) -> dict[str, str]:
    if not address:
        return {}
    place = address

    def number() -> int:
        nonlocal place
        place += 4
        return int(struct.unpack("=i", ctypes.string_at(place - 4, 4))[0])

    def text() -> str:
        nonlocal place
        length = number()
        place += length
        return ctypes.string_at(place - length, length).decode()

    return {text(): text() for _ in range(number())}


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_FIRST_DAY = datetime.date(1970, 1, 1)


def _instant(microseconds: int, zone: datetime.tzinfo) -> datetime.datetime | None:
    try:
        return (_EPOCH + datetime.timedelta(microseconds=microseconds)).astimezone(zone)
    except OverflowError:
        # Python has the years 1 to 9999.
        return None


def _values(field: Field, array: ArrowArray) -> list[Any]:
    """The values of a column."""
    count = array.length
    valid = _bits(array.buffers[0], count) if array.n_buffers and array.buffers[0] else None
    values = _all_values(field, array, count)
    return values if valid is None else [value if is_valid else None for value, is_valid in zip(values, valid)]


def _bits(address: int, count: int) -> list[bool]:
    data = ctypes.string_at(address, (count + 7) // 8)
    return [bool(data[index >> 3] >> (index & 7) & 1) for index in range(count)]


def _numbers(address: int | None, code: str, count: int) -> tuple[Any, ...]:
    return struct.unpack(f"={count}{code}", ctypes.string_at(address, count * struct.calcsize("=" + code))) if address else ()


def _all_values(field: Field, array: ArrowArray, count: int) -> list[Any]:
    kind = field.format
    if kind == "+s":
        columns = [_values(child, array.children[index].contents) for index, child in enumerate(field.children)]
        names = [child.name for child in field.children]
        return [dict(zip(names, row)) for row in zip(*columns)] if columns else [{} for _ in range(count)]
    address = array.buffers[1]
    if kind == "g":
        return list(_numbers(address, "d", count))
    if kind == "l":
        return list(_numbers(address, "q", count))
    if kind == "b":
        return list(_bits(address, count))
    if kind.startswith("tsu:"):
        time_zone = zone(kind[4:])
        return [_instant(value, time_zone) for value in _numbers(address, "q", count)]
    if kind == "tdD":
        return [_FIRST_DAY + datetime.timedelta(days=value) for value in _numbers(address, "i", count)]
    if kind == "w:16":
        import uuid

        data = ctypes.string_at(address, 16 * count)
        return [uuid.UUID(bytes=data[index : index + 16]) for index in range(0, 16 * count, 16)]
    if kind == "dictionary":
        texts = _values(Field("", "u", {}, ()), array.dictionary.contents)
        return [texts[number] if number < len(texts) else None for number in _numbers(address, "H", count)]
    ends = _numbers(address, "i", count + 1)
    if kind in ("u", "z"):
        data = ctypes.string_at(array.buffers[2], ends[-1]) if ends[-1] else b""
        parts = [data[start:end] for start, end in zip(ends, ends[1:])]
        return [part.decode() for part in parts] if kind == "u" else list(parts)
    elements = _values(field.children[0], array.children[0].contents)
    lists = [elements[start:end] for start, end in zip(ends, ends[1:])]
    return [{entry["key"]: entry["value"] for entry in entries} for entries in lists] if kind == "+m" else list(lists)
