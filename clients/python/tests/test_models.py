"""The generated dataclasses against the service's document, and how answers become them."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from tigraph import models
from tigraph.reading import _arrow_type, _members, _reader, read, table_of

HERE = Path(__file__).parent.parent
DOCUMENT = json.loads((HERE.parent / "openapi.json").read_text())["components"]["schemas"]
MODELS = [each for each in vars(models).values() if isinstance(each, type) and dataclasses.is_dataclass(each)]
NAMED = [model for model in MODELS if model.__name__ in DOCUMENT]


def test_models_are_those_of_the_document() -> None:
    """`python generate.py` writes them."""
    made = subprocess.run(
        [sys.executable, HERE / "generate.py", "--print"],
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE,
    )
    assert made.stdout == (HERE / "src" / "tigraph" / "models.py").read_text()


@pytest.mark.parametrize("model", NAMED, ids=lambda model: model.__name__)
def test_every_field_has_its_name_on_the_wire(model: type) -> None:
    assert {wire for _, wire, _ in _members(model)} == set(DOCUMENT[model.__name__]["properties"])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_can_be_read(model: type) -> None:
    assert callable(_reader(model))


@pytest.mark.parametrize(
    "model", [models.ClaimRecord, models.ClaimEvent, models.ListedSymbol, models.BacktestCell]
)
def test_what_becomes_rows_has_types_of_arrow(model: type) -> None:
    table = table_of(model, [])
    assert pa.null() not in table.schema.types
    assert len(table) == 0


def test_words_of_the_wire_become_values() -> None:
    gap = read(models.StreamGap, {"reason": "slow_reader", "from": None, "to": 7, "symbols": ["A"], "new": 1})
    assert gap == models.StreamGap(reason="slow_reader", from_=None, to=7, symbols=["A"])
    grade = read(models.Analyst, {"latest_grade_date": "2026-02-27", "score": 4})
    assert grade.latest_grade_date == date(2026, 2, 27)
    assert isinstance(grade.score, float)
    atr = read(models.DailyAtr, {"14": 1.5, "20": None})
    assert (atr.field_14, atr.field_20) == (1.5, None)
    assert read(models.StreamGap, {"reason": "slow_reader"}).to is None
    at = _reader(datetime)("2026-02-27T15:30:00.000Z")
    assert at == datetime(2026, 2, 27, 15, 30, tzinfo=UTC)


def test_nested_objects_become_structs() -> None:
    kind = _arrow_type(models.RecordSince)
    assert kind.field("n").type == pa.int64()
    assert kind.field("rate").type == pa.float64()
