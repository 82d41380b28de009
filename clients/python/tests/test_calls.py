"""Tokens, waits, refusals: against a script, so that each can be made to happen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import httpx2
import pytest
from conftest import Script

import tigraph

TOKEN = {"access_token": "t1", "expires_in": 900}


def json(value: object, status: int = 200, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json=value, headers=headers)


def refusal(status: int, code: str, **headers: str) -> httpx2.Response:
    return json({"detail": "No.", "code": code, "request_id": "r-1"}, status, **headers)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that were waited for, without waiting."""
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


class TestErrors:
    def test_have_code_sentence_and_request(self, script: Script, scripted: tigraph.Client) -> None:
        script.answers = [refusal(404, "unknown_symbol")]
        with pytest.raises(tigraph.TigraphError, match=r"^unknown_symbol: No\.$") as caught:
            scripted.stock("NOBODY")
        error = caught.value
        assert (error.status, error.code, error.sentence, error.request_id) == (
            404,
            "unknown_symbol",
            "No.",
            "r-1",
        )
        assert not error.is_temporary

    def test_name_every_fault_of_a_422(self, script: Script, scripted: tigraph.Client) -> None:
        faults = [{"loc": ["query", "date"], "msg": "Not a date", "type": "date", "input": "x", "ctx": {}}]
        script.answers = [json({"detail": faults}, 422)]
        with pytest.raises(tigraph.TigraphError) as caught:
            scripted.stock("SIMX", date="x")
        assert caught.value.code == "validation_failed"
        assert caught.value.faults == (tigraph.Fault("query.date", "Not a date", "x"),)
        assert str(caught.value) == "validation_failed: query.date: Not a date"

    def test_say_that_nobody_answers(self) -> None:
        with pytest.raises(
            tigraph.TigraphError, match=r"No service answers at http://127\.0\.0\.1:1"
        ) as caught:
            tigraph.connect("http://127.0.0.1:1").get("/health")
        assert caught.value.code == "unreachable"
        assert caught.value.is_temporary

    def test_do_not_follow_to_another_address(self, script: Script) -> None:
        client = tigraph.connect(
            "http://x", client_id="c", client_secret="s", transport=httpx2.MockTransport(script)
        )
        script.answers = [httpx2.Response(307, headers={"location": "http://elsewhere/"})]
        with pytest.raises(tigraph.TigraphError, match=r"sends callers on to http://elsewhere/") as caught:
            client.get("/x")
        assert caught.value.code == "redirected"
        assert len(script.requests) == 1

    def test_of_something_else_than_the_service(self, script: Script, scripted: tigraph.Client) -> None:
        script.answers = [httpx2.Response(502, text="<html>")]
        with pytest.raises(tigraph.TigraphError, match="unknown: Status 502"):
            scripted.get("/x")

    def test_an_arrow_answer_that_is_none(self, script: Script, scripted: tigraph.Client) -> None:
        script.answers = [httpx2.Response(200, content=b"\xff\xff\xff\xff\x10\x00\x00\x00half")]
        with pytest.raises(tigraph.TigraphError, match="incomplete: "):
            scripted.bars("SIMX", adjusted=True)


class TestWaits:
    @pytest.mark.parametrize("status", [429, 503])
    def test_are_those_that_the_service_names(
        self, status: int, script: Script, scripted: tigraph.Client, waits: list[float]
    ) -> None:
        later = [refusal(status, "overloaded", **{"retry-after": "2"}) for _ in range(2)]
        script.answers = [*later, json({"ok": True})]
        assert scripted.get("/x") == {"ok": True}
        assert len(waits) == 2
        assert all(2 <= wait <= 2.2 for wait in waits)

    def test_end_after_five_attempts(
        self, script: Script, scripted: tigraph.Client, waits: list[float]
    ) -> None:
        script.answers = [refusal(503, "overloaded", **{"retry-after": "1"}) for _ in range(9)]
        with pytest.raises(tigraph.TigraphError, match="overloaded"):
            scripted.get("/x")
        assert (len(script.requests), len(waits)) == (5, 4)

    @pytest.mark.parametrize("headers", [{"retry-after": "61"}, {"retry-after": "Sun, 29 Nov"}, {}])
    def test_of_more_than_a_minute_are_left_to_the_caller(
        self, headers: dict[str, str], script: Script, scripted: tigraph.Client
    ) -> None:
        script.answers = [refusal(429, "rate_limited", **headers)]
        with pytest.raises(tigraph.TigraphError, match="rate_limited"):
            scripted.get("/x")

    def test_a_run_is_not_started_twice(
        self, script: Script, scripted: tigraph.Client, waits: list[float]
    ) -> None:
        lost = {"retry-after": "1"}
        script.answers = [refusal(503, "overloaded", **lost), refusal(503, "database_unavailable", **lost)]
        with pytest.raises(tigraph.TigraphError, match="database_unavailable"):
            scripted.backtest("SIMX", "2026-01-02", "2026-01-09", ["vwap_touch"])
        assert len(waits) == 1


