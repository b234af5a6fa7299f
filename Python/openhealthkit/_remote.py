"""A person's store on a server of OpenHealthKit, with the questions of a store on this machine."""

from __future__ import annotations

import ctypes
import os
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from . import _errors, _values
from ._arrow import ArrowArrayStream
from ._library import Handle, _Pointer, call, decoded, encoded
from ._progress import Bar, Progress
from ._questions import Questions
from ._store import ImportReport

#: What a server sends a table as.
_ARROW = "application/vnd.apache.arrow.stream"
#: The seconds between two looks at an import.
_POLL = 0.2
#: The most rows of SQL that a server sends as JSON.
_ROWS = 10_000


def connect(
    url: str, token: str, *, person: str = "me", time_zone: str | None = None, timeout: float = 60
) -> RemoteStore:
    """Connects to a server, with a token of ``hk token add``. The same questions give the same tables.

    Tables arrive as Arrow's if `pyarrow` is installed, batch by batch, else as JSON, of which the library makes tables; on a
    system without it, `pyarrow` is needed. A question is checked when it is answered. What the token may not read is silently empty. Times are shown in the person's time zone unless another one is given.
    """
    return RemoteStore(url, token, person=person, time_zone=time_zone, timeout=timeout)


class RemoteStore(Questions):
    """A store on a server."""

    _handle: _RemoteHandle

    def __init__(
        self, url: str, token: str, *, person: str = "me", time_zone: str | None = None, timeout: float = 60
    ) -> None:
        self._handle = _RemoteHandle(url, token, person, time_zone, timeout)
        self._name = f"{url} {person}"

    def __repr__(self) -> str:
        return f"<openhealthkit.RemoteStore {self._name}>"

    def add(self, samples: Mapping[str, object] | Iterable[Mapping[str, object]]) -> list[str | None]:
        """Saves samples, all or none, and returns their UUIDs, as `Store.add` does."""
        uuids: list[str | None] = self._handle.add(_values.samples(samples))["samples"]
        return uuids

    def import_archive(
        self,
        path: str | os.PathLike[str],
        *,
        mirror: bool = False,
        any_person: bool = False,
        time_zone: str | None = None,
        progress: bool | Progress = True,
    ) -> ImportReport:
        """Sends an export.zip, its XML file or a file of a device to the server, which imports it as `Store.import_archive` does.

        If this is interrupted after the file has arrived, the server continues.
        """
        options = {"mirror": mirror, "anyPerson": any_person} | ({"timeZone": time_zone} if time_zone else {})
        bar = Bar() if progress is True else None
        show: Progress = bar or (progress if callable(progress) else lambda *_: None)
        try:
            return ImportReport.of(self._handle.upload(os.fspath(path), options, show))
        finally:
            if bar is not None:
                bar.finish()


