"""The one exception of the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2


@dataclass(frozen=True)
class Fault:
    """One fault of a request that the service refuses with 422."""

    place: str
    """Where in the request, e.g. `body.fields.0`."""
    sentence: str
    input: Any
    """The value that was sent."""


class TigraphError(Exception):
    """A refusal of the service, or no answer at all: `code` for programs, the sentence for people.

    `code` is a word of the service's error catalogue (docs/errors.md), or one of the package: `unreachable`
    (no answer), `redirected` (the address is not that of the service), `bad_setting` (half of the
    credentials), `incomplete` (an answer that ends early), `run_failed` and `run_cancelled` (a backtest),
    `unknown` (an answer of something else than the service).
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        *,
        status: int = 0,
        request_id: str | None = None,
        faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.status = status
        """Status of the answer; 0 where there was none."""
        self.request_id = request_id
        """The identifier under which the log of the service knows the request."""
        self.faults = tuple(faults)
        """Of `validation_failed` every fault with its place, else empty."""

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code in ("unreachable", "incomplete") or self.status == 429 or self.status >= 500


def error_of(response: httpx2.Response) -> TigraphError:
    """The error that an answer other than 200 is."""
    status = response.status_code
    if response.is_redirect:
        to = response.headers.get("location", "another address")
        sentence = (
            f"The service is not at {response.url} but sends callers on to {to}; connect to its own address."
        )
        return TigraphError("redirected", sentence, status=status)
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, Mapping):
        return TigraphError("unknown", f"Status {status} without a reason", status=status)
    detail = body.get("detail", body.get("error_description"))
    if isinstance(detail, list):
        faults = [Fault(".".join(fault["loc"]), fault["msg"], fault.get("input")) for fault in detail]
        sentence = "; ".join(f"{fault.place}: {fault.sentence}" for fault in faults)
        return TigraphError("validation_failed", sentence, status=status, faults=faults)
    return TigraphError(
        body.get("code", body.get("error", "unknown")),
        detail or f"Status {status} without a reason",
        status=status,
        request_id=body.get("request_id"),
    )
