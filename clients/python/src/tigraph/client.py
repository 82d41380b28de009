"""The two clients: one performs the steps of an operation blocking, the other awaits them."""

from __future__ import annotations

import functools
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

import httpx2

from tigraph import operations
from tigraph.connection import (
    Connection,
    Login,
    Operation,
    Reply,
    Save,
    Send,
    Step,
    Wait,
    connection_of,
    exchange,
)
from tigraph.errors import TigraphError

if TYPE_CHECKING:
    from tigraph.models import StreamChange, StreamEvent, StreamGap, StreamSnapshot

    StreamItem = StreamSnapshot | StreamChange | StreamEvent | StreamGap

P = ParamSpec("P")
T = TypeVar("T")

_RECONNECT_S = 3.0


def _blocking(
    operation: Callable[Concatenate[Connection, P], Operation[T]],
) -> Callable[Concatenate[Client, P], T]:
    @functools.wraps(operation)
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._run(operation(self._connection, *args, **kwargs))

    return method


def _awaited(
    operation: Callable[Concatenate[Connection, P], Operation[T]],
) -> Callable[Concatenate[AsyncClient, P], Awaitable[T]]:
    @functools.wraps(operation)
    async def method(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(operation(self._connection, *args, **kwargs))

    return method


class Client:
    """A connection to a service, for use by any number of threads. `connect` makes it."""

    def __init__(self, connection: Connection, http: httpx2.Client) -> None:
        self._connection = connection
        self._http = http
        self._lock = threading.Lock()

    get = _blocking(operations.get)
    stock = _blocking(operations.stock)
    fields = _blocking(operations.fields)
    symbols = _blocking(operations.symbols)
    bars = _blocking(operations.bars)
    panel = _blocking(operations.panel)
    screen = _blocking(operations.screen)
    records = _blocking(operations.records)
    claims = _blocking(operations.claims)
    backtest = _blocking(operations.backtest)
    trades = _blocking(operations.trades)
    equity = _blocking(operations.equity)
    export = _blocking(operations.export)

    def stream(self, symbols: str | Sequence[str]) -> Generator[StreamItem, None, None]:
        """What changes of up to 200 stocks, as it changes, until the loop is left: a snapshot of each first.
        After a cut it connects again and resumes behind the last event, or yields a `StreamGap` that says
        what was missed."""
        place = _Place()
        while True:
            try:
                response = self._run(operations.stream(self._connection, symbols, place.after))
                try:
                    for event in httpx2.EventSource(response, max_event_size=None):
                        if (item := place.read(event)) is not None:
                            yield item
                finally:
                    response.close()
            except httpx2.SSEError as error:
                raise TigraphError("unknown", f"The answer is no stream of events: {error}") from error
            except httpx2.TransportError:
                pass
            except TigraphError as error:
                if not error.is_temporary:
                    raise
            time.sleep(place.reconnect_s)

    def _run(self, operation: Operation[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = operation.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            reply = self._perform(step)

    def _perform(self, step: Step) -> Reply:
        try:
            match step:
                case Login():
                    with self._lock:
                        if self._connection.needs_token:
                            self._run(exchange(self._connection))
                case Wait(seconds):
                    time.sleep(seconds)
                case Save(response, target):
                    with _written(target) as file:
                        for chunk in response.iter_bytes():
                            file.write(chunk)
                case Send():
                    response = self._http.send(_request(self._http, step), stream=step.stream)
                    if step.stream and response.status_code != 200:
                        response.read()
                    return response
        except httpx2.TransportError as error:
            return error
        return None

    def close(self) -> None:
        """Closes its sockets."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient:
    """As `Client`, for `await`. `connect_async` makes it."""

    def __init__(self, connection: Connection, http: httpx2.AsyncClient) -> None:
        self._connection = connection
        # Half of the time of an import, which those who block need not spend.
        import asyncio

        self._http = http
        self._lock = asyncio.Lock()
        self._sleep = asyncio.sleep

    get = _awaited(operations.get)
    stock = _awaited(operations.stock)
    fields = _awaited(operations.fields)
    symbols = _awaited(operations.symbols)
    bars = _awaited(operations.bars)
    panel = _awaited(operations.panel)
    screen = _awaited(operations.screen)
    records = _awaited(operations.records)
    claims = _awaited(operations.claims)
    backtest = _awaited(operations.backtest)
    trades = _awaited(operations.trades)
    equity = _awaited(operations.equity)
    export = _awaited(operations.export)

    async def stream(self, symbols: str | Sequence[str]) -> AsyncGenerator[StreamItem, None]:
        """As that of `Client`, for `async for`."""
        place = _Place()
        while True:
            try:
                response = await self._run(operations.stream(self._connection, symbols, place.after))
                try:
                    async for event in httpx2.EventSource(response, max_event_size=None):
                        if (item := place.read(event)) is not None:
                            yield item
                finally:
                    await response.aclose()
            except httpx2.SSEError as error:
                raise TigraphError("unknown", f"The answer is no stream of events: {error}") from error
            except httpx2.TransportError:
                pass
            except TigraphError as error:
                if not error.is_temporary:
                    raise
            await self._sleep(place.reconnect_s)

    async def _run(self, operation: Operation[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = operation.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            reply = await self._perform(step)

    async def _perform(self, step: Step) -> Reply:
        try:
            match step:
                case Login():
                    async with self._lock:
                        if self._connection.needs_token:
                            await self._run(exchange(self._connection))
                case Wait(seconds):
                    await self._sleep(seconds)
                case Save(response, target):
                    with _written(target) as file:
                        async for chunk in response.aiter_bytes():
                            file.write(chunk)
                case Send():
                    response = await self._http.send(_request(self._http, step), stream=step.stream)
                    if step.stream and response.status_code != 200:
                        await response.aread()
                    return response
        except httpx2.TransportError as error:
            return error
        return None

    async def close(self) -> None:
        """Closes its sockets."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def connect(
    url: str | None = None,
    *,
    client_id: str | None = None,
    client_secret: str | None = None,
    grant: str | None = None,
    scopes: Sequence[str] = (),
    timeout: float = 300.0,
    transport: httpx2.BaseTransport | None = None,
) -> Client:
    """A client of the service at `url`. Nothing is sent before the first question.

    What is left out comes from `TIGRAPH_URL` (else `http://127.0.0.1:8080`), `TIGRAPH_CLIENT_ID`,
    `TIGRAPH_CLIENT_SECRET` and `TIGRAPH_GRANT`; without credentials every answer is 15 minutes old. Tokens
    are renewed as they end. `timeout` is the longest pause of an answer in seconds. Raises `TigraphError`
    `bad_setting`.
    """
    connection = connection_of(url, client_id, client_secret, grant, scopes)
    http = httpx2.Client(base_url=connection.url, timeout=timeout, transport=transport)
    return Client(connection, http)


def connect_async(
    url: str | None = None,
    *,
    client_id: str | None = None,
    client_secret: str | None = None,
    grant: str | None = None,
    scopes: Sequence[str] = (),
    timeout: float = 300.0,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> AsyncClient:
    """As `connect`, for `await`."""
    connection = connection_of(url, client_id, client_secret, grant, scopes)
    http = httpx2.AsyncClient(base_url=connection.url, timeout=timeout, transport=transport)
    return AsyncClient(connection, http)


def _request(http: httpx2.Client | httpx2.AsyncClient, step: Send) -> httpx2.Request:
    return http.build_request(
        step.method, step.path, params=step.params, json=step.json, data=step.form, headers=step.headers
    )


@contextmanager
def _written(target: Path) -> Iterator[IO[bytes]]:
    """A file that takes its name when it is whole, and leaves nothing behind otherwise."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".unfinished-", delete=False) as file:
        try:
            yield file
            file.close()
            Path(file.name).replace(target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


class _Place:
    """Where a stream is, so that the next connection goes on behind it."""

    after: str | None = None
    reconnect_s = _RECONNECT_S

    def read(self, event: httpx2.ServerSentEvent) -> StreamItem | None:
        """The item of an event; None of farewells, and of what a newer service sends."""
        from tigraph import models
        from tigraph.reading import read

        self.after = event.id or self.after
        if event.retry is not None:
            self.reconnect_s = event.retry / 1000
        kinds = {
            "snapshot": models.StreamSnapshot,
            "change": models.StreamChange,
            "event": models.StreamEvent,
            "gap": models.StreamGap,
        }
        kind = kinds.get(event.event)
        return None if kind is None else read(kind, event.json())  # type: ignore[arg-type]