class _RemoteHandle(Handle):
    """A handle whose answers come from a server."""

    def __init__(self, url: str, token: str, person: str, time_zone: str | None, timeout: float) -> None:
        import urllib.parse

        if not re.match("https?://[^/]", url):
            message = f"“{url[:60]}” is not the address of a server. Use a form like https://health.example.org."
            raise _errors.error(3, message)
        self._base = f"{url.rstrip('/')}/v1/"
        self._person = f"people/{urllib.parse.quote(person, safe='')}"
        self._token, self._timeout = token, timeout
        self._time_zone = time_zone or self._persons_time_zone()

    @property
    def pointer(self) -> _Pointer:
        """An empty store of the library, which makes tables of JSON."""
        if self._pointer is None:
            super().__init__({"demo": 0, "timeZone": self._time_zone})
        return super().pointer

    def _persons_time_zone(self) -> str:
        return str(decoded(self._send("GET", "session")).get("timeZone") or "UTC")

    def time_zone(self) -> str:
        """The name of the time zone that was given, or the person's."""
        return self._time_zone

    def check(self, question: dict[str, object]) -> None:
        """The server checks a question when it is answered."""

    def ask(self, question: dict[str, object]) -> Any:
        """Asks the server."""
        return decoded(self._get(question))

    def add(self, samples: list[dict[str, object]]) -> Any:
        """Saves samples on the server."""
        import urllib.parse

        zone = urllib.parse.urlencode({"timeZone": self._time_zone})
        return decoded(self._send("POST", f"{self._person}/samples?{zone}", body=samples))

    def upload(self, path: str, options: Mapping[str, object], show: Progress) -> Any:
        """Sends a file, waits for its import, and returns the report."""
        import urllib.parse

        if not os.path.isfile(path):
            code = 3 if os.path.exists(path) else 11
            raise _errors.error(code, f"“{path}” is not a file. Give the path of an export.zip, its XML file or a file of a device.")
        query = urllib.parse.urlencode({name: _text(value) for name, value in options.items()})
        with open(path, "rb") as file, self._open("POST", f"{self._person}/imports?{query}", body=file) as response:
            job = decoded(response.read().decode())
        while job["state"] != "done":
            if job["state"] == "failed":
                raise _errors.error(3, str(job.get("error") or "The import failed."))
            show(job.get("bytesRead") or 0, job.get("bytesTotal"), job.get("records") or 0)
            time.sleep(_POLL)
            job = decoded(self._send("GET", f"{self._person}/imports/{job['id']}"))
        return job["report"]

    def capsule(self, question: dict[str, object]) -> object:
        """The server's table, or one that is made of its JSON."""
        ipc = _pyarrow_ipc()
        if ipc is not None:
            if question["question"] == "sql":
                response = self._open("POST", f"{self._person}/sql", body=self._statement(question), accept=_ARROW)
            else:
                response = self._open("GET", self._path(question), accept=_ARROW)
            # Another version of the server doesn't know tables.
            if response.headers.get_content_type() == _ARROW:
                capsule: object = ipc.open_stream(response).__arrow_c_stream__()
                return capsule
            response.close()
        return super().capsule(question)

    def _statement(self, question: dict[str, object]) -> dict[str, object]:
        return {"query": question["query"], "timeZone": question.get("timeZone", self._time_zone)}

    def open_stream(self, question: dict[str, object], stream: ArrowArrayStream) -> None:
        """Makes a table of the server's JSON."""
        name = question["question"]
        if name == "sql":
            answer = self._send("POST", f"{self._person}/sql", body=self._statement(question) | {"limit": _ROWS})
        elif name == "samples":
            # These aren't the server's parameters.
            shared = {key: value for key, value in question.items() if key != "columns"}
            answer = "" if question.get("limit") == 0 else self._get(shared, accept="application/x-ndjson")
        else:
            answer = self._get(question)
        call(
            "ohk_receive",
            self.pointer,
            encoded({"timeZone": self._time_zone} | question),
            answer.replace("\0", "").encode(),
            ctypes.byref(stream),
        )

    def _get(self, question: dict[str, object], accept: str = "application/json") -> str:
        return self._send("GET", self._path(question), accept=accept)

    def _path(self, question: dict[str, object]) -> str:
        import urllib.parse

        parameters = {"timeZone": self._time_zone} | {key: value for key, value in question.items() if key != "question"}
        query = urllib.parse.urlencode({key: _text(value) for key, value in parameters.items()})
        return f"{self._person}/{urllib.parse.quote(str(question['question']))}?{query}"

    def _send(self, method: str, path: str, *, body: object | None = None, accept: str = "application/json") -> str:
        import http.client

        with self._open(method, path, body=body, accept=accept) as response:
            try:
                text: str = response.read().decode()
                return text
            except (OSError, http.client.HTTPException) as error:
                raise _unreachable(error) from None

    def _open(self, method: str, path: str, *, body: object | None = None, accept: str = "application/json") -> Any:
        """The response, whose body isn't read yet."""
        import http.client
        import io
        import urllib.error
        import urllib.request

        headers = {"Authorization": f"Bearer {self._token}", "Accept": accept}
        data: Any = None
        if isinstance(body, io.BufferedReader):
            headers |= {"Content-Type": "application/octet-stream", "Content-Length": str(os.path.getsize(body.name))}
            data = body
        elif body is not None:
            headers["Content-Type"] = "application/json"
            data = encoded(body)
        request = urllib.request.Request(self._base + path, data=data, headers=headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            raise _problem(error.code, error.read().decode(errors="replace")) from None
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(error) from None


def _pyarrow_ipc() -> Any:
    """What reads a stream of Arrow's IPC format; `None` if it isn't installed."""
    try:
        import pyarrow.ipc  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        return None
    return pyarrow.ipc


def _unreachable(error: Exception) -> _errors.HealthError:
    return _errors.error(6, f"The server can’t be reached: {getattr(error, 'reason', error)}.")


def _problem(status: int, body: str) -> _errors.HealthError:
    """The exception for the problem details of the server."""
    code = {400: 3, 401: 4, 403: 4, 404: 11, 409: 3, 413: 3, 422: 3}.get(status, 6 if status >= 500 else -1)
    try:
        problem = decoded(body)
        return _errors.error(code, str(problem.get("detail") or problem["title"]))
    except (ValueError, KeyError, AttributeError, TypeError):
        return _errors.error(code, f"The server answered with status {status}.")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(_text, value)) if isinstance(value, list) else str(value)
