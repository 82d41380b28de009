"""From JSON to the dataclasses of `models`, and from these to columns of Arrow."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


def read(model: type[T], value: Mapping[str, Any]) -> T:
    """A dataclass of `models` from an object of JSON. What a newer service adds is left out."""
    reader: Callable[[Any], T] = _reader(model)  # type: ignore[arg-type]
    return reader(value)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    if isinstance(kind, type) and is_dataclass(kind):
        members = [(name, wire, _reader(hint)) for name, wire, hint in _members(kind)]
        # What an older service does not know is absent.
        absent = {f.name: None for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}

        def read_object(value: Mapping[str, Any]) -> Any:
            known = {name: reader(value[wire]) for name, wire, reader in members if wire in value}
            return kind(**{**absent, **known})

        return read_object
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        readers = [_reader(argument) for argument in arguments if argument is not types.NoneType]
        # Of several kinds all are values of JSON itself.
        reader = readers[0] if len(readers) == 1 else _as_it_is
        return lambda value: None if value is None else reader(value)
    if origin is list:
        item = _reader(arguments[0])
        return lambda value: [item(each) for each in value]
    if origin is dict:
        item = _reader(arguments[1])
        return lambda value: {key: item(each) for key, each in value.items()}
    if kind in (date, datetime):
        return kind.fromisoformat  # type: ignore[no-any-return]
    # A whole number is written without a point.
    return float if kind is float else _as_it_is


def _as_it_is(value: Any) -> Any:
    return value


def _members(model: Any) -> list[tuple[str, str, Any]]:
    """Name, name on the wire and type of each field: `from_` and `field_14` are `from` and `14` there."""
    hints = get_type_hints(model)
    return [(f.name, f.name.removeprefix("field_").removesuffix("_"), hints[f.name]) for f in fields(model)]


def table_of(model: type[Any], rows: Iterable[Mapping[str, Any]], first: tuple[str, ...] = ()) -> pa.Table:
    """Objects of JSON as a table, whose columns are the fields of a model: `first`, then the others in their
    order. Its types follow from the model alone, so that a table without rows has them too."""
    import pyarrow as pa

    hints = {name: hint for name, _, hint in _members(model)}
    ordered = [*first, *(name for name in hints if name not in first)]
    schema = pa.schema([(name, _arrow_type(hints[name])) for name in ordered])
    return pa.Table.from_pylist([asdict(read(model, row)) for row in rows], schema=schema)


def _arrow_type(hint: Any) -> pa.DataType:
    import pyarrow as pa

    plain = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        date: pa.date32(),
        datetime: pa.timestamp("ms", "UTC"),
    }
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (hint,) = (argument for argument in arguments if argument is not types.NoneType)
        return _arrow_type(hint)
    if origin is Literal:
        return pa.string()
    if origin is list:
        return pa.list_(_arrow_type(arguments[0]))
    if is_dataclass(hint):
        return pa.struct([(name, _arrow_type(member)) for name, _, member in _members(hint)])
    return plain[hint]
