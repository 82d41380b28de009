"""Streams that are cut, and files that end early."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest

import tigraph
from tigraph import models

HEAD = {"symbol": "SIMX", "trade_date": "2026-11-20", "as_of": "2026-11-20T15:00:00.000Z"}
PLAN = {"as_of": "2026-11-20T15:00:00.000Z", "parts": [{"path": "year=2026/facts.parquet"}]}


def block(seq: int, price: float) -> bytes:
    data = json.dumps({"seq": seq, **HEAD, "changed": {"last_price": price}})
    return f"event: change\nid: p:{seq}\ndata: {data}\n\n".encode()


Handler = Callable[[BaseHTTPRequestHandler, int], None]


@pytest.fixture
def serve() -> Iterator[Callable[[Handler], tuple[str, list[str | None]]]]:
    """A server whose connections end as a test says: its address, and where callers asked to resume."""
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Handler) -> tuple[str, list[str | None]]:
        positions: list[str | None] = []

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                positions.append(self.headers.get("last-event-id"))
                answer(self, len(positions))

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.do_GET()

            def log_message(self, *_: object) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        return f"http://127.0.0.1:{server.server_port}", positions

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def send(
    handler: BaseHTTPRequestHandler, status: int, kind: str, body: bytes, length: int | None = None
) -> None:
    """Names a `length` and closes after the body, which may be shorter."""
    handler.send_response(status)
    handler.send_header("content-type", kind)
    if length is not None:
        handler.send_header("content-length", str(length))
    handler.end_headers()
    handler.wfile.write(body)


def cut_twice(handler: BaseHTTPRequestHandler, connection: int) -> None:
    """Each connection brings one change and is cut within the next event; the third one is refused."""
    if connection == 3:
        return send(
            handler, 404, "application/json", b'{"detail":"Gone.","code":"unknown_symbol","request_id":"r"}'
        )
    body = (
        b"retry: 1\n\n: heartbeat\n\n"
        + block(connection, 100 + connection)
        + b"event: change\nid: p:99\ndata: {"
    )
    return send(handler, 200, "text/event-stream", body, length=len(body) + 50)


class TestStreams:
    def test_go_on_behind_the_last_whole_event(
        self, serve: Callable[[Handler], tuple[str, list[str | None]]]
    ) -> None:
        url, positions = serve(cut_twice)
        seen = []
        with tigraph.connect(url) as client, pytest.raises(tigraph.TigraphError, match="unknown_symbol"):  # noqa: PT012
            for item in client.stream("SIMX"):
                assert isinstance(item, models.StreamChange)
                seen.append((item.seq, item.changed["last_price"]))
        assert seen == [(1, 101.0), (2, 102.0)]
        assert positions == [None, "p:1", "p:2"]

    def test_do_so_for_async_for(self, serve: Callable[[Handler], tuple[str, list[str | None]]]) -> None:
        url, positions = serve(cut_twice)
        seen = []

        async def watch() -> None:
            async with tigraph.connect_async(url) as client:
                async for item in client.stream(["SIMX", "MXAZ"]):
                    seen.append(item)

        with pytest.raises(tigraph.TigraphError, match="unknown_symbol"):
            asyncio.run(watch())
        assert [item.seq for item in seen if isinstance(item, models.StreamChange)] == [1, 2]
        assert positions == [None, "p:1", "p:2"]

    def test_of_something_else_are_errors(self) -> None:
        page = httpx2.MockTransport(lambda _: httpx2.Response(200, html="<p>Sign in</p>"))
        with pytest.raises(tigraph.TigraphError, match="unknown: The answer is no stream"):
            next(tigraph.connect(transport=page).stream("SIMX"))


class TestFiles:
    @staticmethod
    def cutting(times: int) -> Handler:
        """Answers the plan, then so many parts that end early, then whole ones."""

        def answer(handler: BaseHTTPRequestHandler, request: int) -> None:
            if request == 1:
                return send(handler, 200, "application/json", json.dumps(PLAN).encode())
            body = b"whole" if request > 1 + times else b"ha"
            return send(handler, 200, "application/octet-stream", body, length=5)

        return answer

    @pytest.mark.parametrize("is_async", [False, True])
    def test_that_end_early_are_asked_for_again(
        self, is_async: bool, serve: Callable[[Handler], tuple[str, list[str | None]]], tmp_path: Path
    ) -> None:
        url, requests = serve(self.cutting(2))

        async def export() -> list[Path]:
            async with tigraph.connect_async(url) as client:
                return await client.export("facts", tmp_path, start="2026-01-02")

        with tigraph.connect(url) as client:
            paths = (
                asyncio.run(export()) if is_async else client.export("facts", tmp_path, start="2026-01-02")
            )
        assert [path.read_bytes() for path in paths] == [b"whole"]
        assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["facts.parquet"]
        assert len(requests) == 4

    def test_that_end_early_for_good_leave_nothing(
        self, serve: Callable[[Handler], tuple[str, list[str | None]]], tmp_path: Path
    ) -> None:
        url, _ = serve(self.cutting(9))
        with (
            tigraph.connect(url) as client,
            pytest.raises(tigraph.TigraphError, match="incomplete: year=2026"),
        ):
            client.export("facts", tmp_path, start="2026-01-02")
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []

    def test_that_would_lie_outside_the_folder_are_refused(self, tmp_path: Path) -> None:
        def answer(_: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(200, json={**PLAN, "parts": [{"path": "../facts.parquet"}]})

        client = tigraph.connect(transport=httpx2.MockTransport(answer))
        with pytest.raises(tigraph.TigraphError, match="outside the folder"):
            client.export("facts", tmp_path / "here", start="2026-01-02")

    def test_an_answer_that_ends_early_is_no_frame(
        self, serve: Callable[[Handler], tuple[str, list[str | None]]]
    ) -> None:
        url, _ = serve(lambda handler, _: send(handler, 200, "application/octet-stream", b"half", length=99))
        with tigraph.connect(url) as client, pytest.raises(tigraph.TigraphError, match="incomplete"):
            client.panel(["last_price"], "SIMX")
