"""What a connection knows, and how a request becomes an answer: token, waits, errors. Nothing here does input
or output: an operation is a generator that yields steps, and a client performs them, blocking or not."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import httpx2

from tigraph.errors import TigraphError, error_of

DEFAULT_URL = "http://127.0.0.1:8080"
API = "/api/graph/v1"
ARROW = "application/vnd.apache.arrow.stream"

_ATTEMPTS_MAX = 5
_WAIT_MAX_S = 60.0
"""A service that asks for a longer wait is answered with its refusal."""
_RENEWED_AT = 0.8
"""Share of its life after which a token is renewed."""
_NOTHING_DONE = ("overloaded", "shutting_down", "topology_not_loaded")
"""Codes of a 503 after which a request that writes may be repeated."""


@dataclass(frozen=True)
class Send:
    """A request to be sent; `stream` leaves the body to be read."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    writes: bool = False
    stream: bool = False


@dataclass(frozen=True)
class Wait:
    """Some seconds to be waited."""

    seconds: float


@dataclass(frozen=True)
class Login:
    """A token to be renewed where it is due, by one caller at a time."""


@dataclass(frozen=True)
class Save:
    """The body of an open answer, to be written to a file that has its name only once it is whole."""

    response: httpx2.Response
    target: Path


T = TypeVar("T")
Step: TypeAlias = Send | Wait | Login | Save
Reply: TypeAlias = httpx2.Response | httpx2.TransportError | None
Operation: TypeAlias = Generator[Step, Reply, T]


@dataclass(frozen=True)
class Credentials:
    """What a client exchanges for tokens; without `grant` its only grant, without `scopes` all of that."""

    client_id: str
    client_secret: str = field(repr=False)
    grant: str | None = None
    scopes: Sequence[str] = ()


@dataclass
class Connection:
    """Address, credentials and token of a connection."""

    url: str
    credentials: Credentials | None
    token: str | None = field(default=None, repr=False)
    renew_at: float = 0.0
    """By the uptime of this machine, whose wall clock may be wrong."""
    types: dict[str, tuple[str, str | None]] | None = None
    """Type and unit of every field of a stock by its path, once they have been asked for."""

    @property
    def needs_token(self) -> bool:
        """Whether there is no token, or one that ends soon."""
        return self.credentials is not None and (self.token is None or time.monotonic() >= self.renew_at)


def connection_of(
    url: str | None,
    client_id: str | None,
    client_secret: str | None,
    grant: str | None,
    scopes: Sequence[str],
) -> Connection:
    """A connection of arguments, and of the environment where one is None.

    Raises `TigraphError` `bad_setting` for half of the credentials: delayed data would be taken for real
    time.
    """
    given = os.environ.get
    client_id = client_id or given("TIGRAPH_CLIENT_ID") or ""
    client_secret = client_secret or given("TIGRAPH_CLIENT_SECRET") or ""
    if (client_id == "") != (client_secret == ""):
        raise TigraphError("bad_setting", "TIGRAPH_CLIENT_ID and TIGRAPH_CLIENT_SECRET need one another.")
    grant = grant or given("TIGRAPH_GRANT") or None
    credentials = Credentials(client_id, client_secret, grant, scopes) if client_id else None
    return Connection((url or given("TIGRAPH_URL") or DEFAULT_URL).rstrip("/"), credentials)


def ask(connection: Connection, request: Send) -> Operation[httpx2.Response]:
    """The answer to a request: with a token, which is replaced once after a 401, and again after
    `Retry-After` of a 429 or 503, in all at most five times. Raises `TigraphError`."""
    is_replaced = False
    attempt = 1
    while True:
        headers = dict(request.headers)
        if connection.credentials is not None and request.form is None:
            yield Login()
            headers["authorization"] = f"Bearer {connection.token}"
        used = connection.token
        send = Send(**{**vars(request), "headers": headers})
        reply = yield send
        if not isinstance(reply, httpx2.Response):
            if isinstance(reply, httpx2.ConnectError | httpx2.ConnectTimeout):
                raise TigraphError(
                    "unreachable", f"No service answers at {connection.url}: {reply}"
                ) from reply
            raise TigraphError(
                "incomplete", f"The answer of {connection.url} ended early: {reply!r}"
            ) from reply
        if reply.status_code == 200:
            return reply
        if reply.status_code == 401 and "authorization" in headers and not is_replaced:
            is_replaced = True
            if connection.token == used:
                connection.token = None
            continue
        error = error_of(reply)
        seconds = _wait_after(reply, error, request)
        if attempt == _ATTEMPTS_MAX or seconds is None:
            raise error
        attempt += 1
        # Up to a tenth more, so that callers do not return together.
        yield Wait(seconds * (1 + random.random() / 10))


def _wait_after(response: httpx2.Response, error: TigraphError, request: Send) -> float | None:
    if error.status not in (429, 503):
        return None
    if error.status == 503 and request.writes and error.code not in _NOTHING_DONE:
        return None
    try:
        seconds = float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return seconds if 0 <= seconds <= _WAIT_MAX_S else None


def exchange(connection: Connection) -> Operation[None]:
    """Renews the token of a connection by its client credentials (RFC 6749, section 4.4)."""
    credentials = connection.credentials
    assert credentials is not None
    form = {
        "grant_type": "client_credentials",
        "client_id": credentials.client_id,
        "client_secret": credentials.client_secret,
        "agent_id": "tigraph-python",
    }
    if credentials.grant is not None:
        form["grant_id"] = credentials.grant
    if credentials.scopes:
        form["scope"] = " ".join(credentials.scopes)
    answer = (yield from ask(connection, Send("POST", "/oauth/token", form=form))).json()
    connection.token = answer["access_token"]
    connection.renew_at = time.monotonic() + answer["expires_in"] * _RENEWED_AT
