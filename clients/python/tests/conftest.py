"""What the tests share: a service that answers by a script, and one that runs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import httpx2
import pytest

import tigraph

Answer = httpx2.Response | Exception


@dataclass
class Script:
    """Answers requests one after the other, and remembers them."""

    answers: list[Answer | Callable[[httpx2.Request], Answer]] = field(default_factory=list)
    requests: list[httpx2.Request] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        assert self.answers, f"nothing is left for {request.method} {request.url}"
        answer = self.answers.pop(0)
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def paths(self) -> list[str]:
        return [request.url.path.rsplit("/", 1)[-1] for request in self.requests]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the shell says of a service is no part of a test."""
    for name in ("TIGRAPH_URL", "TIGRAPH_CLIENT_ID", "TIGRAPH_CLIENT_SECRET", "TIGRAPH_GRANT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def scripted(script: Script) -> Iterator[tigraph.Client]:
    """An anonymous client of the script, which waits for nothing."""
    with tigraph.connect(transport=httpx2.MockTransport(script)) as client:
        yield client


@pytest.fixture(scope="session")
def service() -> dict[str, str]:
    """Address of a service of a simulated market, and a client that may log in.

    A line of JSON in the descriptor that `TIGRAPH_TEST_SERVICE` names: `npm run test:python` writes it there
    once the service is ready.
    """
    with os.fdopen(int(os.environ["TIGRAPH_TEST_SERVICE"])) as lines:
        found: dict[str, str] = json.loads(lines.readline())
    return found


@pytest.fixture(scope="session")
def url(service: dict[str, str]) -> str:
    return service["url"]


@pytest.fixture
def tg(url: str) -> Iterator[tigraph.Client]:
    with tigraph.connect(url) as client:
        yield client
