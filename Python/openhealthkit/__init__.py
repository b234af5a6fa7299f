"""A person's Apple Health data as data frames.

>>> import openhealthkit as hk
>>> store = hk.demo()
>>> steps = store.statistics("stepCount", every="day", last="3d")
>>> for day in steps:
...     print(day["start_date"].date(), round(day["sum"]))
2025-11-14 12854
2025-11-15 15476
2025-11-16 4094

`import_archive` imports an export.zip into the person's store, `open` opens it, `connect` asks a server instead, and
`demo` makes a store of a fictional person. A store answers with tables, which every library that reads Arrow takes over without
a copy: polars, pandas, pyarrow, DuckDB and others.
"""

from ._errors import (
    AuthorizationDeniedError,
    DatabaseInaccessibleError,
    HealthError,
    InvalidArgumentError,
    NoDataError,
)
from ._progress import Progress
from ._remote import RemoteStore, connect
from ._store import ImportReport, Store, demo, import_archive, open, versions
from ._table import Table
from ._types import SampleType, Unit

__all__ = [
    "AuthorizationDeniedError",
    "DatabaseInaccessibleError",
    "HealthError",
    "ImportReport",
    "InvalidArgumentError",
    "NoDataError",
    "Progress",
    "RemoteStore",
    "SampleType",
    "Store",
    "Table",
    "Unit",
    "connect",
    "demo",
    "import_archive",
    "open",
    "versions",
]
__version__ = "0.1.0"
