"""The progress of an import, in a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

#: A function that receives the bytes read, the bytes in all (`None` if unknown) and the records read.
Progress = Callable[[int, "int | None", int], None]

_WIDTH = 40
_INTERVAL = 0.1


class Bar:
    """A bar that is drawn again at most ten times a second."""

    def __init__(self) -> None:
        self._last = 0.0
        self._has_line = False
        self._display: Any = _notebook_display()

    def __call__(self, read: int, total: int | None, records: int) -> None:
        """Shows progress."""
        now = time.monotonic()
        if now - self._last < _INTERVAL and read != total:
            return
        self._last = now
        share = min(1.0, read / total) if total else None
        percent = "" if share is None else f"{share:4.0%} "
        if self._display is not None:
            bar = "<progress></progress>" if share is None else f'<progress value="{share:.3f}" max="1"></progress>'
            self._display.update({"text/html": f"{bar} {percent}{records:,} records", "text/plain": percent}, raw=True)
        elif sys.stderr.isatty():
            filled = int((share or 0) * _WIDTH)
            sys.stderr.write(f"\r{'█' * filled}{'░' * (_WIDTH - filled)} {percent}{records:,} records")
            sys.stderr.flush()
            self._has_line = True

    def finish(self) -> None:
        """Ends the line."""
        if self._has_line:
            sys.stderr.write("\n")


def _notebook_display() -> Any:
    """A place in a notebook's output; `None` elsewhere."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

    return display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]
