"""The C library, as openhealthkit.h declares it. It is loaded when it is first used, so that importing is quick."""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _arrow, _errors
from ._arrow import ArrowArrayStream

PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


#: Whether this process was forked from one that had loaded the library. It has none of the library's threads, and shares its
#: files and connections.
_is_forked = False


def _note_fork() -> None:
    global _is_forked
    _is_forked = True


@functools.cache
def library() -> ctypes.CDLL:
    """The library in the package's folder, or the one at $OPENHEALTHKIT_LIBRARY."""
    path = os.environ.get("OPENHEALTHKIT_LIBRARY") or os.path.join(os.path.dirname(__file__), "libopenhealthkit.so")
    if not os.path.exists(path):
        reason = "This package has no library for this system, so it opens no stores. Use connect to ask a server, with pyarrow installed."
        raise _errors.error(6, reason)
    lib = ctypes.CDLL(path)
    text, texts, store = ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p
    signatures: dict[str, list[Any]] = {
        "ohk_open": [text, texts, texts],
        "ohk_check": [store, text, texts],
        "ohk_ask": [store, text, texts, texts],
        "ohk_stream": [store, text, ctypes.POINTER(ArrowArrayStream), texts],
        "ohk_receive": [store, text, text, ctypes.POINTER(ArrowArrayStream), texts],
        "ohk_import": [store, text, PROGRESS, ctypes.c_void_p, texts, texts],
        "ohk_add": [store, text, texts, texts],
    }
    for name, arguments in signatures.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, ctypes.c_int32
    lib.ohk_versions.argtypes, lib.ohk_versions.restype = [], ctypes.c_void_p
    lib.ohk_free.argtypes, lib.ohk_free.restype = [ctypes.c_void_p], None
    lib.ohk_close.argtypes, lib.ohk_close.restype = [store], None
    os.register_at_fork(after_in_child=_note_fork)
    return lib


def taken(pointer: int | None) -> str:
    """The text that the library returned, which is freed."""
    if not pointer:
        return ""
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        library().ohk_free(pointer)


def call(name: str, *arguments: Any) -> None:
    """Calls a function whose last parameter is for an error."""
    message = ctypes.c_void_p()
    function = getattr(library(), name)
    if _is_forked:
        reason = "This process was forked from one that used openhealthkit. Start it with multiprocessing.get_context(\"spawn\")."
        raise _errors.error(6, reason)
    code: int = function(*arguments, ctypes.byref(message))
    # What keeps this call of an exception doesn't keep a store open.
    del arguments
    if code:
        raise _errors.error(code, taken(message.value))


def decoded(text: str) -> Any:
    """A JSON value of the library."""
    import json

    return json.loads(text)


def encoded(value: object) -> bytes:
    """JSON that the library reads."""
    import json

    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        # Data frames have it for what is missing.
        raise _errors.error(3, "A number is NaN or infinite. Leave out what has no value.") from None
    if "\x00" in text or "\\u0000" in text:
        raise _errors.error(3, "A null character is not allowed.")
    return text.encode("utf-8", "replace")


class _Pointer:
    """A pointer to a store, which closes when the last call with it has ended: another thread may have begun one."""

    def __init__(self, pointer: ctypes.c_void_p) -> None:
        self._as_parameter_ = pointer
        self._close = library().ohk_close

    def __del__(self) -> None:
        if not _is_forked:
            self._close(self._as_parameter_)


class Handle:
    """A store of the library."""

    _pointer: _Pointer | None = None

    def __init__(self, options: dict[str, object]) -> None:
        pointer = ctypes.c_void_p()
        call("ohk_open", encoded(options), ctypes.byref(pointer))
        self._pointer = _Pointer(pointer)

    @property
    def pointer(self) -> _Pointer:
        """The pointer, as long as the store is open."""
        pointer = self._pointer
        if pointer is None:
            raise _errors.error(6, "The store is closed.")
        return pointer

    def close(self) -> None:
        """Closes the store, unless it is closed."""
        self._pointer = None

    def __reduce__(self) -> str:
        raise TypeError("An open store can't be pickled or copied. Open it where it is used.")

    def time_zone(self) -> str:
        """The name of the person's time zone."""
        with self.stream({"question": "samples", "type": "stepCount", "columns": ["start_date"], "limit": 0}) as stream:
            return _arrow.schema(stream)[0].format.removeprefix("tsu:")

    def check(self, question: dict[str, object]) -> None:
        """Checks a question without answering it."""
        call("ohk_check", self.pointer, encoded(question))

    def ask(self, question: dict[str, object]) -> Any:
        """Answers a question with a JSON value."""
        answer = ctypes.c_void_p()
        call("ohk_ask", self.pointer, encoded(question), ctypes.byref(answer))
        return decoded(taken(answer.value))

    def add(self, samples: list[dict[str, object]]) -> Any:
        """Saves samples."""
        answer = ctypes.c_void_p()
        call("ohk_add", self.pointer, encoded(samples), ctypes.byref(answer))
        return decoded(taken(answer.value))

    def import_archive(self, options: dict[str, object], progress: Callable[[int, int, int], bool]) -> Any:
        """Imports an archive. `progress` returns whether to continue."""
        function = PROGRESS(lambda read, total, records, _: 0 if progress(read, total, records) else 1)
        report = ctypes.c_void_p()
        call("ohk_import", self.pointer, encoded(options), function, None, ctypes.byref(report))
        return decoded(taken(report.value))

    def open_stream(self, question: dict[str, object], stream: ArrowArrayStream) -> None:
        """Begins to read a table."""
        call("ohk_stream", self.pointer, encoded(question), ctypes.byref(stream))

    def capsule(self, question: dict[str, object]) -> object:
        """A stream of a table, as Arrow's PyCapsule interface passes it on."""
        # The destructor frees it.
        system = ctypes.CDLL(None)
        malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(("malloc", system))
        free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(("free", system))
        address: int = malloc(ctypes.sizeof(ArrowArrayStream))
        try:
            self.open_stream(question, ArrowArrayStream.from_address(address))
        except BaseException:
            free(address)
            raise
        destructor = ctypes.cast(library().ohk_release_capsule, ctypes.c_void_p)
        return _new_capsule(address, _CAPSULE_NAME, destructor)

    @contextmanager
    def stream(self, question: dict[str, object]) -> Iterator[ArrowArrayStream]:
        """A stream of a table for this package's own use."""
        capsule = self.capsule(question)
        stream = ArrowArrayStream.from_address(_pointer_of_capsule(capsule, _CAPSULE_NAME))
        try:
            yield stream
        finally:
            if stream.release:
                stream.release(ctypes.byref(stream))


_CAPSULE_NAME = b"arrow_array_stream"
# The destructor is a function of the library, because a capsule can be destroyed while an exception is being raised.
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_pointer_of_capsule = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
