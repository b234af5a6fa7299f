"""A person's store on this machine or in a PostgreSQL database."""

from __future__ import annotations

import datetime
import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _errors, _values
from ._library import Handle, decoded, library, taken
from ._progress import Bar, Progress
from ._questions import Questions

if TYPE_CHECKING:
    from ._questions import Instant


def versions() -> dict[str, str]:
    """The versions of the library and of what is inside it: SQLite and zlib."""
    result: dict[str, str] = decoded(taken(library().ohk_versions()))
    return result


def open(  # noqa: A001
    path: str | os.PathLike[str] | None = None,
    *,
    create: bool = False,
    key_file: str | os.PathLike[str] | None = None,
    passphrase: str | None = None,
    time_zone: str | None = None,
    now: Instant | None = None,
) -> Store:
    """Opens a store: a file, or an address such as ``postgresql://host/database?person=anna``.

    Without a path it is the one at ``$HEALTHKIT_STORE``, else that of the command line hk. Days are those of the person's
    time zone, which the last import gave, unless another one is given here. ``now`` is for questions about an old store
    as of its own date; without an offset it is in the given time zone, else the system's.
    """
    options: dict[str, object] = {"create": create}
    if path is not None:
        options["path"] = os.fspath(path)
    if key_file is not None:
        options["keyFile"] = os.fspath(key_file)
    if passphrase is not None:
        options["passphrase"] = passphrase
    return Store(_settled(options, time_zone, now))


def demo(
    records: int = 20_000,
    *,
    seed: int = 1,
    time_zone: str = "America/New_York",
    now: Instant = "2025-11-16T12:00:00-05:00",
) -> Store:
    """Makes a store of a fictional person in memory, with about a number of records, so that every example runs anywhere.

    The same arguments make the same store; another seed is another person.
    """
    return Store(_settled({"demo": records, "seed": seed}, time_zone, now))


def import_archive(
    path: str | os.PathLike[str],
    store: Store | str | os.PathLike[str] | None = None,
    *,
    progress: bool | Progress = True,
    **options: Any,
) -> ImportReport:
    """Imports an Apple Health archive, or files of devices and services, into a store: by default the person's, which is
    created if necessary.

    See `Store.import_archive`.
    """
    if isinstance(store, Store):
        return store.import_archive(path, progress=progress, **options)
    if not os.path.exists(path):
        # Otherwise an empty store would be created.
        raise _errors.error(11, f"“{os.fspath(path)}” does not exist. Give the path of an export.zip, its folder or a file of a device.")
    with open(store, create=True) as opened:
        return opened.import_archive(path, progress=progress, **options)


def _settled(options: dict[str, object], time_zone: str | None, now: Instant | None) -> dict[str, object]:
    if time_zone is not None:
        options["timeZone"] = time_zone
    if now is not None:
        options["now"] = _values.instant(now)
    return options


class ImportReport(NamedTuple):
    """What an import did."""

    #: The numbers of samples and objects that were added, were in the store already, were removed and were skipped.
    added: int
    already_there: int
    removed: int
    skipped: int
    seconds: float
    #: Those that were added by type.
    types: dict[str, int]

    @classmethod
    def of(cls, report: Any) -> ImportReport:
        """A report as the library and a server write it."""
        return cls(
            report["added"],
            report["alreadyThere"],
            report.get("removed", 0),
            report["skipped"],
            report["seconds"],
            report["types"],
        )


class Store(Questions):
    """A store that is open. It closes when it isn't used any more, at the end of a ``with`` block, or by `close`.

    A store may be used by several threads.
    """

    def __init__(self, options: dict[str, object]) -> None:
        self._handle = Handle(options)
        self._name = "demo" if "demo" in options else str(options.get("path", ""))
        if (now := options.get("now")) is not None:
            self._now = datetime.datetime.fromisoformat(str(now))
            if self._now.tzinfo is None and (zone := options.get("timeZone")) is not None:
                self._now = self._now.replace(tzinfo=_values.zone(str(zone)))

    def __repr__(self) -> str:
        # The password in an address isn't shown.
        return f"<openhealthkit.Store {re.sub('(?<=//)[^/@]*@', '', self._name)}".rstrip() + ">"

    # Changes

    def import_archive(
        self,
        path: str | os.PathLike[str],
        *,
        mirror: bool = False,
        any_person: bool = False,
        trust_size: bool = False,
        recover: bool = False,
        time_zone: str | None = None,
        progress: bool | Progress = True,
    ) -> ImportReport:
        """Imports an Apple Health archive (an export.zip, its folder or its XML file), or whatever else ``hk import`` takes: FIT, TCX
        and GPX files, and the archives of services.

        Importing a newer archive adds only what is new; with ``mirror``, what it no longer contains is removed. The other
        options are those of ``hk import``. ``progress`` is whether to show a bar, or a function that receives the bytes
        read, the bytes in all and the records read.
        """
        options: dict[str, object] = {
            "path": os.fspath(path),
            "mirror": mirror,
            "anyPerson": any_person,
            "trustSize": trust_size,
            "recover": recover,
        }
        if time_zone is not None:
            options["timeZone"] = time_zone
        bar = Bar() if progress is True else None
        show: Callable[[int, int | None, int], None] | None = bar or (progress if callable(progress) else None)
        try:
            report = _Import(self._handle, options, show).run()
        finally:
            if bar is not None:
                bar.finish()
        return ImportReport.of(report)

    def add(self, samples: Mapping[str, object] | Iterable[Mapping[str, object]]) -> list[str | None]:
        """Saves samples, all or none, and returns their UUIDs.

        A sample is a dictionary with the names of the HTTP API, such as ``{"type": "bodyMass", "startDate": now,
        "quantity": 71.2, "unit": "kg"}``.
        """
        uuids: list[str | None] = self._handle.add(_values.samples(samples))["samples"]
        return uuids


class _Import:
    """An import on a dedicated thread, so that the main thread can receive an interrupt."""

    def __init__(
        self, handle: Handle, options: dict[str, object], show: Callable[[int, int | None, int], None] | None
    ) -> None:
        self._handle, self._options, self._show = handle, options, show
        self._is_canceled = False
        self._report: Any = None
        self._error: BaseException | None = None
        self._progress_error: BaseException | None = None

    def run(self) -> Any:
        thread = threading.Thread(target=self._work, name="openhealthkit import", daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.1)
        except BaseException:
            self._is_canceled = True
            thread.join()
            raise
        if self._progress_error is not None:
            raise self._progress_error
        if self._error is not None:
            raise self._error
        return self._report

    def _work(self) -> None:
        try:
            self._report = self._handle.import_archive(self._options, self._progress)
        except BaseException as error:  # noqa: BLE001
            self._error = error

    def _progress(self, read: int, total: int, records: int) -> bool:
        try:
            if self._show is not None:
                self._show(read, total if total >= 0 else None, records)
        except BaseException as error:  # noqa: BLE001
            self._progress_error = error
            return False
        return not self._is_canceled