class TestRuns:
    STARTED: ClassVar = {"id": "7", "status": "pending"}

    @pytest.mark.parametrize(
        ("status", "message", "raised"),
        [("failed", "No bars.", r"run_failed: No bars\."), ("cancelled", None, "run_cancelled: Somebody")],
    )
    def test_without_an_outcome_are_errors(
        self, status: str, message: str | None, raised: str, script: Script, scripted: tigraph.Client
    ) -> None:
        script.answers = [json(self.STARTED), json({}), json({"status": status, "error_message": message})]
        with pytest.raises(tigraph.TigraphError, match=raised):
            scripted.backtest("SIMX", "2026-01-02", "2026-01-09", ["vwap_touch"])

    def test_are_waited_for_when_the_line_is_cut(
        self, script: Script, scripted: tigraph.Client, waits: list[float]
    ) -> None:
        running = json({"status": "running"})
        cut = httpx2.ReadError("cut")
        script.answers = [
            json(self.STARTED),
            cut,
            running,
            json({}),
            json({**self.STARTED, "status": "completed"}),
        ]
        run = scripted.backtest("SIMX", "2026-01-02", "2026-01-09", signals=[])
        assert (run.id, run.status) == ("7", "completed")
        assert script.paths == ["optimize", "events", "7", "events", "7"]
        assert waits == [1]


