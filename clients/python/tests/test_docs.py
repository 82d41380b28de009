"""The package's README and the page for quants, followed word for word in an empty environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent
ROOT = PACKAGE.parent.parent
PAGES = {"README": PACKAGE / "README.md", "quants": ROOT / "docs" / "quants.md"}


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and text of every block of code of a page, in order."""
    text = PAGES[page].read_text()
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert text.count("```") == 2 * len(found)
    return found


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader stands: a clone, in which what he makes is thrown away."""
    place = tmp_path_factory.mktemp("clone")
    (place / "clients").mkdir()
    (place / "clients" / "python").symlink_to(PACKAGE)
    return place


@pytest.fixture(scope="session")
def environment(place: Path) -> dict[str, str]:
    """An empty environment, with what the commands of both pages install."""
    venv.create(place / "empty", with_pip=True)
    path = f"{place / 'empty' / 'bin'}:{os.environ['PATH']}"
    env = {**{key: value for key, value in os.environ.items() if key != "PYTHONPATH"}, "PATH": path}
    commands = dict.fromkeys(text for page in PAGES for language, text in blocks(page) if language == "sh")
    for text in commands:
        subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text], cwd=place, env=env, check=True, capture_output=True
        )
    return env


@pytest.mark.parametrize("page", PAGES)
def test_every_block_runs(
    page: str, place: Path, environment: dict[str, str], request: pytest.FixtureRequest
) -> None:
    languages = {language for language, _ in blocks(page)}
    assert languages <= {"sh", "python"}
    program = "\n".join(text for language, text in blocks(page) if language == "python")
    ran = subprocess.run(
        ["python", "-W", "error", "-c", program],
        cwd=place,
        # Asked for last: the environment is made while the market of the service is.
        env={**environment, "TIGRAPH_URL": request.getfixturevalue("url")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    if page == "README":
        assert "unknown_symbol 404" in ran.stdout


def test_the_wheel_has_the_package_and_its_types(place: Path, environment: dict[str, str]) -> None:
    (wheel,) = (place / "dist").glob("*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("tigraph/")}
    kept = {f"tigraph/{path.name}" for path in (PACKAGE / "src" / "tigraph").iterdir() if path.is_file()}
    assert names == kept
    assert "tigraph/py.typed" in names
    found = subprocess.run(
        ["python", "-c", "import tigraph; print(tigraph.__file__)"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert str(place) in found.stdout
    assert sys.prefix not in found.stdout
