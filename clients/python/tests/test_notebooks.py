"""Every notebook runs from its first cell to its last, and draws."""

from __future__ import annotations

import base64
import os
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
PICTURE_BYTES_MIN = 10_000
CELL_TIMEOUT_S = 120


@pytest.fixture(scope="module")
def runs(url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Future[nbformat.NotebookNode]]:
    """All of them at once, each in a kernel and a folder of its own."""

    def run(path: Path) -> nbformat.NotebookNode:
        notebook = nbformat.read(path, as_version=4)
        folder = tmp_path_factory.mktemp(path.stem)
        client = NotebookClient(
            notebook, timeout=CELL_TIMEOUT_S, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )
        return client.execute(env={**os.environ, "TIGRAPH_URL": url})

    pool = ThreadPoolExecutor(2)
    futures = {path.stem: pool.submit(run, path) for path in NOTEBOOKS}
    pool.shutdown(wait=False)
    return futures


def test_there_are_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["backtest", "divergence", "levels", "screen"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_draws(path: Path, runs: dict[str, Future[nbformat.NotebookNode]]) -> None:
    notebook = runs[path.stem].result()
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