class TestTokens:
    @pytest.fixture
    def client(self, script: Script) -> tigraph.Client:
        return tigraph.connect(
            "http://x", client_id="c", client_secret="s", grant="g", transport=httpx2.MockTransport(script)
        )

    def test_are_exchanged_once_and_presented(self, script: Script, client: tigraph.Client) -> None:
        script.answers = [json(TOKEN), json({}), json({})]
        client.get("/a")
        client.get("/b")
        assert script.paths == ["token", "a", "b"]
        form = dict(pair.split("=") for pair in script.requests[0].content.decode().split("&"))
        assert form == {
            "grant_type": "client_credentials",
            "client_id": "c",
            "client_secret": "s",
            "grant_id": "g",
            "agent_id": "tigraph-python",
        }
        assert [request.headers.get("authorization") for request in script.requests] == [
            None,
            "Bearer t1",
            "Bearer t1",
        ]

    def test_are_renewed_before_they_end(
        self, script: Script, client: tigraph.Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = [1_000.0]
        monkeypatch.setattr(time, "monotonic", lambda: now[0])
        script.answers = [json(TOKEN), json({}), json({}), json(TOKEN), json({})]
        client.get("/a")
        now[0] += 719
        client.get("/b")
        now[0] += 1
        client.get("/c")
        assert script.paths == ["token", "a", "b", "token", "c"]

    def test_that_are_refused_are_replaced_once(self, script: Script, client: tigraph.Client) -> None:
        script.answers = [
            json(TOKEN),
            refusal(401, "invalid_token"),
            json(TOKEN),
            refusal(401, "invalid_token"),
        ]
        with pytest.raises(tigraph.TigraphError, match="invalid_token"):
            client.get("/a")
        assert script.paths == ["token", "a", "token", "a"]

    def test_that_the_service_does_not_give(self, script: Script, client: tigraph.Client) -> None:
        script.answers = [json({"error": "invalid_client", "error_description": "Wrong."}, 401)]
        with pytest.raises(tigraph.TigraphError, match=r"invalid_client: Wrong\."):
            client.get("/a")
        assert script.paths == ["token"]

    def test_are_shared_by_threads_and_by_tasks(self) -> None:
        def answer(request: httpx2.Request) -> httpx2.Response:
            exchanges.append(request) if request.url.path == "/oauth/token" else None
            return json(TOKEN)

        exchanges: list[httpx2.Request] = []
        with (
            tigraph.connect(
                "http://x", client_id="c", client_secret="s", transport=httpx2.MockTransport(answer)
            ) as client,
            ThreadPoolExecutor(8) as pool,
        ):
            assert len(list(pool.map(client.get, ["/x"] * 32))) == 32
        assert len(exchanges) == 1

        async def together() -> None:
            transport = httpx2.MockTransport(answer)
            async with tigraph.connect_async(
                "http://x", client_id="c", client_secret="s", transport=transport
            ) as client:
                await asyncio.gather(*(client.get("/x") for _ in range(8)))

        asyncio.run(together())
        assert len(exchanges) == 2


class TestSettings:
    def test_come_from_the_environment(self, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TIGRAPH_URL", "http://desk:8080/")
        monkeypatch.setenv("TIGRAPH_CLIENT_ID", "from-env")
        monkeypatch.setenv("TIGRAPH_CLIENT_SECRET", "secret")
        script.answers = [json(TOKEN), json({})]
        tigraph.connect(transport=httpx2.MockTransport(script)).get("/a")
        assert str(script.requests[1].url) == "http://desk:8080/a"
        assert b"client_id=from-env" in script.requests[0].content

    @pytest.mark.parametrize("half", [{"client_id": "c"}, {"client_secret": "s"}])
    @pytest.mark.parametrize("connect", [tigraph.connect, tigraph.connect_async])
    def test_of_half_a_login_are_refused(self, half: dict[str, Any], connect: Callable[..., object]) -> None:
        with pytest.raises(tigraph.TigraphError, match="bad_setting"):
            connect(**half)

    def test_hide_the_secret(self) -> None:
        assert "hush" not in repr(vars(tigraph.connect(client_id="c", client_secret="hush")))


class TestPages:
    def test_are_followed_to_the_last(self, script: Script, scripted: tigraph.Client) -> None:
        def page(rows: int, cursor: str | None) -> httpx2.Response:
            event = {
                "symbol": "SIMX",
                "trade_date": "2026-01-02",
                "claim": "pdh",
                "begun_at": "2026-01-02T15:00:00.000Z",
                "decided_at": None,
                "direction": "up",
                "price": 1,
                "outcome": "open",
                "gone": False,
                "ambiguous": False,
                "chance": None,
                "r": None,
            }
            head = {"id": "level.prior_day", "as_of": "2026-01-05T00:00:00.000Z", "simulated": True}
            return json({**head, "next_cursor": cursor, "events": [event] * rows})

        script.answers = [page(2, "2nd"), page(2, "3rd"), page(1, None)]
        frame = scripted.claims("level.prior_day", symbol="SIMX")
        assert len(frame) == 5
        assert [request.url.params.get("cursor") for request in script.requests] == [None, "2nd", "3rd"]
        assert {request.url.params["symbol"] for request in script.requests} == {"SIMX"}
        script.answers = [page(2, "2nd"), page(2, "3rd")]
        assert len(scripted.claims("level.prior_day", limit=3)) == 3
        script.answers = [page(0, None)]
        empty = scripted.claims("level.prior_day")
        assert empty.arrow().schema.types == frame.arrow().schema.types
        assert len(empty) == 0

    def test_naive_instants_are_refused(self, scripted: tigraph.Client) -> None:
        from datetime import datetime

        with pytest.raises(ValueError, match="needs a time zone"):
            scripted.stock("SIMX", as_of=datetime(2026, 1, 2, 10))

    def test_no_symbols_are_refused(self, scripted: tigraph.Client) -> None:
        with pytest.raises(ValueError, match="at least one symbol"):
            scripted.bars([], adjusted=False)
