"""Every notebook runs from its first cell to its last, and draws."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
PICTURE_BYTES_MIN = 10_000
CELL_TIMEOUT_S = 120


@pytest.fixture(scope="module")
def runs(
    url: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, nbformat.NotebookNode | BaseException]:
    """All of them, two at a time, each in a kernel and a folder of its own."""
    slots = asyncio.Semaphore(2)

    async def run(path: Path) -> nbformat.NotebookNode:
        resources = {"metadata": {"path": str(tmp_path_factory.mktemp(path.stem))}}
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(notebook, timeout=CELL_TIMEOUT_S, kernel_name="python3", resources=resources)
        async with slots:
            return await client.async_execute(env={**os.environ, "TIGRAPH_URL": url, "NO_COLOR": "1"})

    async def run_all() -> list[nbformat.NotebookNode | BaseException]:
        return await asyncio.gather(*map(run, NOTEBOOKS), return_exceptions=True)

    return dict(zip([path.stem for path in NOTEBOOKS], asyncio.run(run_all()), strict=True))


def test_there_are_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["backtest", "divergence", "levels", "screen"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_draws(path: Path, runs: dict[str, nbformat.NotebookNode | BaseException]) -> None:
    notebook = runs[path.stem]
    if isinstance(notebook, BaseException):
        raise notebook
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert pictures
    for number, picture in enumerate(pictures):
        content = base64.b64decode(picture)
        assert len(content) > PICTURE_BYTES_MIN
        if folder := os.environ.get("TIGRAPH_PICTURES"):
            Path(folder, f"{path.stem}-{number}.png").write_bytes(content)
    # What a library warns of, a reader sees.
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_kept_without_its_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
