"""The table that every question about several rows answers with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from tigraph.errors import TigraphError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Frame:
    """A long table: one row for a symbol and a trade date or time, the same columns for one symbol and for
    many.

    Dates are `date32`, instants `timestamp[ms, UTC]`, prices in dollars of the shares that `adjusted` says;
    what is absent is null. Whatever reads the Arrow C stream interface, such as Polars and DuckDB, takes a
    frame as it is.
    """

    table: pa.Table

    def arrow(self) -> pa.Table:
        """The table, whose schema has `about` as its metadata and the units as those of its fields."""
        return self.table

    def polars(self) -> pl.DataFrame:
        """Needs the extra `polars`."""
        import polars as pl

        return cast("pl.DataFrame", pl.from_arrow(self.table))

    def pandas(self) -> pd.DataFrame:
        """Dates as midnights, absent numbers as NaN, whole numbers and flags of nullable types: the types of
        the columns do not depend on the rows. `attrs` has `as_of`, `adjusted` and `units`. Needs the extra
        `pandas`."""
        import pandas as pd
        import pyarrow as pa

        nullable = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
        data = self.table.to_pandas(types_mapper=nullable.get, date_as_object=False)
        data.attrs = {"as_of": self.as_of, "adjusted": self.adjusted, "units": self.units}
        return data

    @property
    def about(self) -> dict[str, str]:
        """All that the answer says beside its rows, as text: `as_of`, `source`, `simulated` and what follows
        the question."""
        return {key.decode(): value.decode() for key, value in (self.table.schema.metadata or {}).items()}

    @property
    def as_of(self) -> datetime | None:
        """The instant that the answer speaks for; nothing in it became known later."""
        text = self.about.get("as_of")
        return None if text is None else datetime.fromisoformat(text)

    @property
    def adjusted(self) -> bool | None:
        """Whether prices and volumes are in the shares of `as_of`, splits taken into account, or as traded on
        each date; None where nothing in the frame is a price."""
        return {"true": True, "false": False}.get(self.about.get("adjusted", ""))

    @property
    def simulated(self) -> bool:
        """Whether the rows are of the simulated market, and no evidence about any other."""
        return self.about.get("simulated") == "true"

    @property
    def units(self) -> dict[str, str | None]:
        """What the numbers of each column count, `ratio` for a plain one; None for what is no number."""
        units = {field.name: (field.metadata or {}).get(b"unit") for field in self.table.schema}
        return {name: None if unit is None else unit.decode() for name, unit in units.items()}

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return list(self.table.column_names)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        known = ", ".join(f"{key} {self.about[key]}" for key in ("as_of", "adjusted") if key in self.about)
        return f"<Frame of {len(self):,} rows, {known or 'no instant'}: {', '.join(self.columns)}>"


def arrow_table(content: bytes) -> pa.Table:
    """The table of an Arrow IPC stream."""
    import pyarrow as pa

    try:
        return pa.ipc.open_stream(content).read_all()
    except pa.ArrowInvalid as error:
        raise TigraphError("incomplete", f"The answer is no whole Arrow stream: {error}") from error


def frame_of(
    table: pa.Table, about: Mapping[str, object], units: Mapping[str, str | None] | None = None
) -> Frame:
    """A table with what is known of it, None left out, and with units where its fields name none."""
    import pyarrow as pa

    if units is not None:
        fields = [
            field if (unit := units.get(field.name)) is None else field.with_metadata({"unit": unit})
            for field in table.schema
        ]
        table = pa.table(table.columns, schema=pa.schema(fields))
    known = {key: value for key, value in about.items() if value is not None}
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in known.items()}
    return Frame(table.replace_schema_metadata(texts))
