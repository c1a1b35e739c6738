"""What the studio refuses, as the page and programs are told: a code, a sentence in their language, what to do, where.

Invariant: whatever goes wrong, the answer is such a fault; an exception that nobody foresaw is one too, and its details
go to the server's own output.
"""

from __future__ import annotations

import logging
import traceback
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dobble_print.errors import DeckError, DobbleError, Fault, LayoutError, OutputError, ThemeError, UsageError
from dobble_print.studio.texts import say

# Which status an error of the program has, and its code; the first kind that fits counts.
_STATUSES: tuple[tuple[type[DobbleError], int, str], ...] = (
    (OutputError, 507, "save"),
    (ThemeError, 422, "theme"),
    (UsageError, 400, "request"),
    (LayoutError, 422, "layout"),
    (DeckError, 422, "deck"),
    (DobbleError, 422, "artwork"),
)


class StudioFault(Exception):
    """A request that is refused: the status of the answer, the code of the fault, and the values of its sentence."""

    def __init__(self, status: int, code: str, **values: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.values = status, code, values


def describe(fault: Fault, code: str) -> dict[str, Any]:
    """Return a fault of the program as the studio tells it."""
    where = {"line": fault.place.line, "column": fault.place.column} if fault.place else None
    return {"code": code, "sentence": f"{fault.what[:1].upper()}{fault.what[1:]}.", "hint": fault.hint, "where": where}


def describe_error(error: DobbleError) -> tuple[int, dict[str, Any]]:
    """Return the status of an error, and its first fault with all others."""
    status, code = next((status, code) for kind, status, code in _STATUSES if isinstance(error, kind))
    told = [describe(fault, code) for fault in error.faults] or [{"code": code, "sentence": str(error), "hint": ""}]
    return status, told[0] | ({"others": told[1:]} if len(told) > 1 else {})


def answer_fault(fault: StudioFault, language: str) -> Response:
    """Return the answer to a request that the studio itself refuses."""
    told = {
        "code": fault.code,
        "sentence": say(language, f"faults.{fault.code}", **fault.values),
        "hint": say(language, f"hints.{fault.code}", **fault.values),
        "where": fault.values.get("where"),
    }
    more = {key: value for key, value in fault.values.items() if key == "deck"}
    return JSONResponse({"fault": told, **more}, fault.status)


async def answer_studio_fault(request: Request, error: Exception) -> Response:
    """Answer with what the studio refuses."""
    assert isinstance(error, StudioFault)
    return answer_fault(error, request.headers.get("accept-language", ""))


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer with what the program finds wrong."""
    assert isinstance(error, DobbleError)
    status, told = describe_error(error)
    return JSONResponse({"fault": told}, status)


async def answer_http(request: Request, error: Exception) -> Response:
    """Answer for a path or a verb that does not exist, or a form that cannot be read."""
    status = getattr(error, "status_code", 400)
    code = {404: "missing", 405: "verb"}.get(status, "request")
    return answer_fault(StudioFault(status, code), request.headers.get("accept-language", ""))


async def answer_bug(request: Request, error: Exception) -> Response:
    """Answer for what nobody foresaw, and print its details."""
    details = "".join(traceback.format_exception(error))
    logging.getLogger("dobble_print.studio").error("%s", details)
    return answer_fault(StudioFault(500, "bug"), request.headers.get("accept-language", ""))
