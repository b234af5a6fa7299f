"""Errors, with the codes of HealthKit's HKError."""

from __future__ import annotations

_NAMES = {
    -1: "unknownError",
    3: "errorInvalidArgument",
    4: "errorAuthorizationDenied",
    5: "errorAuthorizationNotDetermined",
    6: "errorDatabaseInaccessible",
    7: "errorUserCanceled",
    11: "errorNoData",
}


class HealthError(Exception):
    """An error of the store or of a question, with a sentence that never contains health data.

    `code` is the raw value of HealthKit's HKError.Code, -1 for an error that it has no code for, and `name` the code's name.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.name = _NAMES.get(code, f"error{code}")

    def __reduce__(self) -> tuple[type[HealthError], tuple[int, str]]:
        # Processes pass errors on.
        return type(self), (self.code, str(self))


class InvalidArgumentError(HealthError, ValueError):
    """A question, an option, a sample or SQL is invalid."""


class AuthorizationDeniedError(HealthError):
    """The caller may not write the type. A type that may not be read is empty instead."""


class DatabaseInaccessibleError(HealthError):
    """The store can't be opened, read or written."""


class NoDataError(HealthError, LookupError):
    """What was asked for doesn't exist."""


_CLASSES: dict[int, type[HealthError]] = {
    3: InvalidArgumentError,
    4: AuthorizationDeniedError,
    5: AuthorizationDeniedError,
    6: DatabaseInaccessibleError,
    11: NoDataError,
}


def error(code: int, message: str) -> HealthError:
    """Returns the exception of a code."""
    return _CLASSES.get(code, HealthError)(code, message)
